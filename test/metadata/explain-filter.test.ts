// `explainFilter`: the part of a filter that the database evaluates, the residue, and the indexes it uses
// (docs/reference/metadata.md#explaining-a-filter).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

describe('of aggregates', () => {
  const AGGREGATE =
    'query($f: String, $g: [String!]!, $o: [String!]!, $h: String, $at: DateTime) { explainAggregate(entityType: "Thing", filter: $f, groupBy: $g, of: $o, having: $h, asOf: $at) { pushed left reasons indexes readsTable } }';
  const explainAggregate = async (variables: Record<string, unknown>): Promise<Explanation> =>
    (await metadata.ask(
      AGGREGATE,
      { g: [], o: [], ...variables },
      callerWith('viewer', ['alpha']),
    )) as Explanation;

  test('the index by which its entities are found is told, or that all are read', async () => {
    const found = await explainAggregate({ f: 'data.group == "g7"', g: ['group'], o: ['n'], h: 'count > 1' });
    expect(found).toMatchObject({ pushed: ['data.group == "g7"'], left: [], readsTable: false });
    expect(found.indexes).toEqual([expect.stringContaining('entity')]);
    expect(await explainAggregate({ g: ['group'] })).toMatchObject({ pushed: [], left: [], reasons: [] });
    expect(await explainAggregate({ f: 'data.group == "g7"', at: new Date().toISOString() })).toMatchObject({
      left: [],
    });
  });

  test('what would be checked entity by entity is told with its reason, where the aggregate is refused', async () => {
    const f = '[data.n].map(x, x + 1.0).exists(x, x == 3.0) && data.group == "g7"';
    const { pushed, left, reasons } = await explainAggregate({ f });
    expect([pushed, left.length, reasons.length]).toEqual([['data.group == "g7"'], 1, 1]);
    await expect(
      metadata.ask('query($f: String) { aggregate(entityType: "Thing", filter: $f) { total } }', { f }),
    ).rejects.toThrow('cannot check entities one by one');
  });

  test('what the aggregate refuses is refused alike', async () => {
    await expect(explainAggregate({ g: ['nothing'] })).rejects.toThrow('nothing');
    await expect(explainAggregate({ h: 'count >' })).rejects.toThrow('syntax error');
  });
});
