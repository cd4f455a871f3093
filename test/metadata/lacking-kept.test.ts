// What is kept of the entities that lack a value of an indexed field: read once, and only used for the log that it is from.
import { expect, test, vi } from 'vitest';
import type { Queryable } from '../../platform/queryable.ts';
import { LackingStore } from '../../subgraphs/metadata/entities/lacking.store.ts';
import { pageSql } from '../../subgraphs/metadata/entities/page-sql.ts';
import { compileOrderApart } from '../../subgraphs/metadata/reading/order.ts';
import type { PageRequest } from '../../subgraphs/metadata/reading/page-request.ts';
import { callerWith, freshMetadata } from '../testkit/metadata.ts';

test('what is kept is read once and then brought up to date, and of another log it is not used', async () => {
  await using metadata = await freshMetadata();
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: { name: 'Marked', version: '1', fields: [{ name: 'n', field_type: 'int', indexed: true }] },
  });
  await metadata.ask('mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created } }', {
    e: Array.from({ length: 30 }, (_, i) => ({
      entityType: 'Marked',
      id: `m${i}`,
      data: i % 3 === 0 ? {} : { n: i },
    })),
  });
  const { pool } = metadata.database;
  const by = compileOrderApart('data.n', null, () => 'number');
  const request: PageRequest = {
    types: ['Marked'],
    conditions: [],
    availableOnly: false,
    identity: callerWith('admin'),
    order: by ?? [],
    limit: 1000,
    offset: 0,
    after: null,
    at: null,
  };
  const rowsOf = async (asked: PageRequest): Promise<string[]> => {
    const values: unknown[] = [];
    const { text } = pageSql(asked, values);
    return (await pool.query<{ id: string }>(text, values)).rows.map(({ id }) => id);
  };
  const store = new LackingStore();
  const { lacking: known } = await store.beside(pool, request);
  expect(known?.creations.length).toBe(10);
  expect((await store.beside(pool, request)).lacking).toBe(known);
  const descending = { ...request, order: request.order.map((key) => ({ ...key, descending: true })) };
  expect((await store.beside(pool, descending)).lacking).toBe(known);
  const all = await rowsOf(request);
  expect(await rowsOf({ ...request, ...(known ? { lacking: known } : {}) })).toEqual(all);
  // false to the log that it names, and so to be told from one that is looked at
  const [position = ''] = known?.mark.split(' ') ?? [];
  const wrong = { creations: [], upTo: null };
  expect(await rowsOf({ ...request, lacking: { ...wrong, mark: known?.mark ?? '' } })).not.toEqual(all);
  expect(
    await rowsOf({
      ...request,
      lacking: { ...wrong, mark: `${position} 00000000-0000-4000-8000-000000000000` },
    }),
  ).toEqual(all);
});

test('a cut list that is old is read anew, not brought up to date through all that has changed since', async () => {
  await using metadata = await freshMetadata();
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: { name: 'Marked', version: '1', fields: [{ name: 'n', field_type: 'int', indexed: true }] },
  });
  await metadata.ask('mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created } }', {
    e: Array.from({ length: 1100 }, (_, i) => ({ entityType: 'Marked', id: `m${i}`, data: {} })),
  });
  const { pool } = metadata.database;
  const sent: string[] = [];
  const noting = {
    query(text: string, values: unknown[]) {
      sent.push(text);
      return pool.query(text, values);
    },
  } as unknown as Queryable; // of the overloads the one that is used
  const request: PageRequest = {
    types: ['Marked'],
    conditions: [],
    availableOnly: false,
    identity: callerWith('admin'),
    order: compileOrderApart('data.n', null, () => 'number') ?? [],
    limit: 10,
    offset: 0,
    after: null,
    at: null,
  };
  const store = new LackingStore();
  expect((await store.beside(noting, request)).lacking?.upTo).not.toBeNull();
  const clock = vi.spyOn(performance, 'now');
  try {
    const began = performance.now();
    clock.mockImplementation(() => began + 3000);
    await store.beside(noting, request);
    clock.mockImplementation(() => began + 60_000);
    await store.beside(noting, request);
  } finally {
    clock.mockRestore();
  }
  expect(sent.map((text) => text.includes('e.last_event >'))).toEqual([false, true, false]);
});
