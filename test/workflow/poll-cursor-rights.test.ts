// Poll cursors name entities of every project and decide what is polled: members of some projects can neither
// see nor change them, and results of a project's trigger are visible to its members only.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { asSuperuser } from '../testkit/database.ts';
import { callerWith, freshMetadata } from '../testkit/metadata.ts';
import type { TestServer } from '../testkit/server.ts';
import { eventually, settledRun, workflowServer } from './workflow-server.ts';

const CURSOR = 'poll-cursor:seen';
let server: TestServer;
const keys: Record<string, string> = {};

beforeAll(async () => {
  server = await workflowServer(`workflow:
  triggers:
    - {name: seen, type: metadata_poll, poll: {entity_type: Sample, filter: 'label == "poll me"', interval_seconds: 1}, action: {type: resolve, entity_type: Sample, criteria: {label: made}}}
    - {name: of-beta, type: manual, project: beta, action: {type: resolve, entity_type: Sample, criteria: {label: 'poll me'}}}
`);
  for (const [name, role, project] of [
    ['viewer', 'viewer', 'alpha'],
    ['analyst', 'analyst', 'alpha'],
    ['lead', 'project_lead', 'alpha'],
    ['service', 'service', 'alpha'],
    ['everywhere', 'analyst', undefined],
    ['beta', 'viewer', 'beta'],
  ] as const)
    keys[name] = await server.newKey({ role, label: name, ...(project === undefined ? {} : { project }) });
  await server.rest('POST', '/api/v1/metadata/ingest', {
    body: { entity_type: 'Sample', data: { id: 'b1', label: 'poll me', project: 'beta' } },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

const polled = (): Promise<unknown> =>
  eventually(
    () => server.rest('GET', `/api/v1/metadata/entities/${CURSOR}`),
    ({ body }) => body.data?.data.last_entity_id === 'b1',
  );

test("a poll's cursor, and what it was, is shown to those of all projects alone", async () => {
  await polled();
  for (const name of ['viewer', 'analyst', 'lead', 'service']) {
    const key = keys[name] ?? null;
    for (const target of [`entities/${CURSOR}`, `entities/${CURSOR}/history`])
      expect((await server.rest('GET', `/api/v1/metadata/${target}`, { key })).status).toBe(404);
    const listed = await server.rest('GET', '/api/v1/metadata/entities?entity_type=PollCursor', { key });
    expect(listed.body.data).toMatchObject({ items: [], total: 0 });
    const { body } = await server.rest('GET', '/api/v1/workflow/triggers', { key });
    expect(body.seen.cursor).toBeNull();
  }
  const { body } = await server.rest('GET', '/api/v1/workflow/triggers');
  expect(body.seen.cursor).not.toBeNull();
});

test('nobody but services and administrators of all projects moves it, and its id is not taken by others', async () => {
  await polled();
  const data = { trigger_name: 'seen', last_updated_at: '2099-01-01T00:00:00Z' };
  for (const [name, status] of [
    ['viewer', 403],
    ['analyst', 404],
    ['lead', 404],
    ['service', 404],
    ['everywhere', 403],
  ] as const) {
    const key = keys[name] ?? null;
    const put = await server.rest('PUT', `/api/v1/metadata/entities/PollCursor/${CURSOR}`, {
      key,
      body: { data },
    });
    expect([name, put.status]).toEqual([name, status]);
    const ingested = await server.rest('POST', '/api/v1/metadata/ingest', {
      key,
      body: { entity_type: 'PollCursor', data: { id: 'poll-cursor:next', ...data } },
    });
    expect([name, ingested.status]).toEqual([name, 403]);
  }
  const taken = await server.rest('POST', '/api/v1/metadata/ingest', {
    body: { entity_type: 'Sample', data: { id: 'poll-cursor:next', label: 'mine' } },
  });
  expect([taken.status, taken.body.error.message]).toEqual([
    422,
    'ids with this prefix are reserved for Cairn: poll-cursor:next',
  ]);
  await expect(
    server.rest('POST', '/api/v1/metadata/ingest', {
      body: { entity_type: 'Sample', data: { label: 'x', project: '(platform)' } },
    }),
  ).resolves.toMatchObject({ status: 422 });
});

test("the status of a project's trigger is shown to its members alone", async () => {
  const { body: started } = await server.rest('POST', '/api/v1/workflow/triggers/of-beta/run');
  await settledRun(server, started.run_id);
  const seenBy = async (name: string): Promise<unknown> =>
    (await server.rest('GET', '/api/v1/workflow/triggers', { key: keys[name] ?? null })).body['of-beta'];
  await eventually(
    () => seenBy('beta'),
    (told) => (told as { last_run: string | null }).last_run !== null,
  );
  expect(await seenBy('viewer')).toEqual({ status: 'idle', last_run: null, last_result: null });
});

test('earlier cursors are hidden, too, in current and past states', async () => {
  await using metadata = await freshMetadata();
  const definition = {
    name: 'PollCursor',
    version: '1',
    fields: [{ name: 'last_entity_id', field_type: 'string' }],
  };
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', { d: definition });
  for (const last of ['b1', 'b2'])
    await metadata.ask(
      'mutation($d: JSON!) { ingestEntity(entityType: "PollCursor", id: "poll-cursor:x", data: $d) { id } }',
      { d: { last_entity_id: last } },
    );
  const migration = readFileSync(
    path.join(projectRoot, 'prisma/migrations/20261128100000_poll_cursors_are_the_platforms/migration.sql'),
    'utf8',
  );
  const database = new URL(metadata.database.url).pathname.slice(1);
  await asSuperuser(
    `ALTER TABLE metadata.entity_history DISABLE TRIGGER entity_history_no_update;
     UPDATE metadata.entity_history SET project = NULL;
     ALTER TABLE metadata.entity_history ENABLE ALWAYS TRIGGER entity_history_no_update;
     UPDATE metadata.entity SET project = NULL`,
    database,
  );
  await asSuperuser(migration, database);
  const viewer = callerWith('viewer', ['alpha']);
  expect(
    await metadata.ask('{ entities(entityType: "PollCursor") { total items { id } } }', {}, viewer),
  ).toEqual({ total: 0, items: [] });
  expect(
    await metadata.ask('{ entityHistory(entityId: "poll-cursor:x") { payload } }', {}, viewer),
  ).toBeNull();
  const { rows } = await metadata.database.pool.query(
    'SELECT project FROM metadata.entity UNION ALL SELECT project FROM metadata.entity_history',
  );
  expect(rows).toEqual([{ project: '(platform)' }, { project: '(platform)' }]);
});
