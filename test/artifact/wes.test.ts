// docs/reference/artifact.md#wes: any GA4GH WES 1.1 service, including the deviations of real ones.
import { expect, test } from 'vitest';
import type { TestServer } from '../testkit/server.ts';
import { startServer } from '../testkit/server.ts';
import { addRule, addSchema, canRun, ended, GREET, GREETING, produce, shell } from './production-testkit.ts';
import { type Quirks, startWes } from './wes-server.ts';

const ECHO = shell(
  'cat $(inputs.greeting.path) > out.txt',
  'greeting: File\nsample: string',
  "uri: {type: File, outputBinding: {glob: out.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
);

const platformFor = (url: string, token: string, more = ''): Promise<TestServer> =>
  startServer({
    config: `artifact: {runner: {type: wes, url: "${url}", token_env: WES_TOKEN, poll_seconds: 1}${more}}\n`,
    env: { WES_TOKEN: token },
  });

async function withRules(server: TestServer): Promise<TestServer> {
  await addSchema(server, GREETING);
  for (const name of ['Echo', 'Slow', 'Broken']) await addSchema(server, { ...GREETING, name });
  const made = (entity_type: string) => ({ produces: { entity_type, match: { sample: '{sample}' } } });
  await addRule(server, 'greet', GREET, made('Greeting'));
  await addRule(server, 'echo', ECHO, { ...made('Echo'), requires: [{ ref: 'Greeting' }] });
  const out = 'uri: {type: File, outputBinding: {glob: out.txt}}\nsample: string';
  await addRule(server, 'slow', shell('sleep 60.474', 'sample: string', out), made('Slow'));
  await addRule(server, 'broken', shell('echo because >&2; exit 3', 'sample: string', out), made('Broken'));
  return server;
}

test.skipIf(!canRun).each<[string, Quirks]>([
  ['by the letter', {}],
  ['with ways of its own', { odd: true }],
  ['that fails now and then', { failEvery: 4 }],
  ['that lists files', { listsFiles: true }],
  ['that is full at first, and then loses a run', { full: 2, loses: 1 }],
])('a service %s is given workflows and files, and its outputs are fetched', async (_, quirks) => {
  await using wes = await startWes(quirks);
  await using server = await withRules(await platformFor(wes.url, wes.token));
  let answer = await produce(server, { entity_type: 'Echo', criteria: { sample: 's' } });
  for (
    let i = 0;
    i < 3 && (answer.status === 503 || answer.body.status === 'failed') && quirks.failEvery !== undefined;
    i++
  )
    answer = await produce(server, { entity_type: 'Echo', criteria: { sample: 's' } });
  expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ status: 'completed' });
  const { body } = await server.rest('GET', '/api/v1/metadata/entities?entity_type=Echo&sample=s');
  expect(body.data.items).toMatchObject([{ data: { sample: 's', size: 8 } }]);
  expect(wes.faults).toEqual([]);
});

test.skipIf(!canRun)(
  'a run that fails there fails here, with its log; one that is cancelled here is cancelled there',
  async () => {
    await using wes = await startWes();
    await using server = await withRules(await platformFor(wes.url, wes.token));
    expect((await produce(server, { entity_type: 'Broken', criteria: { sample: 's' } })).body).toMatchObject({
      status: 'failed',
      error: { code: 'workflow_failed' },
      runner: 'wes Test WES 7',
      log: expect.stringContaining('because'),
    });
    const {
      body: { production_id: id },
    } = await server.rest('POST', '/api/v1/artifact/produce', {
      body: { entity_type: 'Slow', criteria: { sample: 's' } },
    });
    await expect
      .poll(() => [...wes.runs.values()].filter(({ state }) => state === 'RUNNING').length, {
        timeout: 120_000,
      })
      .toBe(1);
    await server.rest('DELETE', `/api/v1/artifact/productions/${id}`);
    expect(await ended(server, id)).toMatchObject({ status: 'cancelled' });
    await expect
      .poll(() => [...wes.runs.values()].map(({ state }) => state))
      .toEqual(['EXECUTOR_ERROR', 'CANCELED']);
    expect(wes.faults).toEqual([]);
  },
);

test.skipIf(!canRun)('a file that is not the one that the run made fails the production', async () => {
  await using wes = await startWes({ forges: true });
  await using server = await withRules(await platformFor(wes.url, wes.token));
  expect((await produce(server, { entity_type: 'Greeting', criteria: { sample: 's' } })).body).toMatchObject({
    status: 'failed',
    error: { code: 'runner_failed', message: expect.stringContaining('another out.txt') },
  });
});

test.skipIf(!canRun)('a run that takes longer than allowed is cancelled at the service', async () => {
  await using wes = await startWes();
  await using server = await withRules(await platformFor(wes.url, wes.token, ', limits: {time_seconds: 3}'));
  expect((await produce(server, { entity_type: 'Slow', criteria: { sample: 's' } })).body).toMatchObject({
    status: 'failed',
    error: { code: 'limit_exceeded' },
  });
  await expect.poll(() => [...wes.runs.values()].map(({ state }) => state)).toEqual(['CANCELED']);
});

test('a service that does not answer, or refuses us, is 503 with what to look at', async () => {
  await using wes = await startWes();
  for (const [url, token, reason] of [
    ['http://127.0.0.1:1/ga4gh/wes/v1', 'x', 'does not respond'],
    [wes.url, 'wrong', 'returned status 401'],
  ] as const) {
    await using server = await withRules(await platformFor(url, token));
    expect(
      await server.rest('POST', '/api/v1/artifact/produce', {
        body: { entity_type: 'Greeting', criteria: { sample: 's' } },
      }),
    ).toMatchObject({
      status: 503,
      body: { error: 'runner_unavailable', message: expect.stringContaining(reason) },
    });
  }
});
