// docs/reference/metadata.md#why: nodes with many links, chains as they were, and what retention has deleted.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forget } from '../../subgraphs/workflow/runs/retention.store.ts';
import { asSuperuser } from '../testkit/database.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { eventually } from '../workflow/workflow-server.ts';
import { askWhy, type Chain, ingestSample, keysOf, nodeOf, registerSample } from './why-testkit.ts';

let server: TestServer;
let directory: string;
let member: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-then-'));
  await writeFile(path.join(directory, 'rows.jsonl'), '{"id":"imported"}\n');
  server = await startServer({
    config: `observability: {audit_log: {backend: postgres}}
workflow:
  triggers:
    - {name: import, type: manual, action: {type: ingest, adapter: rows}}
  adapters:
    - {name: rows, type: jsonl, entity_type: Sample, source: ${directory}/rows.jsonl, map: {id: row.id}}
`,
  });
  await registerSample(server);
  member = await server.newKey({ role: 'admin', project: 'alpha' });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const sql = (text: string) => server.database.pool.query(text);
const now = async (): Promise<string> => {
  const { body } = await server.graphql('{ basis { time } }');
  return body.data.basis.time as string;
};
const why = (subject: string, more: Record<string, unknown> = {}, key = server.key): Promise<Chain | null> =>
  askWhy(server, subject, more, key);

/** All pages of a chain, joined. */
async function whole(subject: string, more: Record<string, unknown>): Promise<Chain> {
  const [nodes, links]: [Chain['nodes'][number][], Chain['links'][number][]] = [[], []];
  for (let after: string | null = null; ;) {
    const page = await why(subject, { ...more, after });
    nodes.push(...(page?.nodes ?? []));
    links.push(...(page?.links ?? []));
    after = page?.nextCursor ?? null;
    if (after === null) return { nodes, links, nextCursor: null };
  }
}

test('a node with thousands of links is told with all of them, page by page, each once', async () => {
  await sql(`INSERT INTO workflow.run (id, action, cause, caused_by, status, actor, queued_at)
    SELECT 'many', '{}'::jsonb, '{}'::jsonb, NULL, 'success', 'user:x', clock_timestamp() - interval '1 hour'
    UNION ALL SELECT 'run-' || n, '{}', '{"event":"done"}', 'run:many', 'queued', 'user:x', clock_timestamp() - n * interval '1 second' FROM generate_series(1, 2500) n
    UNION ALL SELECT 'last', '{}', '{"event":"other"}', 'run:many', 'queued', 'user:x', clock_timestamp()
    UNION ALL SELECT 'sub', '{}', '{}', 'run:many', 'queued', 'user:x', clock_timestamp()`);
  // As PostgreSQL does at some time by itself: most runs were fired by one then.
  await asSuperuser('ANALYZE workflow.run', new URL(server.database.url).pathname.slice(1));
  for (const first of [700, 1000]) {
    const { nodes, links } = await whole('run:many', { direction: 'FORWARD', first });
    const keys = nodes.map(({ key }) => key);
    expect(keys).toHaveLength(1 + 2 + 2502);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual(
      expect.arrayContaining(['internal_event:other@many', 'run:last', 'run:run-1', 'run:run-2500']),
    );
    const told = links.map((link) => JSON.stringify(link));
    expect(told).toHaveLength(2 + 2501 + 1);
    expect(new Set(told).size).toBe(told.length);
  }
  const { nodes } = await whole('internal_event:done@many', { direction: 'FORWARD', first: 1000 });
  expect(nodes).toHaveLength(2501);
});

test('a chain of the past is what it was: values, rules, runners, and who saw them then', async () => {
  await ingestSample(server, 'moved', { label: 'one', project: 'alpha' });
  await sql(`INSERT INTO artifact.production (id, entity_type, criteria, status, request_key, plan, plan_hash, requested_by)
    VALUES ('made', 'Sample', '{"project":"alpha"}', 'queued', 'k', '{}', 'sha256:${'a'.repeat(64)}', 'user:x');
    INSERT INTO artifact.production_cause (production_id, cause, role) VALUES ('made', 'run:many', 'asked')`);
  const then = await now();
  await ingestSample(server, 'moved', { label: 'two', project: 'beta' });
  await sql(
    `UPDATE artifact.production SET rule = 'stats@1', runner = 'cwltool', plan = '{"projects":["beta"]}', status = 'running'`,
  );
  for (const [subject, name, details] of [
    ['field:label:moved', 'label', { value: 'one', version: 1 }],
    ['entity:moved', 'moved', { version: 1 }],
    ['production:made', 'Sample', { rule: null, runner: null }],
    [`plan:sha256:${'a'.repeat(64)}`, 'Sample', {}],
  ] as const) {
    expect(await why(subject, {}, member), subject).toBeNull();
    const chain = await why(subject, { asOf: then }, member);
    expect(chain?.nodes[0]).toMatchObject({ name, details });
  }
  expect((await why('production:made'))?.nodes[0]).toMatchObject({
    name: 'stats@1',
    details: { runner: 'cwltool' },
  });
  const whoAsked = await server.rest('GET', '/api/v1/gateway/why?subject=production:made', {
    key: member,
    headers: { 'x-as-of': then },
  });
  expect([whoAsked.status, whoAsked.body.nodes[0].details.rule]).toEqual([200, null]);
});

test('what others had before tells nothing of when: a document and a file are as old as what one sees of them', async () => {
  const hash = `sha256:${'d'.repeat(64)}`;
  await sql(`INSERT INTO artifact.cwl_document (hash, content, fetched_at) VALUES ('${hash}', 'x', '2020-01-01T00:00:00Z');
    INSERT INTO artifact.workflow (hash, parsed, documents) VALUES ('${hash}', '{}', '[{"hash":"${hash}"}]');
    INSERT INTO artifact.rule (name, version, definition, status, scope, cwl_hash, workflow_hash, registered_by, registered_at) VALUES
      ('theirs', 1, '{}', 'active', 'user:else', '${hash}', '${hash}', 'user:else', '2020-01-01T00:00:00Z'),
      ('ours', 1, '{}', 'active', 'global', '${hash}', '${hash}', 'user:x', '2026-01-01T00:00:00Z');
    INSERT INTO artifact.stored_object (hash, size, media_type, created_at) VALUES ('${hash}', 1, 'text/plain', '2020-01-01T00:00:00Z');
    INSERT INTO artifact.production (id, entity_type, criteria, status, request_key, plan, requested_by, requested_at, finished_at) VALUES
      ('foreign', 'Sample', '{"project":"beta"}', 'completed', 'k1', '{}', 'user:x', '2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z'),
      ('own', 'Sample', '{"project":"alpha"}', 'completed', 'k2', '{}', 'user:x', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z');
    INSERT INTO artifact.artifact_entity (entity_id, hash, field, production_id) VALUES ('f1', '${hash}', 'uri', 'foreign'), ('o1', '${hash}', 'uri', 'own')`);
  const analyst = await server.newKey({ role: 'analyst', project: 'alpha' });
  const at = async (subject: string, more = {}): Promise<unknown> =>
    (await why(subject, more, analyst))?.nodes[0]?.at ?? null;
  expect(await at(`document:${hash}`)).toBe('2026-01-01T00:00:00.000000Z');
  expect(await at(`file:${hash}`)).toBe('2026-01-02T00:00:00.000000Z');
  // before what they see, there was nothing to see
  for (const subject of [`document:${hash}`, `file:${hash}`])
    expect(await why(subject, { asOf: '2025-12-31T00:00:00Z' }, analyst)).toBeNull();
  expect((await why(`file:${hash}`))?.nodes[0]?.at).toBe('2020-01-01T00:00:00.000000Z');
});

describe('once retention has deleted runs', () => {
  test('a chain says that it went on, in both directions, and looks the same where something is hidden', async () => {
    await ingestSample(server, 'untouched', { label: 'one', project: 'alpha' });
    const runs: string[] = [];
    const requests: string[] = [];
    for (let n = 0; n < 2; n++) {
      await writeFile(path.join(directory, 'rows.jsonl'), `{"id":"imported-${n}"}\n`);
      const { headers, body } = await server.rest('POST', '/api/v1/workflow/triggers/import/run');
      requests.push(`request:${headers.get('x-request-id') ?? ''}`);
      runs.push(body.run_id as string);
      await eventually(
        () => server.rest('GET', `/api/v1/workflow/runs/${body.run_id as string}`),
        (answer) => answer.body.status === 'success',
      );
    }
    const before = await why('version:1:imported-0');
    expect(keysOf(before)).toContain(`run:${runs[0] ?? ''}`);
    expect(nodeOf(before, 'RETENTION')).toBeUndefined();
    expect(await forget(server.database.pool, 'runs', 0)).toBeGreaterThan(0);
    const after = await why('version:1:imported-0');
    const event = nodeOf(after, 'EVENT');
    expect(nodeOf(after, 'RETENTION')).toMatchObject({
      key: 'retention:workflow',
      name: 'workflow',
      depth: 2,
    });
    expect(after?.links).toContainEqual({ cause: 'retention:workflow', effect: event?.key, kind: 'EXPIRED' });
    expect(keysOf(after).filter((key) => key.startsWith('run:'))).toEqual([]);
    // the latest run of the trigger is kept, and nothing stands for it
    const kept = await why('version:1:imported-1');
    expect(keysOf(kept)).toContain(`run:${runs[1] ?? ''}`);
    // to members of a project it is hidden: they are told the same of it as of what is gone
    const cut = await why('version:1:imported-1', {}, member);
    expect(cut?.nodes.map(({ kind }) => kind)).toEqual(
      (await why('version:1:imported-0', {}, member))?.nodes.map(({ kind }) => kind),
    );
    const forward = await why(requests[0] ?? '', { direction: 'FORWARD' });
    expect(forward?.links).toContainEqual({
      cause: requests[0],
      effect: 'retention:workflow',
      kind: 'EXPIRED',
    });
    expect(nodeOf(await why('entity:untouched'), 'RETENTION')).toBeUndefined();
  });

  test('a run whose delivery has been deleted says that there was one', async () => {
    await sql(
      `INSERT INTO workflow.run (id, action, cause, status, actor, delivery_id) VALUES ('delivered', '{}', '{}', 'success', 'user:x', 'gone')`,
    );
    expect((await why('run:delivered'))?.links).toContainEqual({
      cause: 'retention:workflow',
      effect: 'run:delivered',
      kind: 'EXPIRED',
    });
  });
});
