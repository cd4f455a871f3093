// Many entities in one call, all or none, as productions write them.
import { expect, test } from 'vitest';
import { loopShare } from '../testkit/loop-share.ts';
import { freshMetadata } from '../testkit/metadata.ts';

const SCHEMA = 'mutation($d: JSON!) { createSchema(definition: $d) { name } }';
const INGEST = `mutation($e: [IngestedEntity!]!, $together: Boolean!) {
  ingestEntities(entities: $e, allOrNothing: $together) { created updated unchanged results { id } errors { index code message } }
}`;
const COUNT = '{ entities(entityType: "Cell") { total } }';
const cell = (id: string, data: Record<string, unknown>) => ({ entityType: 'Cell', id, data });

test('with allOrNothing nothing is written if one entity is refused, and the answer names it', async () => {
  await using metadata = await freshMetadata();
  await metadata.ask(SCHEMA, {
    d: {
      name: 'Cell',
      version: '1',
      fields: [{ name: 'label', field_type: 'string', required: true, unique: true }],
    },
  });
  const bulk = (e: unknown, together = true) =>
    metadata.ask(INGEST, { e, together }) as Promise<{
      created: number;
      results: unknown[];
      errors: { index: number; code: number }[];
    }>;

  const typed = await bulk([cell('a', { label: 'a' }), cell('b', { label: 5 }), cell('c', { label: 'c' })]);
  expect(typed).toMatchObject({ created: 0, results: [null, null, null], errors: [{ index: 1, code: 422 }] });
  const twice = await bulk([cell('a', { label: 'a' }), cell('b', { label: 'b' }), cell('c', { label: 'a' })]);
  expect(twice).toMatchObject({
    created: 0,
    errors: [{ index: 2, code: 422, message: expect.stringContaining('unique') }],
  });
  expect(await metadata.ask(COUNT)).toEqual({ total: 0 });

  const good = await bulk([cell('a', { label: 'a' }), cell('b', { label: 'b' })]);
  expect(good).toMatchObject({ created: 2, results: [{ id: 'a' }, { id: 'b' }], errors: [] });
  expect(await bulk([cell('a', { label: 'a' }), cell('b', { label: 'other' })])).toMatchObject({
    created: 0,
    updated: 1,
    unchanged: 1,
    errors: [],
  });
  expect(await bulk([])).toMatchObject({ created: 0, errors: [] });
});

test('many entities in one all-or-nothing call leave the event loop to other requests', async () => {
  await using metadata = await freshMetadata();
  await metadata.ask(SCHEMA, {
    d: { name: 'Cell', version: '1', fields: [{ name: 'any', field_type: 'json' }] },
  });
  const many = Array.from({ length: 4000 }, (_, i) => cell(`c${i}`, { any: { i, text: 'x'.repeat(1000) } }));
  const share = await loopShare(async () => {
    expect(await metadata.ask(INGEST, { e: many, together: true })).toMatchObject({ created: 4000 });
  });
  expect(share).toBeLessThan(0.3);
});
