// External ids: register, supersede, list, find an entity by one, by docs/reference/metadata.md#external-ids.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { metadataFace, type MetadataFace } from '../testkit/metadata-rest-api.ts';
import { callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

interface ExternalId {
  id: string;
  external_id: string;
  id_type: string;
  superseded_at: string | null;
  superseded_by: string | null;
}

let metadata: FreshMetadata;
let rest: MetadataFace;
const make = async (...ids: string[]) => {
  for (const id of ids) await rest('POST', '/ingest', { body: { entity_type: 'Thing', data: { id } } });
};
const register = (id: string, value: unknown, more: object = {}) =>
  rest('POST', `/entities/${id}/external-ids`, { body: { external_id: value, ...more } });
const supersede = (id: string, old: unknown, next: unknown, more: object = {}) =>
  rest('POST', `/entities/${id}/supersede`, {
    body: { old_external_id: old, new_external_id: next, ...more },
  });
const values = async (id: string, query = '') =>
  ((await rest('GET', `/entities/${id}/external-ids${query}`)).body.data as ExternalId[]).map(
    (r) => r.external_id,
  );
const find = async (type: string, value: string) => {
  const { status, body } = await rest(
    'GET',
    `/external-ids/${encodeURIComponent(type)}/${encodeURIComponent(value)}`,
  );
  return status === 200 ? (body.data.id as string) : status;
};

beforeAll(async () => {
  metadata = await freshMetadata();
  rest = metadataFace(metadata.component);
  await rest('POST', '/schemas', {
    body: { name: 'Thing', version: '1', fields: [{ name: 'project', field_type: 'string' }] },
  });
});
afterAll(() => metadata[Symbol.asyncDispose]());

test('an external id is registered under default, listed, and finds its entity', async () => {
  await make('a1');
  const made = await register('a1', 'EGA:123 é');
  expect(made.status).toBe(200);
  expect(made.body.data).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-/),
    entity_id: 'a1',
    id_type: 'default',
    external_id: 'EGA:123 é',
    created_at: expect.stringMatching(/\.\d{6}Z$/),
    superseded_at: null,
    superseded_by: null,
  });
  expect((await rest('GET', '/entities/a1/external-ids')).body.data).toEqual([made.body.data]);
  expect((await rest('GET', '/external-ids/default/EGA%3A123%20%C3%A9')).body.data).toMatchObject({
    id: 'a1',
    entity_type: 'Thing',
    version: 1,
    updated_at: made.body.data.created_at,
  });
  const [, event] = (await rest('GET', '/entities/a1/history')).body.data;
  expect(event).toMatchObject({
    event_type: 'ExternalIdAdded',
    payload: { system: 'default', external_id: 'EGA:123 é' },
  });
  expect(Object.keys(event.payload)).toEqual(['system', 'external_id']);
});

test('those that had been superseded are listed as of a time', async () => {
  await make('t1');
  const registered = (await register('t1', 'T1')).body.data.created_at as string;
  const replaced = (await supersede('t1', 'T1', 'T2')).body.data.created_at as string;
  const superseded = async (at: string) =>
    (await rest('GET', `/entities/t1/superseded?as_of=${at}`)).body.data;
  expect(await superseded(registered)).toEqual([]);
  expect(await superseded(replaced)).toMatchObject([{ external_id: 'T1', superseded_at: replaced }]);
  expect((await rest('GET', '/entities/t1/superseded?as_of=2001-01-01T00:00:00Z')).status).toBe(404);
});

test('a type of its own is kept, and found under it and under default', async () => {
  await make('b1', 'b2');
  expect((await register('b1', 'X1', { id_type: 'ega' })).body.data.id_type).toBe('ega');
  expect(await find('ega', 'X1')).toBe('b1');
  expect(await find('default', 'X1')).toBe('b1');
  expect(await find('sra', 'X1')).toBe(404);
  await register('b2', 'X1', { id_type: 'sra' });
  expect(await find('sra', 'X1')).toBe('b2');
  // of two entities, without a type: ambiguous
  expect(await find('default', 'X1')).toBe(404);
  await register('b2', 'X1');
  expect(await find('default', 'X1')).toBe('b2');
});

test('a type and value have one owner: another entity is refused, the owner is answered what it has', async () => {
  await make('c1', 'c2');
  const first = (await register('c1', 'same')).body.data;
  expect(await register('c2', 'same')).toMatchObject({ status: 422, body: { error: { code: 422 } } });
  expect((await register('c1', 'same')).body.data).toEqual(first);
  expect((await rest('GET', '/entities/c1/history?event_types=ExternalIdAdded')).body.data).toHaveLength(1);
});

test('an invalid external id is 422, an absent entity 404', async () => {
  await make('d1');
  for (const value of ['', ' ', 5, null, 'x'.repeat(1001), 'a\nb'])
    expect((await register('d1', value)).status).toBe(422);
  for (const type of ['', 'a b', 'a/b', 5])
    expect((await register('d1', 'v', { id_type: type })).status).toBe(422);
  expect((await register('d1', '\u{1F9EC}'.repeat(1000))).status).toBe(200);
  expect(await find('default', '\u{1F9EC}'.repeat(1000))).toBe('d1');
  const random = Array.from({ length: 1000 }, (_, i) =>
    String.fromCodePoint(0x20000 + ((i * 7919) % 40000)),
  ).join(''); // more than fits into an index entry
  expect((await register('d1', random)).status).toBe(200);
  expect(await find('default', random)).toBe('d1');
  expect((await supersede('d1', random, 'short')).status).toBe(200);
  expect(await find('default', random)).toBe(404);
  expect((await register('nothing', 'v')).status).toBe(404);
  expect((await rest('GET', '/entities/nothing/external-ids')).status).toBe(404);
  expect((await rest('GET', '/entities/nothing/superseded')).status).toBe(404);
});

test('an identifier that needs a slash is sent in the query', async () => {
  await make('e1');
  await register('e1', '10.1000/xyz', { id_type: 'doi' });
  expect((await rest('GET', '/external-ids?id_type=doi&external_id=10.1000%2Fxyz')).body.data.id).toBe('e1');
  for (const odd of [
    '..',
    '.',
    '../../etc/passwd',
    'a//b/',
    '\\\\share\\x',
    'x;y?z=1&w#',
    ' a  b ',
    '%2e%2E',
    '😀/é',
    '*',
    '+',
  ]) {
    await register('e1', odd, { id_type: 'odd' });
    expect([
      odd,
      (await rest('GET', `/external-ids?id_type=odd&external_id=${encodeURIComponent(odd)}`)).body.data?.id,
    ]).toEqual([odd, 'e1']);
  }
  expect((await rest('GET', '/external-ids?external_id=nothing')).status).toBe(404);
  expect((await rest('GET', '/external-ids?id_type=doi')).status).toBe(422);
});

test('superseding answers the new record, hides the old one and records both', async () => {
  await make('f1');
  const old = (await register('f1', 'old')).body.data;
  const next = await supersede('f1', 'old', 'new', { reason: 'typo' });
  expect(next).toMatchObject({
    status: 200,
    body: {
      data: {
        entity_id: 'f1',
        id_type: 'default',
        external_id: 'new',
        superseded_at: null,
        superseded_by: null,
      },
    },
  });
  expect(await values('f1')).toEqual(['new']);
  for (const yes of ['true', 'True', '1'])
    expect(await values('f1', `?include_superseded=${yes}`)).toEqual(['old', 'new']);
  const superseded = (await rest('GET', '/entities/f1/superseded')).body.data;
  expect(superseded).toEqual([
    { ...old, superseded_at: next.body.data.created_at, superseded_by: next.body.data.id },
  ]);
  expect(await find('default', 'old')).toBe(404);
  expect(await find('default', 'new')).toBe('f1');
  const [event] = (await rest('GET', '/entities/f1/history?event_types=ExternalIdSuperseded')).body.data;
  expect(event.payload).toEqual({
    old_external_id_record_id: old.id,
    new_external_id_record_id: next.body.data.id,
    system: 'default',
    old_value: 'old',
    new_value: 'new',
    reason: 'typo',
  });
});

test('an unknown old value is 404; a new one that another entity has is 422; fields are required', async () => {
  await make('g1', 'g2');
  await register('g1', 'g-one');
  await register('g2', 'g-two');
  expect(await supersede('g1', 'unknown', 'z')).toMatchObject({
    status: 404,
    body: { error: { code: 404 } },
  });
  expect((await supersede('g1', 'g-two', 'z')).status).toBe(404);
  expect((await supersede('nothing', 'g-one', 'z')).status).toBe(404);
  expect((await supersede('g1', 'g-one', 'g-two')).status).toBe(422);
  expect((await supersede('g1', 'g-one', 'g-one')).status).toBe(422);
  expect((await supersede('g1', 'g-one', 'x'.repeat(1001))).status).toBe(422);
  for (const body of [
    {},
    { old_external_id: 'g-one' },
    { new_external_id: 'z' },
    { old_external_id: 1, new_external_id: 'z' },
  ]) {
    expect((await rest('POST', '/entities/g1/supersede', { body })).status).toBe(422);
  }
  expect(await values('g1')).toEqual(['g-one']);
});

test('a superseded value can be registered again, for its own entity and for others', async () => {
  await make('h1', 'h2');
  await register('h1', 'first');
  await supersede('h1', 'first', 'second');
  await supersede('h1', 'second', 'first');
  expect(await values('h1', '?include_superseded=true')).toEqual(['first', 'second', 'first']);
  expect((await register('h2', 'second')).status).toBe(200);
  expect(await find('default', 'second')).toBe('h2');
});

test('a value is superseded within its own type, and by one that the entity has already', async () => {
  await make('i1');
  await register('i1', 'acc', { id_type: 'ena' });
  expect((await supersede('i1', 'acc', 'acc2')).body.data).toMatchObject({
    id_type: 'ena',
    external_id: 'acc2',
  });
  const present = (await register('i1', 'acc3', { id_type: 'ena' })).body.data;
  expect((await supersede('i1', 'acc2', 'acc3', { id_type: 'ena' })).body.data).toEqual(present);
  expect(await values('i1')).toEqual(['acc3']);
});

test('a value without a type is found as if the owners that a caller cannot see were not there', async () => {
  for (const [id, project] of [
    ['k1', 'alpha'],
    ['k2', 'alpha'],
    ['k3', 'beta'],
    ['k4', 'beta'],
  ] as const)
    await rest('POST', '/ingest', { body: { entity_type: 'Thing', id, data: { project } } });
  for (const [id, type] of [
    ['k1', 'ega'],
    ['k3', 'sra'],
  ] as const)
    await register(id, 'K1', { id_type: type });
  await register('k2', 'K2');
  const { created_at: then } = (await register('k4', 'K2', { id_type: 'sra' })).body.data;
  const seen = async (project: string, value: string, query = ''): Promise<unknown> => {
    const { status, body } = await rest('GET', `/external-ids/default/${value}${query}`, {
      caller: callerWith('viewer', [project]),
    });
    return status === 200 ? body.data.id : status;
  };
  expect([await seen('alpha', 'K1'), await seen('beta', 'K1'), await find('default', 'K1')]).toEqual([
    'k1',
    'k3',
    404,
  ]);
  expect([await seen('alpha', 'K2'), await seen('beta', 'K2'), await seen('gamma', 'K2')]).toEqual([
    'k2',
    'k4',
    404,
  ]);
  // of the time before k3 was given away, by those who saw it then
  await rest('PUT', '/entities/Thing/k3', { body: { data: { project: 'alpha' } } });
  expect([await seen('alpha', 'K1'), await seen('beta', 'K1')]).toEqual([404, 404]);
  expect([await seen('alpha', 'K1', `?as_of=${then}`), await seen('beta', 'K1', `?as_of=${then}`)]).toEqual([
    'k1',
    'k3',
  ]);
});

test("another project's external ids are neither shown nor found", async () => {
  await rest('POST', '/ingest', { body: { entity_type: 'Thing', id: 'j1', data: { project: 'alpha' } } });
  await register('j1', 'secret');
  const beta = callerWith('analyst', ['beta']);
  expect((await rest('GET', '/entities/j1/external-ids', { caller: beta })).status).toBe(404);
  expect((await rest('GET', '/external-ids/default/secret', { caller: beta })).status).toBe(404);
  expect(
    (await rest('POST', '/entities/j1/external-ids', { caller: beta, body: { external_id: 'mine' } })).status,
  ).toBe(404);
  expect(
    (
      await rest('POST', '/entities/j1/supersede', {
        caller: beta,
        body: { old_external_id: 'secret', new_external_id: 'mine' },
      })
    ).status,
  ).toBe(404);
});
