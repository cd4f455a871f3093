// A production has at most its requester's rights, checked when it begins, while it runs and before anything
// is written (docs/reference/artifact.md#who-a-production-acts-as).
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../testkit/server.ts';
import { addRule, addSchema, canRun, ended, GREETING, shell, startProducer } from './production-testkit.ts';

let server: TestServer;
let keys = 0;
const MATCH = { produces: { entity_type: 'Greeting', match: { sample: '{sample}' } } };
const slow = (seconds: number): string =>
  shell(
    `sleep ${seconds}; echo hello $(inputs.sample) > out.txt`,
    'sample: string',
    [
      'uri: {type: File, outputBinding: {glob: out.txt}}',
      "sample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
    ].join('\n'),
  );

beforeAll(async () => {
  server = await startProducer('artifact: {limits: {concurrent: 1}}');
  await addSchema(server, GREETING);
  await addRule(server, 'slow', slow(5), MATCH);
});
afterAll(() => server[Symbol.asyncDispose]());

interface Key {
  readonly id: string;
  readonly secret: string;
}
async function newKey(role = 'analyst', project?: string): Promise<Key> {
  const body = { label: `k${++keys}`, role, owner: `user:asker${keys}`, ...(project && { project }) };
  return (await server.rest('POST', '/api/v1/gateway/auth/api-keys', { body })).body;
}
const revoke = ({ id }: Key): Promise<unknown> =>
  server.rest('DELETE', `/api/v1/gateway/auth/api-keys/${id}`);
const ask = async ({ secret }: Key, sample: string): Promise<string> => {
  const answer = await server.rest('POST', '/api/v1/artifact/produce', {
    key: secret,
    body: { entity_type: 'Greeting', criteria: { sample } },
  });
  expect(answer.status, answer.text).toBe(202);
  return answer.body.production_id;
};
const isRunning = (id: string): Promise<unknown> =>
  expect
    .poll(async () => (await server.rest('GET', `/api/v1/artifact/productions/${id}`)).body.runner, {
      timeout: 120_000,
    })
    .toMatch(/cwltool/);
const stored = async (sample: string): Promise<number> =>
  (await server.rest('GET', `/api/v1/metadata/entities?entity_type=Greeting&sample=${sample}`)).body.data
    .total;

test.skipIf(!canRun)(
  'a production whose requester has lost the right to it is not executed, queued or started',
  async () => {
    const [first, second] = [await newKey(), await newKey()];
    const [begun, queued] = [await ask(first, 'begun'), await ask(second, 'queued')];
    await isRunning(begun);
    await Promise.all([revoke(first), revoke(second)]);
    for (const [id, sample] of [
      [begun, 'begun'],
      [queued, 'queued'],
    ] as const) {
      expect(await ended(server, id)).toMatchObject({
        status: 'failed',
        error: {
          code: 'rights_lost',
          message: 'the credential of the request has ended, or now has fewer rights',
        },
      });
      expect(await stored(sample)).toBe(0);
    }
  },
);

test.skipIf(!canRun)('a production that another user has requested runs for them', async () => {
  const [first, second] = [await newKey(), await newKey('project_lead')];
  const id = await ask(first, 'shared');
  expect(await ask(second, 'shared')).toBe(id);
  await isRunning(id);
  await revoke(first);
  expect(await ended(server, id)).toMatchObject({ status: 'completed', requested_by: `user:asker${keys}` });
  expect(await stored('shared')).toBe(1);
});

test.skipIf(!canRun)(
  'an entity gives a workflow no file that it held in another project, whatever address is written into it',
  async () => {
    await addSchema(server, { ...GREETING, name: 'Letter' });
    await addSchema(server, { ...GREETING, name: 'Copied' });
    await addRule(
      server,
      'copy',
      shell(
        'cat $(inputs.letter.path) > out.txt',
        'letter: File\nsample: string',
        "uri: {type: File, outputBinding: {glob: out.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
      ),
      {
        produces: { entity_type: 'Copied', match: { sample: '{sample}' } },
        requires: [{ ref: 'Letter(sample={sample})' }],
      },
    );
    const hex = createHash('sha256').update('of alpha alone').digest('hex');
    const address = `/api/v1/artifact/files/${hex}`;
    const change = (data: Record<string, unknown>, key = server.key) =>
      server.rest('PUT', '/api/v1/metadata/entities/Letter/letter', { body: { data }, key });
    await server.rest('PUT', address, { body: 'of alpha alone', headers: { 'content-type': 'text/plain' } });
    await server.rest('POST', '/api/v1/metadata/ingest', {
      body: {
        entity_type: 'Letter',
        id: 'letter',
        data: { uri: 'https://example.org/none', sample: 'theirs', project: 'alpha' },
      },
    });
    await server.rest('PUT', '/api/v1/metadata/entities/letter/files/uri', { body: { hash: hex } });
    await change({ uri: 'https://example.org/none' });
    await change({ project: 'beta' });
    const { secret } = await newKey('analyst', 'beta');
    expect((await change({ uri: server.url + address }, secret)).status).toBe(200);
    const { body } = await server.rest('POST', '/api/v1/artifact/produce', {
      key: secret,
      body: { entity_type: 'Copied', criteria: { sample: 'theirs' } },
    });
    expect(await ended(server, body.production_id)).toMatchObject({
      status: 'failed',
      error: { code: 'source_unavailable' },
    });
  },
);

test.skipIf(!canRun)('what a run requests is produced with the rights of its submitter', async () => {
  const key = await newKey();
  const submitted = await server.rest('POST', '/api/v1/workflow/runs', {
    key: key.secret,
    body: { action: { type: 'resolve', entity_type: 'Greeting', criteria: { sample: 'by-run' } } },
  });
  expect(submitted.status, submitted.text).toBe(202);
  const listed = (): Promise<{ body: { productions: { production_id: string }[] } }> =>
    server.rest('GET', '/api/v1/artifact/productions?limit=1');
  let id = '';
  await expect
    .poll(
      async () => {
        const [newest] = (await listed()).body.productions;
        id = newest?.production_id ?? '';
        return JSON.stringify(newest);
      },
      { timeout: 120_000 },
    )
    .toContain('by-run');
  await isRunning(id);
  await revoke(key);
  expect(await ended(server, id)).toMatchObject({ status: 'failed', error: { code: 'rights_lost' } });
  expect(await stored('by-run')).toBe(0);
});
