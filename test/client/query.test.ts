// Client library: query, its pages, its count; search; history
// (docs/reference/metadata.md#client-operations).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EntityNotFoundError, SchemaError, ValidationError } from '../../client/src/index.ts';
import { type Sample, type Served, servedClient } from './served-client.ts';

let served: Served;
beforeAll(async () => {
  served = await servedClient();
  const { client } = served;
  for (let i = 0; i < 12; i++) {
    await client.create<Sample>(
      'Sample',
      {
        name: `sample ${i}`,
        site: ['north', 'south', 'west'][i % 3] ?? null,
        age: 20 + i,
        weight: i === 0 ? 1e-7 : i === 1 ? 1.5e22 : i / 2,
      },
      { id: `s${String(i).padStart(2, '0')}` },
    );
  }
  await client.create('Biopsy', { name: 'biopsy', site: 'east', tissue: 'liver' }, { id: 'b1' });
  await client.delete('Sample', 's11');
});
afterAll(() => served[Symbol.asyncDispose]());

const ids = (entities: readonly { id: string }[]): string[] => entities.map(({ id }) => id);

test('query reads every entity of a type and its subtypes once, in the order of creation, however many pages that takes', async () => {
  const seen: string[] = [];
  for await (const { id } of served.client.query('Sample', {}, { pageSize: 5 })) seen.push(id);
  expect(seen).toEqual(['s00', 's01', 's02', 's03', 's04', 's05', 's06', 's07', 's08', 's09', 's10', 'b1']);
});

test('a field condition compares with one value, or with any of a list', async () => {
  const { client } = served;
  expect(ids(await client.query<Sample>('Sample', { site: 'north' }).all())).toEqual([
    's00',
    's03',
    's06',
    's09',
  ]);
  expect(ids(await client.query<Sample>('Sample', { site: ['north', 'east'], age: [20, 23] }).all())).toEqual(
    ['s00', 's03'],
  );
  expect(ids(await client.query<Sample>('Sample', { age: 21 }).all())).toEqual(['s01']);
  expect(ids(await client.query<Sample>('Sample', { site: [] }).all())).toEqual([]);
});

test('numbers are asked for in the text form in which they are compared, however small or large', async () => {
  expect(ids(await served.client.query<Sample>('Sample', { weight: 1e-7 }).all())).toEqual(['s00']);
  expect(ids(await served.client.query<Sample>('Sample', { weight: 1.5e22 }).all())).toEqual(['s01']);
  expect(ids(await served.client.query<Sample>('Sample', { weight: 2.5 }).all())).toEqual(['s05']);
});

test('words are a condition beside the others, in the order of the list', async () => {
  const query = served.client.query('Sample', { site: 'south' }, { q: 'sample 1', orderBy: '-id' });
  expect(ids(await query.all())).toEqual(['s10', 's01']);
  expect(await query.count()).toBe(2);
  await expect(served.client.query('Sample', {}, { q: ' ' }).all()).rejects.toBeInstanceOf(ValidationError);
});

test('a CEL filter, alone and with fields', async () => {
  const { client } = served;
  expect(ids(await client.query('Sample', {}, { filter: 'data.age > 28' }).all())).toEqual(['s09', 's10']);
  expect(
    ids(
      await client
        .query<Sample>(
          'Sample',
          { site: 'south' },
          { filter: 'data.age > 24 && data.name.startsWith("sample")' },
        )
        .all(),
    ),
  ).toEqual(['s07', 's10']);
});

test('unavailable entities show where they are asked for', async () => {
  const { client } = served;
  expect(await client.query('Sample').count()).toBe(12);
  expect(await client.query('Sample', {}, { includeUnavailable: true }).count()).toBe(13);
  expect(ids(await client.query('Sample', { is_available: false }).all())).toEqual(['s11']);
  expect(ids(await client.query('Sample', { id: ['s03', 's04'] }).all())).toEqual(['s03', 's04']);
});

test('orderBy, first and count', async () => {
  const { client } = served;
  expect(
    (await client.query('Sample', {}, { orderBy: '-data.age', filter: 'has(data.age)' }).first())?.id,
  ).toBe('s10');
  expect((await client.query('Biopsy', {}, { orderBy: '-updatedAt' }).first())?.id).toBe('b1');
  expect(
    ids(await client.query<Sample>('Sample', { id: ['s01', 's02'] }, { orderBy: '-createdAt' }).all()),
  ).toEqual(['s02', 's01']);
  expect(await client.query<Sample>('Sample', { site: 'nowhere' }).first()).toBeNull();
  expect(await client.query<Sample>('Sample', { site: 'nowhere' }).count()).toBe(0);
});

test('a page says where the next begins, and that place holds while others write', async () => {
  const { client } = served;
  const query = client.query('Donor', {}, { pageSize: 2 });
  for (const id of ['d1', 'd2', 'd3']) await client.create('Donor', { name: id }, { id });
  const first = await query.page();
  expect(ids(first.items)).toEqual(['d1', 'd2']);
  await client.delete('Donor', 'd1');
  const second = await query.page({ cursor: first.nextCursor });
  expect(ids(second.items)).toEqual(['d3']);
  expect(second.nextCursor).toBeNull();
  expect((await query.page({ limit: 1 })).items).toHaveLength(1);
});

test('asOf answers what the query would have answered at that time', async () => {
  const { client } = served;
  const { updatedAt } = await client.create('Donor', { name: 'before' }, { id: 'then:1' });
  await client.create('Donor', { name: 'after' }, { id: 'then:2' });
  const found = ids(
    await client.query('Donor', {}, { asOf: updatedAt, filter: 'id.startsWith("then:")' }).all(),
  );
  expect(found).toEqual(['then:1']);
});

test('an invalid filter, an unknown field, too large a page and a foreign cursor are ValidationErrors that say where', async () => {
  const { client } = served;
  await expect(client.query('Sample', {}, { filter: 'data.age >' }).all()).rejects.toMatchObject({
    name: 'ValidationError',
    details: { line: 1, column: 10 },
  });
  await expect(client.query('Sample', { colour: 'red' }).all()).rejects.toMatchObject({
    name: 'ValidationError',
    details: { field: 'colour' },
  });
  await expect(client.query('Sample').page({ limit: 1001 })).rejects.toBeInstanceOf(ValidationError);
  await expect(client.query('Sample').page({ cursor: 'nonsense' })).rejects.toBeInstanceOf(ValidationError);
  await expect(client.history('Sample', 's00').page({ cursor: 'nonsense' })).rejects.toBeInstanceOf(
    ValidationError,
  );
  await expect(client.query('Nothing').all()).rejects.toBeInstanceOf(SchemaError);
});

test('null and NaN are no values of a field filter', async () => {
  await expect(served.client.query('Sample', { site: null as unknown as string }).all()).rejects.toThrow(
    'use the filter data.site == null',
  );
  await expect(served.client.query('Sample', { age: Number.NaN }).count()).rejects.toBeInstanceOf(
    ValidationError,
  );
});

test('leaving the loop early requests no more pages', async () => {
  let requests = 0;
  const counting = served.connect({
    fetch: (input, init) => {
      requests++;
      return fetch(input, init);
    },
  });
  for await (const entity of counting.query('Sample', {}, { pageSize: 3 })) if (entity.id === 's01') break;
  expect(requests).toBe(1);
});

test('history is chronological, by pages, by event types, as far as a time', async () => {
  const { client } = served;
  const { id } = await client.create('Sample', { name: 'v1' });
  for (let i = 2; i <= 6; i++) await client.update('Sample', id, { name: `v${i}` });
  const events = await client.history('Sample', id, { pageSize: 2 }).all();
  expect(events.map(({ eventType }) => eventType)).toEqual([
    'EntityCreated',
    ...Array<string>(5).fill('EntityUpdated'),
  ]);
  expect(events.map(({ timestamp }) => timestamp)).toEqual(events.map(({ timestamp }) => timestamp).sort());
  expect(events[1]).toMatchObject({
    entityId: id,
    entityType: 'Sample',
    actor: 'user:admin',
    payload: { previous_state: { name: 'v1' }, new_state: { name: 'v2' }, changed_fields: ['name'] },
  });
  expect(await client.history('Sample', id, { eventTypes: ['EntityCreated'] }).all()).toHaveLength(1);
  expect(await client.history('Sample', id, { asOf: events[2]?.timestamp }).all()).toHaveLength(3);
  expect(await client.history('Sample', id, { asOf: '2001-01-01T00:00:00Z' }).all()).toEqual([]);
});

test('history of what is not there, or is of another type, is an EntityNotFoundError', async () => {
  await expect(served.client.history('Sample', 'nobody').all()).rejects.toBeInstanceOf(EntityNotFoundError);
  await expect(served.client.history('Donor', 's00').all()).rejects.toMatchObject({
    name: 'EntityNotFoundError',
    entityType: 'Donor',
    entityId: 's00',
  });
});

test('search finds words in any order, best first, over pages', async () => {
  const { client } = served;
  const hits = await client.search<Sample>('Sample', 'SAMPLE 1', { pageSize: 2 }).all();
  expect(ids(hits).sort()).toEqual(['s01', 's10']); // the last word may be a prefix
  expect(hits[0]?.score).toBeGreaterThanOrEqual(hits[1]?.score ?? 0);
  expect(ids(await client.search('Sample', 'biops').all())).toEqual(['b1']);
  expect(ids(await client.search('Sample', 'sample 11', { includeUnavailable: true }).all())).toEqual([
    's11',
  ]);
  await expect(client.search('Sample', ' ').all()).rejects.toBeInstanceOf(ValidationError);
});
