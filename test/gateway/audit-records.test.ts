// docs/reference/gateway.md#reading-audit-records: administrators of all projects read audit records by their conditions,
// page by page, and nobody else does.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';

const AUDIT = '/api/v1/gateway/audit';
let server: TestServer & AsyncDisposable;
let viewer: string;

interface Read {
  readonly timestamp: string;
  readonly request_id: string;
  readonly actor: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly operation: string | null;
  readonly changes: readonly { readonly action: string; readonly subject: string }[] | null;
}
const read = async (
  query: string,
  key = server.key,
): Promise<{ records: Read[]; next_cursor: string | null }> => {
  const { status, body, text } = await server.rest('GET', `${AUDIT}${query}`, { key });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body as { records: Read[]; next_cursor: string | null };
};

beforeAll(async () => {
  server = await startServer({
    config: 'observability: {audit_log: {backend: postgres}}\n',
    transport: 'in-process',
  });
  viewer = await server.newKey({ role: 'viewer', label: 'visitor' });
  await server.rest('GET', '/api/v1/metadata/schemas', { key: viewer });
  await server.rest('POST', '/api/v1/metadata/ingest', { key: viewer, body: {} });
  await server.graphql('query Named { me { actor } }', {}, { key: viewer });
  for (let i = 0; i < 5; i++) await server.rest('GET', `/api/v1/metadata/entities/none:${i}`);
  while ((await read('?path_prefix=/api/v1/metadata/entities/none')).records.length < 5) await sleep(20);
});
afterAll(() => server[Symbol.asyncDispose]());

test.each<[string, (record: Read) => boolean, number]>([
  ['?min_status=400&max_status=403', ({ status }) => status === 403, 1],
  ['?action=api_key.create', ({ changes }) => changes?.[0]?.action === 'api_key.create', 2], // the first is of the start
  ['?action=api_key&method=POST', ({ changes }) => changes?.[0]?.action === 'api_key.create', 1],
  ['?action=api_ke', () => false, 0],
  ['?method=GET&path_prefix=/api/v1/metadata/schemas', ({ path }) => path === '/api/v1/metadata/schemas', 1],
  ['?path_prefix=/api/v1/metadata/entities/none:', ({ status }) => status === 404, 5],
  ['?path_prefix=%25', () => false, 0],
  ['?path_prefix=/graphql', ({ operation }) => operation === 'Named', 1],
  ['?until=2020-01-01T00:00:00Z', () => false, 0],
  ['?since=2999-01-01T00:00:00Z', () => false, 0],
  ['?actor=user:nobody', () => false, 0],
  ['?request_id=none', () => false, 0],
])('%s selects its records', async (query, is, count) => {
  const { records } = await read(query);
  expect(records.filter((record) => !is(record))).toEqual([]);
  expect(records).toHaveLength(count);
});

test('a record is found by the request id that its answer had', async () => {
  const { headers } = await server.rest('GET', '/api/v1/metadata/schemas/none');
  const id = headers.get('x-request-id') ?? '';
  await expect
    .poll(async () => (await read(`?request_id=${id}`)).records.map((one) => one.path))
    .toEqual(['/api/v1/metadata/schemas/none']);
});

test('pages are in order, and what is written meanwhile shifts none', async () => {
  const { records: all } = await read('?limit=500&until=2999-01-01T00:00:00Z');
  const seen: Read[] = [];
  const first = all[0]?.timestamp ?? '';
  const until = new Date(Date.parse(first) + 1).toISOString();
  for (let cursor: string | null = '', page = 0; cursor !== null && page < 50; page++) {
    const next: { records: Read[]; next_cursor: string | null } = await read(
      `?limit=3&until=${until}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    seen.push(...next.records);
    cursor = next.next_cursor;
  }
  const known = all.filter(({ timestamp }) => timestamp < until);
  expect(seen.map((one) => one.request_id)).toEqual(known.map((one) => one.request_id));
  expect(seen.map((one) => one.timestamp)).toEqual(
    seen
      .map((one) => one.timestamp)
      .toSorted()
      .toReversed(),
  );
});

test('who is no administrator of all projects is refused, over both APIs', async () => {
  const keys = [
    viewer,
    await server.newKey({ role: 'project_lead' }),
    await server.newKey({ role: 'service', label: 'loader' }),
    await server.newKey({ role: 'admin', project: 'alpha' }),
  ];
  for (const key of keys) {
    expect((await server.rest('GET', AUDIT, { key })).status).toBe(403);
    const { body } = await server.graphql('{ auditRecords { records { path } } }', {}, { key });
    expect(body).toMatchObject({
      errors: [{ extensions: { code: expect.stringMatching(/ROLE|PROJECT/) as string } }],
    });
  }
  expect((await server.rest('GET', AUDIT, { key: null })).status).toBe(401);
});

test.each(['?limit=0', '?limit=501', '?cursor=x', '?since=yesterday', '?min_status=x', '?actor=%00'])(
  '%s is refused',
  async (query) => {
    expect((await server.rest('GET', `${AUDIT}${query}`)).status).toBe(400);
  },
);

test('records that go to a file are read there', async () => {
  await using other = await startServer({ transport: 'in-process' });
  const { status, body } = await other.rest('GET', AUDIT);
  expect([status, body]).toMatchObject([409, { message: expect.stringContaining('backend file') as string }]);
});

test('a page of an actor among 100,000 records is found by the index', async () => {
  await server.database.pool.query(
    `INSERT INTO gateway.audit_record (timestamp, request_id, actor, method, path, status, latency_ms, ip)
     SELECT timestamptz '2026-01-01' + i * interval '1 second', gen_random_uuid(), 'user:' || i % 1000, 'GET', '/x', 200, 1, 'local' FROM generate_series(1, 100000) i`,
  );
  const { rows } = await server.database.pool.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT * FROM gateway.audit_record WHERE actor = 'user:7' ORDER BY timestamp DESC, id DESC LIMIT 50`,
  );
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('audit_record_actor_timestamp_id_idx');
  expect((await read('?actor=user:7')).records).toHaveLength(50);
});
