// Full-text search (docs/reference/metadata.md#search).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';

interface Hit {
  id: string;
  entity_type: string;
  data: Record<string, unknown>;
  version: number;
  score: number;
}

let server: TestServer;
const find = (query: Record<string, string>, key?: string) =>
  server.rest(
    'GET',
    `/api/v1/metadata/search?${new URLSearchParams(query).toString()}`,
    key === undefined ? {} : { key },
  );
const hits = async (q: string, more: Record<string, string> = {}, key?: string): Promise<Hit[]> => {
  const { status, body } = await find({ entity_type: 'Material', q, ...more }, key);
  expect([q, status, body.error]).toEqual([q, 200, null]);
  return body.data as Hit[];
};
const ids = async (...args: Parameters<typeof hits>): Promise<string[]> =>
  (await hits(...args)).map((hit) => hit.id);
const ingest = async (entityType: string, data: Record<string, unknown>): Promise<void> => {
  expect(
    (await server.rest('POST', '/api/v1/metadata/ingest', { body: { entity_type: entityType, data } }))
      .status,
  ).toBe(200);
};

beforeAll(async () => {
  server = await startServer();
  const define = (body: object) => server.rest('POST', '/api/v1/metadata/schemas', { body });
  await define({
    name: 'Material',
    version: '1',
    fields: [
      { name: 'label', field_type: 'text' },
      { name: 'note', field_type: 'string' },
      { name: 'secret', field_type: 'string', searchable: false },
      { name: 'words', field_type: 'string', many: true },
      { name: 'n', field_type: 'int' },
      { name: 'project', field_type: 'string' },
    ],
  });
  await define({
    name: 'Sample',
    version: '1',
    parent: 'Material',
    fields: [{ name: 'tissue', field_type: 'enum', values: ['brain', 'liver'] }],
  });
  await ingest('Material', { id: 'm1', label: 'Human brain tissue', note: 'from the left', n: 7 });
  await ingest('Material', { id: 'm2', label: 'Brainstem slice', note: 'frozen' });
  await ingest('Sample', { id: 's1', label: 'NA12878', tissue: 'brain', words: ['first', 'second'] });
  await ingest('Sample', { id: 's2', label: 'Müller’s café, Straße 12', secret: 'treasure' });
  await ingest('Material', { id: 'm3', label: 'brain brain brain' });
});
afterAll(() => server[Symbol.asyncDispose]());

test('words match string fields of the type and its subtypes, and nothing else', async () => {
  expect((await ids('brain')).toSorted()).toEqual(['m1', 'm2', 'm3', 's1']);
  expect(await ids('second')).toEqual(['s1']);
  expect(await ids('brain', { entity_type: 'Sample' })).toEqual(['s1']);
  expect(await ids('treasure')).toEqual([]);
  expect(await ids('7')).toEqual([]);
  expect(await ids('m1')).toEqual([]);
});

test('all words must be there; only the last may be the beginning of a word', async () => {
  expect(await ids('human left')).toEqual(['m1']);
  expect(await ids('human frozen')).toEqual([]);
  expect(await ids('tissue hum')).toEqual(['m1']);
  expect(await ids('hum tissue')).toEqual([]);
  expect(await ids('NA128')).toEqual(['s1']);
});

test('case, accents and punctuation do not matter', async () => {
  expect(await ids('MULLER')).toEqual(['s2']);
  expect(await ids('müller cafe')).toEqual(['s2']);
  expect(await ids('Cafe\u0301')).toEqual(['s2']);
  expect(await ids('"brain" & (tissue)')).toEqual(['m1']);
});

test('the best comes first, and equals in order of creation; a hit is the entity and its score', async () => {
  const found = await hits('brain');
  expect(found[0]?.id).toBe('m3');
  expect(found.at(-1)?.id).toBe('m2');
  expect(found.map((hit) => hit.score)).toEqual(found.map((hit) => hit.score).toSorted((a, b) => b - a));
  expect(Object.keys(found[0] ?? {})).toEqual([
    'id',
    'entity_type',
    'data',
    'version',
    'created_at',
    'updated_at',
    'is_available',
    'score',
  ]);
  expect(found[0]).toMatchObject({
    entity_type: 'Material',
    data: { label: 'brain brain brain' },
    version: 1,
  });
  await ingest('Material', { id: 'e1', label: 'equal thing' });
  await ingest('Material', { id: 'e2', label: 'thing equal' });
  expect(await ids('equal')).toEqual(['e1', 'e2']);
});

test('pages follow each other', async () => {
  const whole = await ids('brain');
  const walked = [];
  for (let offset = 0; offset < whole.length; offset++)
    walked.push(...(await ids('brain', { limit: '1', offset: String(offset) })));
  expect(walked).toEqual(whole);
  expect(await ids('brain', { offset: '100' })).toEqual([]);
});

test('changed entities are found by their new words, unavailable ones only on request', async () => {
  await ingest('Material', { id: 'c1', label: 'old words' });
  expect(
    (
      await server.rest('PUT', '/api/v1/metadata/entities/Material/c1', {
        body: { data: { label: 'newer words' } },
      })
    ).status,
  ).toBe(200);
  expect(await ids('old')).toEqual([]);
  expect(await ids('newer')).toEqual(['c1']);
  expect((await server.rest('DELETE', '/api/v1/metadata/entities/c1')).status).toBe(200);
  expect(await ids('newer')).toEqual([]);
  expect(await ids('newer', { include_unavailable: 'true' })).toEqual(['c1']);
});

test('another project is not there', async () => {
  await ingest('Material', { id: 'alpha1', label: 'projected', project: 'alpha' });
  await ingest('Material', { id: 'beta1', label: 'projected', project: 'beta' });
  const key = await server.newKey({ role: 'viewer', project: 'alpha' });
  expect(await ids('projected')).toEqual(['alpha1', 'beta1']);
  expect(await ids('projected', {}, key)).toEqual(['alpha1']);
});

test('entity_type and q are required, and bounds are kept', async () => {
  for (const query of [
    { q: 'x' },
    { entity_type: 'Material' },
    { entity_type: 'Material', q: '' },
    { entity_type: 'Material', q: '  ' },
    { entity_type: 'Nothing', q: 'x' },
    { entity_type: 'Material', q: 'x', limit: '0' },
    { entity_type: 'Material', q: 'x', limit: '1001' },
    { entity_type: 'Material', q: 'x', offset: '-1' },
  ]) {
    const { status, body } = await find(query);
    expect([query, status, body.data, body.error.code]).toEqual([query, 422, null, 422]);
  }
});

test('no query, however hostile, is more than a search', async () => {
  const hostile = [
    "'",
    '"',
    '\\',
    "''",
    ':*',
    '!brain',
    'brain & ',
    '| brain',
    '<->',
    '(((',
    'brain:*:A',
    '%',
    '--',
    '; DROP TABLE x',
    '$1',
    '１２',
    'ß',
    '\ud800',
    '日本語',
    'ﷺ',
    '𝔟𝔯𝔞𝔦𝔫',
    'x'.repeat(501),
    'x'.repeat(3000),
    'é'.repeat(500),
    '\u0301'.repeat(100),
    'a.b@c.d',
    'http://example.org/brain?x=1',
    '1e5',
    '-1',
    '1.5e-3',
    '/etc/passwd',
    '<b>brain</b>',
    '&amp;',
  ];
  for (const q of hostile)
    expect([q.slice(0, 20), (await find({ entity_type: 'Material', q })).status]).toEqual([
      q.slice(0, 20),
      200,
    ]);
  for (const q of ['y '.repeat(5000), 'x'.repeat(10_000)])
    expect((await find({ entity_type: 'Material', q })).status).toBe(200);
  const many = Array.from({ length: 2000 }, (_, i) => `w${i}`).join(' ');
  for (const q of [many, 'x'.repeat(12_000), '\u0000', 'brain\u0000'])
    expect((await find({ entity_type: 'Material', q })).status).toBe(422);
  expect(await ids('𝔟𝔯𝔞𝔦𝔫 tissue')).toEqual(['m1']);
});

test('GraphQL finds the same', async () => {
  const { body } = await server.graphql(
    'query($q: String!) { search(entityType: "Material", q: $q) { id score entity { id data } } }',
    { q: 'brain' },
  );
  expect(body.errors).toBeUndefined();
  const found = body.data.search as { id: string; entity: { id: string; data: unknown } }[];
  expect(found.map((hit) => hit.id)).toEqual(await ids('brain'));
  expect(found[0]?.entity).toEqual({ id: 'm3', data: { label: 'brain brain brain' } });
});

test('a field that is no longer searched, or is from now on, is so for what is stored as well', async () => {
  const define = async (version: string, hidden: boolean) =>
    expect(
      (
        await server.rest('POST', '/api/v1/metadata/schemas', {
          body: {
            name: 'Note',
            version,
            fields: [
              { name: 'open', field_type: 'string', searchable: !hidden },
              { name: 'closed', field_type: 'string', searchable: hidden },
            ],
          },
        })
      ).status,
    ).toBe(200);
  await define('1', false);
  await server.rest('POST', '/api/v1/metadata/schemas', {
    body: { name: 'SubNote', version: '1', parent: 'Note', fields: [] },
  });
  await ingest('SubNote', { id: 'n1', open: 'apple', closed: 'banana' });
  const found = (q: string) => ids(q, { entity_type: 'Note' });
  expect([await found('apple'), await found('banana')]).toEqual([['n1'], []]);
  await define('2', true);
  expect([await found('apple'), await found('banana')]).toEqual([[], ['n1']]);
});
