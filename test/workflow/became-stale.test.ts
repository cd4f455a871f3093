// docs/reference/workflow.md#stale-results: a result that became stale fires, once, with what it is and why.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plant } from '../artifact/planted-results.ts';
import { addRule, addSchema, shell } from '../artifact/production-testkit.ts';
import { field } from '../artifact/schema-field.ts';
import { addGreetings } from '../artifact/staleness-testkit.ts';
import { askWhy, kindsOf, nodeOf } from '../gateway/why-testkit.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { allRuns, eventually } from './workflow-server.ts';

// nothing is made anew, so that what is stale stays stale
const CONFIG = `artifact: {runner: {type: cwltool, command: /nowhere/cwltool}}
workflow:
  triggers:
    - {name: greetings, type: event, event: became_stale, entity_type: Greeting, filter: 'data.sample != "quiet"', interval_seconds: 1, action: {type: resolve, entity_type: Greeting, criteria: {sample: '{entity.sample}'}, reuse: fresh}}
    - {name: echoes, type: event, event: became_stale, rule: echo, interval_seconds: 1, action: {type: resolve, entity_type: Echo, criteria: {sample: '{entity.sample}'}}}
    - {name: pairs, type: event, event: became_stale, entity_type: Pair, interval_seconds: 1, action: {type: resolve, entity_type: Pair, criteria: {sample: '{entity.sample}'}}}
    - {name: shouts, type: event, event: became_stale, entity_type: Shout, interval_seconds: 1, action: {type: resolve, entity_type: Shout, criteria: {sample: '{entity.sample}'}, parameters: {mood: '{entity.sample}'}, reuse: fresh}}
    - {name: of-alpha, type: event, event: became_stale, project: alpha, entity_type: Greeting, interval_seconds: 1, action: {type: resolve, entity_type: Greeting, criteria: {sample: '{entity.sample}'}}}
`;

const PAIR = shell(
  'echo $(inputs.reads) $(inputs.volume) > out.txt',
  'sample: string\nreads: string\nvolume: string',
  "uri: {type: File, outputBinding: {glob: out.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
);

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ config: CONFIG });
  await addGreetings(server);
});
afterAll(() => server[Symbol.asyncDispose]());

const write = async (sample: string, data: Record<string, unknown>): Promise<string> => {
  const body = { entity_type: 'Sample', id: sample, data: { name: sample, ...data } };
  const { status, text, headers } = await server.rest('POST', '/api/v1/metadata/ingest', { body });
  if (status !== 200) throw new Error(text);
  return headers.get('x-request-id') ?? '';
};
const make = (entityType: string, id: string, sample: string): Promise<string> =>
  plant(server, {
    entityType,
    id,
    data: { sample, uri: `https://files.example/${id}` },
    criteria: { sample },
  });
interface Run {
  readonly run_id: string;
  readonly cause: {
    readonly event: string;
    readonly entity: { readonly id: string; readonly since: string };
  };
  readonly action: Record<string, unknown>;
}
interface Observation {
  readonly kind: string;
  readonly verdict: string;
  readonly subject: Run['cause'];
}
/** Without the polls that could not work, because the server starts before the type is registered. */
const aboutEntities = (all: readonly Partial<Observation & { subject: object }>[]): Observation[] =>
  all.filter((one): one is Observation => one.subject !== undefined && 'entity' in one.subject);
const runsOf = async (trigger: string): Promise<Run[]> =>
  Promise.all(
    (await allRuns(server, trigger)).map(
      async ({ run_id: id }) => (await server.rest('GET', `/api/v1/workflow/runs/${id}`)).body as Run,
    ),
  );
const firedOf = async (trigger: string): Promise<string[]> =>
  (await runsOf(trigger)).map(({ cause }) => cause.entity.id);

test('fires once for each time that it became stale, by type, rule and filter', async () => {
  for (const sample of ['s1', 'quiet']) {
    await write(sample, { reads: 'a' });
    await make('Greeting', `g-${sample}`, sample);
    await make('Echo', `e-${sample}`, sample);
  }
  for (const sample of ['s1', 'quiet']) await write(sample, { reads: 'b' });
  await eventually(
    () => firedOf('greetings'),
    (ids) => ids.length === 1,
  );
  await eventually(
    () => firedOf('echoes'),
    (ids) => ids.length === 2,
  );
  const [run] = await runsOf('greetings');
  expect(run).toMatchObject({
    cause: { event: 'became_stale', entity: { id: 'g-s1', version: 1, rule: 'greet@1' } },
    action: { type: 'resolve', criteria: { sample: 's1' }, reuse: 'fresh' },
  });
  await write('s1', { reads: 'c' }); // it is stale already
  await sleep(2500);
  expect(await firedOf('greetings')).toEqual(['g-s1']);
  expect((await firedOf('echoes')).toSorted()).toEqual(['e-quiet', 'e-s1']);
  await write('s1', { reads: 'a' }); // fresh again, and stale again
  await sleep(1500);
  await write('s1', { reads: 'd' });
  await eventually(
    () => firedOf('greetings'),
    (ids) => ids.length === 2,
  );
  const sinces = (await runsOf('greetings')).map(({ cause }) => cause.entity.since);
  expect(new Set(sinces).size).toBe(2);
});

test('asks for it as it was made, but for the parameters that the action gives', async () => {
  const texts = (...names: string[]) => names.map((name) => field(name, 'string'));
  await addSchema(server, { name: 'Shout', version: '1', fields: [...texts('sample'), field('uri', 'uri')] });
  await addRule(server, 'shout', PAIR.replace('volume: string', 'volume: string\n  mood: string'), {
    produces: { entity_type: 'Shout', match: { sample: '{sample}' } },
    requires: [{ ref: 'Sample(name={sample})' }],
  });
  await write('loud', { reads: 'a' });
  await plant(server, {
    entityType: 'Shout',
    id: 'shout',
    data: { sample: 'loud', uri: 'https://files.example/shout' },
    criteria: { sample: 'loud' },
    parameters: { volume: '{entity.id}', mood: 'good' },
  });
  await write('loud', { reads: 'b' });
  const [run] = await eventually(
    () => runsOf('shouts'),
    (runs) => runs.length === 1,
  );
  expect(run?.action['parameters']).toEqual({ volume: '{entity.id}', mood: 'loud' });
  expect(run?.action['as_made']).toEqual(['volume']);
});

test('is observed, also where the filter is false, and tried on what is stale', async () => {
  const { body } = await server.rest('GET', '/api/v1/workflow/triggers/greetings/observations?limit=10');
  const found = aboutEntities(body.observations).map(({ kind, verdict, subject }) => [
    kind,
    verdict,
    subject.entity.id,
  ]);
  expect(found).toContainEqual(['event', 'fired', 'g-s1']);
  expect(found).toContainEqual(['event', 'condition_false', 'g-quiet']);
  const evaluate = (sent: object) =>
    server.rest('POST', '/api/v1/workflow/triggers/greetings/evaluate', { body: sent });
  const { body: trigger } = await server.rest('GET', '/api/v1/workflow/triggers/greetings');
  expect(trigger).toMatchObject({
    status: 'polling',
    definition: { type: 'event', event: 'became_stale', entity_type: 'Greeting', lookback_seconds: 3600 },
  });
  expect((await evaluate({ condition: 'data.(' })).status).toBe(422);
  if (process.env['CAIRN_TEST_TRANSPORT'] === 'http') {
    // a component of its own asks metadata alone
    expect((await evaluate({})).body).toMatchObject({ error: 'component_unavailable' });
    return;
  }
  expect(trigger.cursor).toEqual(expect.any(String));
  expect((await evaluate({})).body).toMatchObject({
    condition: 'data.sample != "quiet"',
    would_fire: 1,
    trials: [
      { subject: { entity: { id: 'g-quiet' } }, verdict: 'condition_false' },
      { subject: { event: 'became_stale', entity: { id: 'g-s1' } }, verdict: 'fired' },
    ],
  });
  expect((await evaluate({ condition: 'true' })).body).toMatchObject({ would_fire: 2 });
  expect((await evaluate({ as_of: '2020-01-01T00:00:00Z' })).body).toMatchObject({ trials: [] });
});

test('is in the chain of causes, from the run to the change and its request, and back', async () => {
  const request = await write('w1', { reads: 'a' }).then(async () => {
    await make('Greeting', 'g-w1', 'w1');
    return write('w1', { reads: 'b' });
  });
  const runs = await eventually(
    async () => (await runsOf('greetings')).filter(({ cause }) => cause.entity.id === 'g-w1'),
    (all) => all.length === 1,
  );
  const id = runs[0]?.run_id ?? '';
  const back = await askWhy(server, `run:${id}`, {}, server.key);
  const stale = nodeOf(back, 'STALE_RESULT');
  expect(stale).toMatchObject({ name: 'g-w1', depth: 1, details: { trigger_name: 'greetings' } });
  expect(back?.links).toContainEqual({ cause: 'version:2:w1', effect: stale?.key, kind: 'OUTDATED' });
  expect(back?.links).toContainEqual({ cause: 'version:1:g-w1', effect: stale?.key, kind: 'FOUND' });
  expect(kindsOf(back)).toEqual(expect.arrayContaining(['VERSION', 'EVENT', 'REQUEST']));
  expect(back?.nodes.map(({ key }) => key)).toContain(`request:${request}`);
  const forward = await askWhy(server, 'version:2:w1', { direction: 'FORWARD' }, server.key);
  expect(forward?.nodes.map(({ key }) => key)).toEqual(expect.arrayContaining([stale?.key, `run:${id}`]));
});

test('acts in the project of its trigger alone, and what others have is not told', async () => {
  const [alpha, beta] = await Promise.all(
    ['alpha', 'beta'].map((project) => server.newKey({ role: 'viewer', project })),
  );
  const ids: Readonly<Record<string, string>> = { alpha: 'p-alpha', beta: 'p-beta' };
  for (const [project, sample] of Object.entries(ids)) {
    await write(sample, { reads: 'a', project });
    await make('Greeting', `g-${sample}`, sample);
    await write(sample, { reads: 'b', project });
  }
  await eventually(
    () => firedOf('greetings'),
    (fired) => ['g-p-alpha', 'g-p-beta'].every((id) => fired.includes(id)),
  );
  await eventually(
    () => firedOf('of-alpha'),
    (fired) => fired.includes('g-p-alpha'),
  );
  await sleep(1500);
  expect(await firedOf('of-alpha')).not.toContain('g-p-beta');
  const run = (await runsOf('of-alpha')).find(({ cause }) => cause.entity.id === 'g-p-alpha');
  const seen = async (key = '') => (await askWhy(server, `run:${run?.run_id}`, {}, key))?.nodes ?? null;
  expect((await seen(alpha))?.map(({ key }) => key)).toContain('version:2:p-alpha');
  expect(await seen(beta)).toBeNull();
});

test('tells nobody of a change that they do not see: neither by its run nor by what it observed', async () => {
  await addSchema(server, {
    name: 'Greeting',
    version: '2',
    fields: [field('uri', 'uri'), field('sample', 'string'), field('project', 'string')],
  });
  const beta = await server.newKey({ role: 'analyst', project: 'beta' });
  for (const sample of ['seen', 'moved']) {
    await write(sample, { reads: 'a', project: 'beta' });
    await plant(server, {
      entityType: 'Greeting',
      id: `g-${sample}`,
      data: { sample, uri: `https://files.example/${sample}`, project: 'beta' },
      criteria: { sample },
    });
  }
  await write('seen', { reads: 'b', project: 'beta' });
  await write('moved', { reads: 'b', project: 'alpha' });
  await eventually(
    () => firedOf('greetings'),
    (ids) => ids.includes('g-seen') && ids.includes('g-moved'),
  );
  const { body } = await server.rest('GET', '/api/v1/workflow/triggers/greetings/observations?limit=1000', {
    key: beta,
  });
  const observed = aboutEntities(body.observations).map(({ subject }) => subject.entity.id);
  expect(observed).toEqual(['g-seen']);
  const statuses: Record<string, number> = {};
  for (const { run_id: id, cause } of await runsOf('greetings'))
    statuses[cause.entity.id] = (
      await server.rest('GET', `/api/v1/workflow/runs/${id}`, { key: beta })
    ).status;
  expect(statuses).toMatchObject({ 'g-seen': 200, 'g-moved': 404, 'g-s1': 404 });
});

test('keeps no cause that the members who see its run do not see', async () => {
  const texts = (...names: string[]) => names.map((name) => field(name, 'string'));
  await addSchema(server, { name: 'Extra', version: '1', fields: texts('name', 'volume', 'project') });
  await addSchema(server, {
    name: 'Pair',
    version: '1',
    fields: [field('uri', 'uri'), ...texts('sample', 'project')],
  });
  await addRule(server, 'pair', PAIR, {
    produces: { entity_type: 'Pair', match: { sample: '{sample}' } },
    requires: [{ ref: 'Sample(name={sample})' }, { ref: 'Extra(name={sample})' }],
  });
  const extra = async (volume: string, project: string): Promise<void> => {
    const body = { entity_type: 'Extra', id: 'extra', data: { name: 'both', volume, project } };
    const { status, text } = await server.rest('POST', '/api/v1/metadata/ingest', { body });
    if (status !== 200) throw new Error(text);
  };
  await write('both', { reads: 'a', project: 'beta' });
  await extra('low', 'beta');
  const data = { sample: 'both', uri: 'https://files.example/both', project: 'beta' };
  await plant(server, { entityType: 'Pair', id: 'pair', data, criteria: { sample: 'both' } });
  await server.rest('POST', '/api/v1/workflow/triggers/pairs/pause', { body: {} });
  await server.rest('POST', '/api/v1/metadata/entities/both/availability', { body: { is_available: false } });
  await extra('high', 'alpha');
  await server.rest('POST', '/api/v1/workflow/triggers/pairs/resume', { body: {} });
  await eventually(
    () => firedOf('pairs'),
    (ids) => ids.includes('pair'),
  );
  const { rows } = await server.database.pool.query<{ causes: string[] }>(
    `SELECT causes FROM workflow.firing WHERE trigger_name = 'pairs'`,
  );
  expect(rows.map(({ causes }) => causes)).toEqual([['version:1:pair', 'version:1:both']]);
});

test('a paused one goes on from where it was', async () => {
  await server.rest('POST', '/api/v1/workflow/triggers/greetings/pause', { body: {} });
  await write('later', { reads: 'a' });
  await make('Greeting', 'g-later', 'later');
  await write('later', { reads: 'b' });
  await sleep(2500);
  expect(await firedOf('greetings')).not.toContain('g-later');
  await server.rest('POST', '/api/v1/workflow/triggers/greetings/resume', { body: {} });
  await eventually(
    () => firedOf('greetings'),
    (ids) => ids.includes('g-later'),
  );
});
