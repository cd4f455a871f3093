// `explainFilter`: the part of a filter that the database evaluates, the residue, and the indexes it uses
// (docs/reference/metadata.md#explaining-a-filter).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asSuperuser } from '../testkit/database.ts';
import { loopShare } from '../testkit/loop-share.ts';
import { callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

const EXPLAIN =
  'query($t: String, $f: String!, $o: String, $at: DateTime) { explainFilter(entityType: $t, filter: $f, orderBy: $o, asOf: $at) { pushed left reasons indexes readsTable } }';
interface Explanation {
  pushed: string[];
  left: string[];
  reasons: string[];
  indexes: string[];
  readsTable: boolean;
}

let metadata: FreshMetadata;
const explain = async (f: string, more: Record<string, unknown> = {}): Promise<Explanation> =>
  (await metadata.ask(EXPLAIN, { f, ...more }, callerWith('viewer', ['alpha']))) as Explanation;

beforeAll(async () => {
  metadata = await freshMetadata();
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: {
      name: 'Thing',
      version: '1',
      fields: [
        { name: 'n', field_type: 'int' },
        { name: 'group', field_type: 'string' },
      ],
    },
  });
  const entities = Array.from({ length: 5000 }, (_, i) => ({
    entityType: 'Thing',
    id: `t${i}`,
    data: { n: i, group: `g${i % 1000}` },
  }));
  await metadata.ask('mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created } }', {
    e: entities,
  });
  await asSuperuser(
    'ANALYZE metadata.entity, metadata.provenance',
    new URL(metadata.database.url).pathname.slice(1),
  );
});
afterAll(() => metadata[Symbol.asyncDispose]());

test('equality is found by the index over data', async () => {
  expect(await explain('data.group == "g7"', { t: 'Thing' })).toEqual({
    pushed: ['data.group == "g7"'],
    left: [],
    reasons: [],
    indexes: ['entity_data_idx'],
    readsTable: false,
  });
});

test('terms that the database cannot evaluate are left, with the reason', async () => {
  const { pushed, left, reasons } = await explain('data.group == "g7" && data.n * 2.0 > 10.0');
  expect({ pushed, left, reasons }).toEqual({
    pushed: ['data.group == "g7"'],
    left: ['(data.n * 2.0) > 10.0'],
    reasons: ['function _*_'],
  });
});

test('a filter without an index reads the table, or walks it in the requested order', async () => {
  const plain = await explain('data.n > 4990', { t: 'Thing', o: 'data.n' });
  expect([plain.readsTable, plain.indexes.includes('entity_data_idx')]).toEqual([true, false]);
  expect((await explain('data.group == "g7"', { t: 'Thing', at: '2999-01-01T00:00:00Z' })).indexes).toContain(
    'entity_data_idx',
  );
});

test('a faulty filter is refused as in a listing', async () => {
  await expect(explain('data.n >')).rejects.toThrow('VALIDATION_FAILED');
  await expect(explain('true', { t: 'Nothing' })).rejects.toThrow('VALIDATION_FAILED: unknown entity type');
});

test('long filters of one operation are compiled one at a time, and others run between them', async () => {
  const long = (i: number): string =>
    Array.from({ length: 100 }, (_, k) => `data.f${k} == ${i * 1000 + k}`).join(' || ');
  const aliases = (root: string, below: string): string =>
    `{ ${Array.from({ length: 20 }, (_, i) => `a${i}: ${root}(entityType: "Thing", filter: "${long(i)}") { ${below} }`).join(' ')} }`;
  const share = (source: string): Promise<number> =>
    loopShare(async () => expect((await metadata.raw(source)).errors).toBeUndefined());
  expect(await share(aliases('explainFilter', 'pushed'))).toBeLessThan(0.4);
  const listed = aliases('entities', 'total').replaceAll('data.f', 'data.g');
  expect(await share(listed)).toBeLessThan(0.4);
});
