// Observations of triggers with the values in their conditions; dry runs; and redelivery.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, TestServer } from '../testkit/server.ts';
import { allRuns, eventually, settledRun, workflowServer } from './workflow-server.ts';

const SECRET = 'hush';
let server: TestServer;
beforeAll(async () => {
  server = await workflowServer(
    `workflow:
  triggers:
    - {name: hook, type: webhook, path: hooks/lab, secret_env: LAB, when: 'event.kind == "done" && event.sample.n > 3', on_failure: {emit: broke}, action: {type: ingest, adapter: none}}
    - {name: after, type: internal_event, event: broke, action: {type: ingest, adapter: none}}
    - {name: seen, type: metadata_poll, poll: {entity_type: Sample, filter: 'n > 10', interval_seconds: 1}, action: {type: ingest, adapter: none}}
    - {name: berlin, type: schedule, schedule: "30 2 * * *", timezone: Europe/Berlin, action: {type: ingest, adapter: none}}
    - {name: yearly, type: schedule, schedule: "0 0 1 1 *", action: {type: ingest, adapter: none}}
  adapters:
    - {name: none, type: csv, entity_type: Sample, source: /nowhere.csv, map: {id: row.id}}
`,
    { LAB: SECRET },
  );
});
afterAll(() => server[Symbol.asyncDispose]());

const deliver = (body: string, secret = SECRET): Promise<Answer> =>
  server.rest('POST', '/api/v1/workflow/hooks/lab', {
    key: null,
    body,
    headers: { 'x-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` },
  });
const observations = async (trigger: string, query = ''): Promise<Answer['body'][]> => {
  const { status, body, text } = await server.rest(
    'GET',
    `/api/v1/workflow/triggers/${trigger}/observations${query}`,
  );
  expect(status, text).toBe(200);
  return (body as { observations: Answer['body'][] }).observations;
};
const trial = (trigger: string, body?: unknown, key?: string): Promise<Answer> =>
  server.rest('POST', `/api/v1/workflow/triggers/${trigger}/evaluate`, {
    body,
    ...(key === undefined ? {} : { key }),
  });

test('every delivery is recorded with its verdict and the values that the condition used', async () => {
  const fired = await deliver('{"kind":"done","sample":{"n":5},"noise":1}');
  await deliver('{"kind":"done","sample":{"n":5},"noise":1}');
  await deliver('{"kind":"done","sample":{"n":2}}');
  await deliver('{"kind":"done"}');
  await deliver('{"kind":');
  for (let i = 0; i < 3; i++) await deliver('{}', 'wrong');
  const every = await observations('hook');
  const refused = every.filter((one) => one.verdict === 'refused'); // one per minute
  expect(refused.reduce((sum, one) => sum + Number(one.times), 0)).toBe(3);
  const all = every.filter((one) => one.verdict !== 'refused');
  expect(all.map((one) => [one.verdict, one.seen])).toEqual(
    [
      ['malformed', {}],
      ['condition_error', { 'event.kind': 'done' }],
      ['condition_false', { 'event.kind': 'done', 'event.sample.n': 2 }],
      ['duplicate', { 'event.kind': 'done', 'event.sample.n': 5 }],
      ['fired', { 'event.kind': 'done', 'event.sample.n': 5 }],
    ].map(([verdict, seen]) => [verdict, seen]),
  );
  expect(refused.at(0)).toMatchObject({ kind: 'delivery', subject: { request_id: expect.any(String) } });
  expect(all.at(-1)).toMatchObject({
    run: { run_id: fired.body.run_id },
    subject: { digest: expect.stringMatching(/^sha256:/) },
    delivery_id: expect.any(String),
  });
  expect(all.at(-2)).toMatchObject({ run: { run_id: fired.body.run_id }, delivery_id: null });
  expect(all.at(1)?.reason).toContain('sample');
});

test('an event is recorded with the run that emitted it, a request with its caller', async () => {
  const [hook] = await allRuns(server, 'hook');
  await settledRun(server, hook.run_id);
  const [event] = await eventually(
    () => observations('after'),
    (all) => all.length > 0,
  );
  expect(event).toMatchObject({
    kind: 'event',
    verdict: 'fired',
    subject: { event: 'broke', run_id: hook.run_id },
    run: { run_id: expect.any(String) },
  });
  const { body } = await server.rest('POST', '/api/v1/workflow/triggers/yearly/run');
  expect(await observations('yearly')).toMatchObject([
    { kind: 'request', verdict: 'fired', subject: { actor: 'user:admin' }, run: { run_id: body.run_id } },
  ]);
});

test('a webhook, or an edited condition, is evaluated against the stored deliveries: nothing runs', async () => {
  const ids = async (): Promise<unknown[]> => (await allRuns(server)).map((run) => run.run_id);
  const before = await ids();
  expect((await trial('hook')).body).toMatchObject({
    condition: 'event.kind == "done" && event.sample.n > 3',
    would_fire: 1,
    trials: [{ verdict: 'condition_error' }, { verdict: 'condition_false' }, { verdict: 'fired' }],
  });
  const edited = await trial('hook', { condition: 'event.kind == "done"' });
  expect(edited.body).toMatchObject({
    would_fire: 3,
    trials: [
      {
        seen: { 'event.kind': 'done' },
        subject: { delivery_id: expect.any(String), received_at: expect.any(String) },
      },
      {},
      {},
    ],
  });
  expect((await trial('hook', { as_of: '2020-01-01T00:00:00Z' })).body).toMatchObject({
    would_fire: 0,
    trials: [],
  });
  expect(await trial('hook', { condition: 'event.kind ==' })).toMatchObject({
    status: 422,
    body: { error: 'validation_failed' },
  });
  expect(await trial('hook', { as_of: 'yesterday' })).toMatchObject({ status: 400 });
  expect(await trial('after')).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('no condition') },
  });
  expect(await trial('none')).toMatchObject({ status: 404 });
  expect(await ids()).toEqual(before);
});

test('a poll is evaluated over entities as of the time, without those that the caller may not see', async () => {
  const put = (data: Record<string, unknown>) =>
    server.rest('POST', '/api/v1/metadata/ingest', { body: { entity_type: 'Sample', data } });
  await put({ id: 'p1', n: 20 });
  const then = (await put({ id: 'p2', n: 3 })).body.data.updated_at as string;
  await put({ id: 'p2', n: 30 });
  await eventually(
    () => observations('seen', '?verdict=fired'),
    (all) => all.length >= 2,
  );
  const [fired] = await observations('seen', '?verdict=fired&limit=1');
  expect(fired).toMatchObject({
    kind: 'entity',
    subject: { entity: { id: 'p2', version: 2 } },
    seen: { n: 30 },
  });

  const at = await trial('seen', { as_of: then });
  expect(at.body).toMatchObject({
    condition: 'n > 10',
    would_fire: 1,
    trials: [
      { subject: { entity: { id: 'p1' } }, verdict: 'fired', seen: { n: 20 } },
      { subject: { entity: { id: 'p2', version: 1 } }, verdict: 'condition_false', seen: { n: 3 } },
    ],
  });
  expect((await trial('seen')).body).toMatchObject({ would_fire: 2 });
  expect((await trial('seen', { condition: 'n < 0' })).body).toMatchObject({ would_fire: 0 });

  await put({ id: 'p3', n: 99, project: 'alpha' });
  await eventually(
    () => observations('seen', '?verdict=fired'),
    (all) => all.length >= 3,
  );
  const key = await server.newKey({ role: 'analyst', project: 'beta' });
  const shown = (
    await server.rest('GET', '/api/v1/workflow/triggers/seen/observations?verdict=fired', { key })
  ).body.observations;
  expect(shown.map((one: { subject: { entity: { id: string } } }) => one.subject.entity.id)).toEqual([
    'p2',
    'p1',
  ]);
  expect((await trial('seen', {}, key)).body).toMatchObject({ would_fire: 2 });
  expect((await trial('seen')).body).toMatchObject({ would_fire: 3 });

  await server.rest('DELETE', '/api/v1/metadata/entities/p1');
  expect((await trial('seen')).body, 'as a poll that does not ask whether they are available').toMatchObject({
    would_fire: 2,
  });
  expect((await trial('seen', { condition: 'n > 10 && !is_available' })).body).toMatchObject({
    would_fire: 1,
    trials: expect.arrayContaining([
      expect.objectContaining({
        verdict: 'fired',
        subject: { entity: expect.objectContaining({ id: 'p1' }) },
      }),
    ]),
  });
});

test('a schedule is evaluated against the clock', async () => {
  const window = { since: '2026-03-28T12:00:00Z', as_of: '2026-03-30T12:00:00Z' };
  expect((await trial('yearly', window)).body).toMatchObject({ would_fire: 0 });
  expect((await trial('yearly', { ...window, condition: '30 6 * * *' })).body).toMatchObject({
    would_fire: 2,
    trials: [
      { subject: { tick: '2026-03-29T06:30:00.000000Z' } },
      { subject: { tick: '2026-03-30T06:30:00.000000Z' } },
    ],
  });
  const autumn = { since: '2026-10-24T23:00:00Z', as_of: '2026-10-26T12:00:00Z' };
  expect((await trial('berlin', autumn)).body).toMatchObject({
    would_fire: 2,
    trials: [
      { subject: { tick: '2026-10-25T00:30:00.000000Z' } },
      { subject: { tick: '2026-10-26T01:30:00.000000Z' } },
    ],
  }); // half past two occurs twice, and fires once
  expect(await trial('yearly', { condition: '61 * * * *' })).toMatchObject({ status: 422 });
});

test('a stored delivery is delivered again on demand, inside its window, and the run says so', async () => {
  const stored = (await observations('hook', '?verdict=fired')).at(-1);
  const again = await server.rest('POST', `/api/v1/workflow/deliveries/${stored.delivery_id}/redeliver`);
  expect(again).toMatchObject({ status: 200, body: { status: 'accepted', run_id: expect.any(String) } });
  expect((await server.rest('GET', `/api/v1/workflow/runs/${again.body.run_id}`)).body).toMatchObject({
    trigger_name: 'hook',
    cause: { delivery: { redelivery_of: stored.delivery_id }, actor: 'user:admin' },
  });
  const skipped = (await observations('hook', '?verdict=condition_false'))[0];
  expect(
    (await server.rest('POST', `/api/v1/workflow/deliveries/${skipped.delivery_id}/redeliver`)).body,
  ).toEqual({ status: 'skipped', run_id: null });
  expect(await server.rest('POST', '/api/v1/workflow/deliveries/none/redeliver')).toMatchObject({
    status: 404,
  });
  expect(
    await server.rest('POST', `/api/v1/workflow/deliveries/${stored.delivery_id}/redeliver`, {
      key: await server.newKey({ role: 'viewer' }),
    }),
  ).toMatchObject({ status: 403 });
});

test('observations come in pages', async () => {
  const first = await server.rest('GET', '/api/v1/workflow/triggers/hook/observations?limit=2');
  const second = await server.rest(
    'GET',
    `/api/v1/workflow/triggers/hook/observations?limit=2&cursor=${first.body.next_cursor}`,
  );
  const whole = await observations('hook');
  expect([...first.body.observations, ...second.body.observations]).toEqual(whole.slice(0, 4));
  expect(await server.rest('GET', '/api/v1/workflow/triggers/hook/observations?cursor=x')).toMatchObject({
    status: 400,
  });
});
