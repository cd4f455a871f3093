// A random history of an instance, made through the public API alone, and everything that can be read of it.
import type { TestServer } from '../testkit/server.ts';
import { sha256 } from '../artifact/stored-files.ts';

/** A generator of numbers, repeatable by its seed (mulberry32). */
function randomOf(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return { below, pick: <T>(list: readonly T[]): T => list[below(list.length)] as T };
}

const field = (name: string, field_type: string, more: object = {}) => ({ name, field_type, ...more });
const SAMPLE = [
  field('name', 'string', { searchable: true }),
  field('code', 'string', { unique: true }),
  field('n', 'int', { indexed: true }),
  field('x', 'float'),
  field('when', 'datetime'),
  field('tags', 'string', { many: true }),
  field('project', 'string'),
  field('parent', 'ref', { references: 'Sample' }),
  field('uri', 'uri'),
  field('note', 'string'),
];
const schema = (version: string, fields: readonly object[], name = 'Sample', more: object = {}) => ({
  name,
  version,
  fields,
  ...more,
});
const TYPES = ['Sample', 'Biopsy'];
const IDS = Array.from({ length: 12 }, (_, i) => `s:${i}`);
const PROJECTS = ['alpha', 'beta', null];
const NAMES = ['Ünïcode «text»', 'a\\b "quoted" \n line', 'plain words', 'ß𝄞 end', ''];

const RELATE =
  'mutation($s: ID!, $t: ID!, $y: String!, $m: JSON) { relate(sourceId: $s, targetId: $t, relationshipType: $y, metadata: $m) { id } }';
const UNRELATE =
  'mutation($s: ID!, $t: ID!, $y: String!) { unrelate(sourceId: $s, targetId: $t, relationshipType: $y) { id } }';
const SUPERSEDE =
  'mutation($s: ID!, $t: ID!) { supersedeEntity(id: $s, replacementId: $t, reason: "better") { superseded { id } } }';
const INSTALL =
  'mutation($e: [ReferenceEntity!]!) { installReferenceData(loader: "l", version: "1", entities: $e) { entitiesCreated } }';

const contextHeader = (context: unknown, indent: number): Record<string, string> => {
  const text = JSON.stringify(context, null, indent).replaceAll('\n', ' ');
  return { 'x-metadata-context': Buffer.from(text).toString('latin1') };
};

const randomData = ({ below, pick }: ReturnType<typeof randomOf>): Record<string, unknown> => ({
  ...(below(2) === 0 ? { name: pick(NAMES) } : {}),
  ...(below(5) === 0 ? { code: `c${below(20)}` } : {}),
  ...(below(2) === 0 ? { n: pick([0, -1, 7, 2 ** 53 - 1, 1000000000000]) } : {}),
  ...(below(3) === 0 ? { x: pick([0.1, 1e21, -2.5e-7, 1e300, 3.0]) } : {}),
  ...(below(4) === 0 ? { when: pick(['2026-01-01T00:00:00Z', '2025-06-30T12:00:00.123456+02:00']) } : {}),
  ...(below(4) === 0 ? { tags: [pick(NAMES), 'b'] } : {}),
  ...(below(5) === 0 ? { project: pick(PROJECTS) } : {}),
  ...(below(5) === 0 ? { parent: pick(IDS) } : {}),
  ...(below(30) === 0 ? { note: 'large '.repeat(15_000) + below(100) } : {}),
});

/** Makes `steps` changes, some of which are refused. */
export async function makeHistory(server: TestServer, seed: number, steps: number): Promise<void> {
  const random = randomOf(seed);
  const { below, pick } = random;
  const data = () => randomData(random);
  const metadata = '/api/v1/metadata';
  const keys = [server.key, await server.newKey({ role: 'project_lead', label: 'lead' })];
  const send = async (method: string, path: string, body?: unknown, context?: unknown): Promise<void> => {
    const { status, text } = await server.rest(method, metadata + path, {
      body,
      key: pick(keys),
      headers: context === undefined ? {} : contextHeader(context, below(2)),
    });
    if (status >= 500) throw new Error(`${method} ${path}: ${status} ${text}`);
  };
  const ask = async (query: string, variables: Record<string, unknown>): Promise<void> => {
    const { status, text } = await server.graphql(query, variables, { key: pick(keys) });
    if (status >= 500 || text.includes('INTERNAL')) throw new Error(`${query}: ${status} ${text}`);
  };
  const upload = async (): Promise<void> => {
    const content = `content ${below(5)}\n`.repeat(1 + below(3) * 20_000);
    const { status, text } = await server.rest(
      'PUT',
      `/api/v1/artifact/files/${sha256(content)}?name=f${below(3)}.txt&entity_id=${pick(IDS)}&field=uri`,
      { body: content, key: pick(keys), headers: { 'content-type': 'text/plain' } },
    );
    if (status >= 500) throw new Error(`upload: ${status} ${text}`);
  };
  const steady: readonly (() => Promise<void>)[] = [
    () =>
      send(
        'POST',
        '/ingest',
        { id: pick(IDS), entity_type: pick(TYPES), data: data() },
        { notes: pick(NAMES) },
      ),
    () => send('POST', '/ingest', { id: pick(IDS), entity_type: 'Sample', data: data() }),
    () => send('POST', '/ingest', { entity_type: 'Biopsy', data: data() }, { a: [1, { b: null }] }),
    () => send('PUT', `/entities/Sample/${pick(IDS)}`, { data: data() }),
    () => send('DELETE', `/entities/${pick(IDS)}`),
    () =>
      send('POST', `/entities/${pick(IDS)}/availability`, { is_available: below(3) > 0, reason: 'because' }),
    () => send('POST', `/entities/${pick(IDS)}/external-ids`, { external_id: `x:${below(6)}` }),
    () =>
      send('POST', `/entities/${pick(IDS)}/supersede`, {
        old_external_id: `x:${below(6)}`,
        new_external_id: `x:${below(9)}`,
      }),
    () =>
      ask(RELATE, {
        s: pick(IDS),
        t: pick(IDS),
        y: pick(['likes', 'part_of']),
        m: pick([null, {}, { w: 1.5, s: 'ü' }]),
      }),
    () => ask(UNRELATE, { s: pick(IDS), t: pick(IDS), y: pick(['likes', 'part_of']) }),
    upload,
  ];
  const rare: readonly (() => Promise<void>)[] = [
    () => ask(SUPERSEDE, { s: pick(IDS), t: pick(IDS) }),
    () => ask(INSTALL, { e: [{ id: `r:${below(3)}`, entityType: 'Sample', data: { name: pick(NAMES) } }] }),
    () => register(schema(`2.${++revision}.${seed}`, [...SAMPLE, field('extra', 'string')])),
    () =>
      send('POST', '/entities/Sample/bulk-availability', {
        entity_ids: [pick(IDS), pick(IDS), 'none'],
        available: false,
        reason: 'bulk',
      }),
  ];
  let revision = 0;
  const register = async (body: object): Promise<void> => {
    const { status, text } = await server.rest('POST', `${metadata}/schemas`, { body });
    if (status >= 300 && seed < 1000) throw new Error(`schema: ${status} ${text}`);
  };
  await register(schema('1.0', SAMPLE));
  await register(schema('1.0', [field('depth', 'int')], 'Biopsy', { parent: 'Sample' }));
  for (const [i, id] of IDS.entries())
    await send('POST', '/ingest', { id, entity_type: TYPES[i % 3 === 0 ? 1 : 0], data: {} });
  for (let step = 0; step < steps; step++) await (below(10) === 0 ? pick(rare) : pick(steady))();
}

/** What differs between two servers though it is of the same instance: addresses of themselves, ids of requests. */
const plain = (text: string): string =>
  text
    .replaceAll(/127\.0\.0\.1:\d+/g, 'SERVER')
    .replaceAll(/"(request_id|requestId|next_cursor|nextCursor|cursor)": ?"[^"]*"/g, '""');

/** Times that the log has, and one before and between. */
export async function instantsOf(server: TestServer, most: number): Promise<string[]> {
  const { rows } = await server.database.pool.query<{ at: string }>(
    `SELECT to_char(timestamp AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at FROM metadata.provenance ORDER BY position`,
  );
  const every = Math.max(1, Math.floor(rows.length / most));
  return ['2020-01-01T00:00:00Z', ...rows.filter((_, i) => i % every === 0).map(({ at }) => at)];
}

const FEED =
  'query($at: DateTime, $id: ID!) { entity(id: $id, asOf: $at) { id version history(limit: 1000) { id eventType actor timestamp schemaVersion context payload } relationships(limit: 1000) { id metadata createdAt createdBy } externalIds(includeSuperseded: true) { id externalId createdAt supersededAt supersededBy } } }';
const TRAVERSE =
  'query($at: DateTime, $id: ID!) { traverse(sourceId: $id, direction: BOTH, asOf: $at) { nodes { entityId depth path } } }';
const AGGREGATE =
  'query($at: DateTime) { aggregate(entityType: "Sample", groupBy: ["project"], of: ["n", "x"], asOf: $at) { groups { key count measures } total } }';

/** Reads that are under way at once: none waits for another, and what was asked is what an answer is kept by. */
const READS_AT_ONCE = 8;

/** Every read, by what was asked: at the instants, and now, unless `ofNow` says that those are not compared. */
export async function readAll(
  server: TestServer,
  instants: readonly string[],
  { ofNow = true }: { ofNow?: boolean } = {},
): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  const reads: (() => Promise<void>)[] = [];
  const keys = {
    admin: server.key,
    alpha: await server.newKey({ role: 'viewer', project: 'alpha', label: 'v' }),
  };
  const note = (asked: string, { status, text }: { status: number; text: string }): void => {
    answers.set(asked, `${status} ${plain(text)}`);
  };
  const { rows } = await server.database.pool.query<{ id: string }>(
    'SELECT id FROM metadata.entity ORDER BY id',
  );
  const ids = rows.map(({ id }) => id);
  const metadata = '/api/v1/metadata';
  for (const [who, key] of Object.entries(keys)) {
    const get = (path: string): void => {
      reads.push(async () => {
        note(`${who} ${path}`, await server.rest('GET', path, { key }));
      });
    };
    const ask = (query: string, variables: Record<string, unknown>): void => {
      reads.push(async () => {
        note(`${who} ${query} ${JSON.stringify(variables)}`, await server.graphql(query, variables, { key }));
      });
    };
    if (ofNow) get(`${metadata}/schemas`);
    for (const at of ofNow ? [null, ...instants] : instants) {
      const as = at === null ? '' : `&as_of=${encodeURIComponent(at)}`;
      for (const query of [
        'entity_type=Sample&limit=1000&include_unavailable=true',
        'entity_type=Sample&limit=3',
        'entity_type=Biopsy&order_by=-updated_at',
        'entity_type=Sample&filter=data.n%20%3E%200&order_by=data.n',
        'entity_type=Sample&code=c1&code=c2',
      ])
        get(`${metadata}/entities?${query}${as}`);
      get(`${metadata}/search?entity_type=Sample&q=words${as}`);
      get(`${metadata}/export/Sample.ndjson?include_unavailable=true${as}`);
      ask(AGGREGATE, { at });
      for (const id of at === null ? ids : IDS) {
        get(`${metadata}/entities/${id}?x=1${as}`);
        if (who !== 'admin') continue;
        ask(FEED, { at, id });
        ask(TRAVERSE, { at, id });
      }
    }
    for (const id of who === 'admin' && ofNow ? ids : []) {
      get(`${metadata}/entities/${id}/history?limit=1000`);
      get(`${metadata}/entities/${id}/relationships?limit=1000`);
      get(`${metadata}/entities/${id}/external-ids?include_superseded=true`);
      get(`${metadata}/entities/${id}/superseded`);
      get(`${metadata}/entities/${id}/files/uri`);
      get(`${metadata}/ga4gh/drs/v1/objects/${id}`);
      ask('query($id: ID!) { entity(id: $id) { files { hash field name size mediaType createdAt } } }', {
        id,
      });
    }
  }
  const left = reads.values();
  await Promise.all(
    Array.from({ length: READS_AT_ONCE }, async () => {
      for (const read of left) await read();
    }),
  );
  return answers;
}
