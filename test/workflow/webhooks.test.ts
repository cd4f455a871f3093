// docs/reference/workflow.md#webhooks: deliveries to the whole platform, over HTTP and without a credential.
import { createHmac } from 'node:crypto';
import { beforeAll, afterAll, expect, test } from 'vitest';
import { trigger } from '../../platform/config/trigger-definition.ts';
import { receive, type WebhookTrigger } from '../../subgraphs/workflow/webhooks/webhook.service.ts';
import type { TestServer } from '../testkit/server.ts';
import { pino } from 'pino';
import { allRuns, workflowServer } from './workflow-server.ts';

const SECRET = 'hush-hush';
const STANDARD = `whsec_${Buffer.from('a standard secret').toString('base64')}`;

let server: TestServer;
beforeAll(async () => {
  server = await workflowServer(
    `workflow:
  triggers:
    - {name: lab, type: webhook, path: hooks/lab, secret_env: [LAB_OLD, LAB_NEW], action: {type: ingest, adapter: none}}
    - {name: brief, type: webhook, path: hooks/brief, secret_env: LAB_NEW, idempotency_window_seconds: 600, action: {type: ingest, adapter: none}}
    - {name: picky, type: webhook, path: hooks/picky, secret_env: LAB_NEW, when: 'event.kind == "done" && kind.size() == 4', action: {type: ingest, adapter: none}}
    - {name: standard, type: webhook, path: hooks/standard, secret_env: LAB_STANDARD, signature: standard, action: {type: ingest, adapter: none}}
  adapters:
    - {name: none, type: csv, entity_type: Sample, source: /nowhere.csv, map: {id: row.id}}
`,
    { LAB_OLD: 'old-one', LAB_NEW: SECRET, LAB_STANDARD: STANDARD },
  );
});
afterAll(() => server[Symbol.asyncDispose]());

const sign = (body: string, secret = SECRET): Record<string, string> => ({
  'x-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
});
const deliver = (hook: string, body: string, headers: Record<string, string> = sign(body)) =>
  server.rest('POST', `/api/v1/workflow/hooks/${hook}`, { key: null, body, headers });

test('a good signature and no condition: the action runs, and the run says which delivery it was', async () => {
  const answer = await deliver('lab', '{"a":1}');
  expect(answer).toMatchObject({ status: 200, body: { run_id: expect.any(String), status: 'accepted' } });
  const { body } = await server.rest('GET', `/api/v1/workflow/runs/${answer.body.run_id}`);
  expect(body).toMatchObject({
    trigger_name: 'lab',
    trigger_type: 'webhook',
    cause: {
      delivery: { digest: expect.stringMatching(/^sha256:[\da-f]{64}$/), request_id: expect.any(String) },
    },
  });
  // any of the secrets
  expect((await deliver('lab', '{"a":"old"}', sign('{"a":"old"}', 'old-one'))).body.status).toBe('accepted');
});

test('a missing or wrong signature is 403, also where the JSON is malformed; nothing runs', async () => {
  const before = (await allRuns(server, 'lab')).length;
  const body = '{"b":1}';
  const good = sign(body)['x-signature'] ?? '';
  for (const headers of [
    {},
    { 'x-signature': '' },
    { 'x-signature': 'sha256=' },
    { 'x-signature': good.slice(0, -1) },
    { 'x-signature': good.slice(7) },
    { 'x-signature': `${good}00` },
    { 'x-signature': good.replace('sha256', 'SHA256') },
    sign(body, 'other'),
    sign('{"b":2}'),
  ]) {
    expect(await deliver('lab', body, headers), JSON.stringify(headers)).toMatchObject({
      status: 403,
      body: { error: 'signature_invalid', request_id: expect.any(String) },
    });
  }
  expect((await deliver('lab', '{broken', {})).status).toBe(403);
  expect(await deliver('lab', '{broken')).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  expect((await deliver('lab', '')).status).toBe(400);
  expect((await allRuns(server, 'lab')).length).toBe(before);
});

test('an invalid delivery is refused also while the store is unavailable', async () => {
  const away = {
    query: () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })),
  };
  const lab = trigger({ env: { S: SECRET }, directory: '/' }).parse({
    name: 'lab',
    type: 'webhook',
    path: 'hooks/lab',
    secret_env: 'S',
    action: { type: 'ingest', adapter: 'a' },
  }) as WebhookTrigger;
  const send = (body: string, headers: Record<string, string>) =>
    receive(
      lab,
      { body: Buffer.from(body), header: (name) => headers[name], requestId: 'r', ip: '127.0.0.1' },
      { db: away, transact: (work) => work(away), log: pino({ level: 'silent' }) },
    );
  await expect(send('{}', {})).rejects.toMatchObject({ code: 'signature_invalid' });
  await expect(send('{', sign('{'))).rejects.toMatchObject({ code: 'invalid_request' });
  // one that would run is not acknowledged
  await expect(send('{}', sign('{}'))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('fifty equal deliveries at once give one run; the others are told which', async () => {
  const before = (await allRuns(server, 'lab')).length;
  const answers = await Promise.all(Array.from({ length: 50 }, () => deliver('lab', '{"c":1}')));
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  expect(new Set(answers.map((answer) => answer.body.run_id)).size).toBe(1);
  expect(answers.filter((answer) => answer.body.status === 'accepted')).toHaveLength(1);
  expect(answers.filter((answer) => answer.body.status === 'duplicate')).toHaveLength(49);
  expect((await allRuns(server, 'lab')).length).toBe(before + 1);
});

test('the digest is of the bytes, belongs to one trigger, and is kept though the run fails; after the window it runs again', async () => {
  const first = await deliver('brief', '{"d":1}');
  expect((await deliver('brief', '{"d": 1}')).body.status).toBe('accepted');
  expect((await deliver('lab', '{"d":1}')).body.status).toBe('accepted');
  expect((await deliver('brief', '{"d":1}')).body).toEqual({
    run_id: first.body.run_id,
    status: 'duplicate',
  });
  await server.database.pool.query(
    "UPDATE workflow.delivery SET accepted_at = accepted_at - interval '601 seconds' WHERE trigger_name = 'brief'",
  ); // its window ends
  const later = await Promise.all(Array.from({ length: 10 }, () => deliver('brief', '{"d":1}')));
  expect(later.filter((answer) => answer.body.status === 'accepted')).toHaveLength(1);
  expect(later.every((answer) => answer.body.run_id !== first.body.run_id)).toBe(true);
});

test('a condition that is false, or errors, skips the action: 200, logged as skipped', async () => {
  expect((await deliver('picky', '{"kind":"done"}')).body.status).toBe('accepted');
  for (const body of ['{"kind":"begun"}', '{}', '[]', '7', '{"kind":4}']) {
    expect(await deliver('picky', body), body).toMatchObject({
      status: 200,
      body: { run_id: null, status: 'skipped' },
    });
  }
  expect((await allRuns(server, 'picky')).map((run) => run.status).slice(1)).toEqual(
    Array(5).fill('skipped'),
  );
});

test('Standard Webhooks: id, time and body are signed; an old or unsigned time is refused', async () => {
  const signed = (
    body: string,
    seconds = Math.floor(Date.now() / 1000),
    id = 'msg_1',
  ): Record<string, string> => ({
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,bm90aGluZw== v1,${createHmac('sha256', 'a standard secret').update(`${id}.${seconds}.${body}`).digest('base64')}`,
  });
  expect((await deliver('standard', '{"e":1}', signed('{"e":1}'))).body.status).toBe('accepted');
  const now = Math.floor(Date.now() / 1000);
  for (const headers of [
    sign('{"e":2}', STANDARD),
    signed('{"e":2}', now - 400),
    signed('{"e":2}', now + 400),
    { ...signed('{"e":2}'), 'webhook-id': 'msg_2' },
    { ...signed('{"e":2}'), 'webhook-timestamp': String(now - 1) },
  ]) {
    expect((await deliver('standard', '{"e":2}', headers)).status).toBe(403);
  }
});

test("another method is 405, another path the component's 404 or 401, and a body over the limit 413", async () => {
  const got = await server.rest('GET', '/api/v1/workflow/hooks/lab', { key: null });
  expect(got).toMatchObject({ status: 405, body: { error: 'method_not_allowed' } });
  expect(got.headers.get('allow')).toBe('POST');
  expect((await server.rest('POST', '/api/v1/workflow/hooks/none', { key: null, body: '{}' })).status).toBe(
    401,
  );
  const large = JSON.stringify('x'.repeat(1 << 20));
  expect((await deliver('lab', large)).status).toBe(413);
});
