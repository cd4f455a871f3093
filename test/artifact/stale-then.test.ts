// docs/reference/artifact.md#stale-results-of-a-time: what was stale at a time is what was listed then, in pages of any
// size, whatever has changed since; for whoever saw it then.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeCursor } from '../../platform/paging.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { buildWorld, put, setAvailable, setRule, withdraw, WORKFLOWS } from './staleness-matrix-world.ts';

interface Item {
  readonly entity_id: string;
  readonly production_id: string;
  readonly since: string | null;
}
interface Page {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
  readonly is_complete: boolean;
  readonly up_to: string;
}

let server: TestServer;
/** What was listed, by the times. */
const told = new Map<string, readonly unknown[]>();

async function page(query: Record<string, string>, headers = {}, key = server.key): Promise<Page> {
  const target = `/api/v1/artifact/staleness?${new URLSearchParams(query).toString()}`;
  const { status, body, text } = await server.rest('GET', target, { headers, key });
  expect([status, text]).toEqual([200, expect.anything()]);
  return body as Page;
}

/** Without when each was found to be stale, which is of the present, and in no order. */
const inOrder = (items: readonly Item[]): readonly unknown[] =>
  items.toSorted((a, b) => (a.entity_id < b.entity_id ? -1 : 1)).map((item) => ({ ...item, since: null }));

async function allPages(query: Record<string, string>): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    // the cursor has the time with it
    const next: Page = await page(cursor === null ? query : { limit: query['limit'] ?? '100', cursor });
    expect(next.items.length).toBeLessThanOrEqual(Number(query['limit'] ?? 100));
    items.push(...next.items);
    cursor = next.next_cursor;
  } while (cursor !== null);
  return items;
}

async function note(): Promise<void> {
  const { items, is_complete: isComplete } = await page({ limit: '1000' });
  expect(isComplete).toBe(true);
  const { body } = await server.graphql('{ basis { time } }');
  told.set(body.data.basis.time, inOrder(items));
}

const { align, call } = WORKFLOWS;
const STEPS: readonly (() => Promise<unknown>)[] = [
  () => put(server, 's1', { reads: 'b' }),
  () => setRule(server, 'call', call.replace('> out.txt', '| sort > out.txt')),
  () => put(server, 's1'),
  () => setAvailable(server, 's2', false),
  () => withdraw(server, 'report'),
  () => setAvailable(server, 's2', true),
  () => setRule(server, 'align', `# a comment\n${align}`),
  () => put(server, 'ref', { build: 'b39' }),
  () => setRule(server, 'call'),
];

beforeAll(async () => {
  server = await startServer();
  await buildWorld(server);
  // a production that has made two entities, of which a page may end with the first
  const { text } = await server.rest('POST', '/api/v1/metadata/ingest', {
    body: { entity_type: 'Aligned', id: 'A1b', data: { sample: 's1b' } },
  });
  expect(text).toContain('A1b');
  await server.database.pool.query(
    "UPDATE artifact.production SET entity_ids = ARRAY['A1', 'A1b'] WHERE entity_ids = ARRAY['A1']",
  );
  await note();
  for (const step of STEPS) {
    await step();
    await note();
  }
});
afterAll(() => server[Symbol.asyncDispose]());

test('the list as of each time is the one of then, in pages of any size', async () => {
  expect([...told.values()].map(({ length }) => length)).toContain(0);
  expect(Math.max(...[...told.values()].map(({ length }) => length))).toBeGreaterThanOrEqual(6);
  for (const [time, listed] of told) {
    const whole = await page({ as_of: time });
    expect([time, inOrder(whole.items)]).toEqual([time, listed]);
    expect(whole).toMatchObject({ next_cursor: null, is_complete: true, up_to: time });
    expect(whole.items.every(({ since }) => since === null)).toBe(true);
    for (const limit of ['1', '3']) expect(await allPages({ as_of: time, limit })).toEqual(whole.items);
  }
});

test('by the header and the directive as by the argument', async () => {
  const [time = ''] = [...told].findLast(([, { length }]) => length > 0) ?? [];
  const { items } = await page({ as_of: time });
  expect((await page({}, { 'X-As-Of': time })).items).toEqual(items);
  const { body } = await server.graphql(
    `query @asOf(time: "${time}") { stale { items { entityId since entity { version } } upTo } }`,
  );
  expect(body.errors).toBeUndefined();
  expect(body.data.stale.items.map((item: { entityId: string }) => item.entityId)).toEqual(
    items.map((item) => item.entity_id),
  );
  expect(body.data.stale.upTo).toBe(time);
});

test('types, rules and filters are of then', async () => {
  const [time = ''] = [...told].find(([, { length }]) => length > 0) ?? [];
  const ids = async (query: Record<string, string>) =>
    (await page({ as_of: time, ...query })).items.map(({ entity_id: id }) => id).toSorted();
  expect(await ids({})).toEqual(['A1', 'A1b', 'C1', 'R1']);
  expect(await ids({ entity_type: 'Called' })).toEqual(['C1']);
  expect(await ids({ rule: 'align' })).toEqual(['A1', 'A1b']);
  expect(await ids({ rule: 'align@1' })).toEqual(['A1', 'A1b']);
  expect(await ids({ rule: 'align@2' })).toEqual([]);
  expect(await ids({ filter: 'data.sample == "s1" && entity_type != "Report"' })).toEqual(['A1', 'C1']);
});

test('a time in the future is now: later pages are of the now of the first, whatever changes meanwhile', async () => {
  const ahead = '2999-01-01T00:00:00Z';
  const { items } = await page({ limit: '1000' });
  const first = await page({ as_of: ahead, limit: '1' });
  expect(first.up_to < ahead).toBe(true);
  expect(items.length).toBeGreaterThan(1);
  const cursor = first.next_cursor ?? '';
  const rest = { as_of: ahead, limit: '1000', cursor };
  const before = await page(rest);
  expect(inOrder([...first.items, ...before.items])).toEqual(inOrder(items));
  for (const id of ['s1', 's2']) await setAvailable(server, id, false);
  expect(await page(rest)).toEqual(before);
  expect(await page({ limit: '1000', cursor }, { 'X-As-Of': ahead })).toEqual(before);
  expect(inOrder((await page({ as_of: ahead })).items)).not.toEqual(inOrder(items));
  for (const id of ['s1', 's2']) await setAvailable(server, id, true);
  const { next_cursor: ofNow } = await page({ limit: '1' });
  const query = new URLSearchParams({ as_of: ahead, cursor: ofNow ?? '' }).toString();
  expect((await server.rest('GET', `/api/v1/artifact/staleness?${query}`)).status).toBe(400);
});

test('what is asked for in vain is refused', async () => {
  const [time = ''] = [...told.keys()];
  const { next_cursor: cursor } = await page({ as_of: [...told.keys()].at(-1) ?? '', limit: '1' });
  const { next_cursor: ofNow } = await page({ limit: '1' });
  const refused = async (query: Record<string, string>, headers = {}) =>
    (
      await server.rest('GET', `/api/v1/artifact/staleness?${new URLSearchParams(query).toString()}`, {
        headers,
      })
    ).status;
  expect(await refused({ as_of: time, since: time })).toBe(400);
  expect(await refused({ as_of: time, cursor: cursor ?? '' })).toBe(400);
  expect(await refused({ as_of: time, cursor: ofNow ?? '' })).toBe(400);
  expect(await refused({ cursor: ofNow ?? '' }, { 'X-As-Of': time })).toBe(400);
  expect(await refused({ as_of: 'then' })).toBe(400);
  expect((await page({ as_of: '2000-01-01T00:00:00Z' })).items).toEqual([]);
  for (const text of ['x', `${time} 1`, `${time} 0 nobody`, `x 0 ${time}`])
    expect(await refused({ cursor: encodeCursor([text, time]) })).toBe(400);
});

test('a production that has made more than a page may have', async () => {
  const results = Array.from({ length: 1001 }, (_, i) => `M${i}`);
  const rows = results.map((id) => JSON.stringify({ entity_type: 'Aligned', id, data: { sample: id } }));
  const loaded = await server.rest('POST', '/api/v1/metadata/ingest/bulk', {
    body: rows.join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  expect([loaded.status, loaded.text]).toEqual([200, expect.stringContaining('1001')]);
  await server.database.pool.query(
    "UPDATE artifact.production SET entity_ids = $1 WHERE 'A1' = ANY(entity_ids)",
    [results],
  );
  await put(server, 's1', { reads: 'many' });
  const { body } = await server.graphql('{ basis { time } }');
  const found = await allPages({ as_of: body.data.basis.time, rule: 'align', limit: '1000' });
  expect(found.map(({ entity_id: id }) => id).filter((id) => id.startsWith('M'))).toEqual(results);
});

test('a page ends before its operation has read too much, and the next one goes on', async () => {
  const { pool } = server.database;
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO artifact.production (id, entity_type, criteria, rule, status, request_key, plan, entity_ids, requested_by, parameters, inputs, produced, runner)
     SELECT gen_random_uuid(), entity_type, criteria, rule, 'running', 'copy ' || n, plan, ARRAY['M' || n], requested_by,
       jsonb_build_object('large', repeat('x', 300000)), inputs, produced, runner
     FROM artifact.production, generate_series(0, 149) n WHERE 'M0' = ANY(entity_ids) RETURNING id`,
  );
  const ids = rows.map(({ id }) => id);
  await pool.query(
    `INSERT INTO artifact.production_cause (production_id, cause, role) SELECT id, cause, role
     FROM artifact.production_cause, unnest($1::text[]) id WHERE role = 'input' AND production_id =
       (SELECT p.id FROM artifact.production p WHERE 'M1000' = ANY(p.entity_ids))`,
    [ids],
  );
  await pool.query(
    "UPDATE artifact.production SET status = 'completed', finished_at = clock_timestamp() WHERE id = ANY($1::text[])",
    [ids],
  );
  await put(server, 's1', { reads: 'larger' });
  const { body } = await server.graphql('{ basis { time } }');
  const asOf: string = body.data.basis.time;
  const first = await page({ as_of: asOf, rule: 'align', limit: '1000' });
  expect([first.items.length < 150, first.next_cursor]).toEqual([true, expect.any(String)]);
  const all = await allPages({ as_of: asOf, rule: 'align', limit: '1000' });
  const made = all.filter(({ entity_id: id }) => id.startsWith('M'));
  expect(new Set(made.map(({ entity_id: id }) => id)).size).toBe(1001);
  expect(made).toHaveLength(1001);
  expect(made.filter((item) => ids.includes(item.production_id))).toHaveLength(150);
});
