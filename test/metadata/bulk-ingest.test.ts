// Many entities in one call: outcomes by position, isolated failures, preserved order; and its speed compared
// with a plain COPY.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';
import { startServer } from '../testkit/server.ts';

const SCHEMA = 'mutation($d: JSON!) { createSchema(definition: $d) { name } }';
const BULK = `mutation($e: [IngestedEntity!]!, $c: ProvenanceContext, $b: Boolean) {
  ingestEntities(entities: $e, context: $c, bypassValidation: $b) { created updated unchanged results { id entityType version data createdAt updatedAt project } changes errors { index code message ruleId details } } }`;
const SAMPLE = {
  name: 'Sample',
  version: '1',
  rules: [{ rule_id: 'adult', expression: '!has(data.age) || data.age >= 18', message: 'too young' }],
  fields: [
    { name: 'label', field_type: 'string', required: true },
    { name: 'age', field_type: 'int' },
    { name: 'code', field_type: 'string', unique: true },
    { name: 'project', field_type: 'string' },
    { name: 'population', field_type: 'string' },
    { name: 'collected', field_type: 'date' },
    { name: 'depth', field_type: 'float' },
    { name: 'tags', field_type: 'string', many: true },
  ],
};
interface Outcome {
  created: number;
  updated: number;
  unchanged: number;
  results: ({
    id: string;
    version: number;
    createdAt: string;
    updatedAt: string;
    data: Record<string, unknown>;
  } | null)[];
  changes: (string | null)[];
  errors: { index: number; code: number; message: string; ruleId: string | null; details: unknown }[];
}

let metadata: FreshMetadata;
const ask = async <T>(...args: Parameters<FreshMetadata['ask']>): Promise<T> =>
  (await metadata.ask(...args)) as T;
const bulk = (
  entities: readonly Record<string, unknown>[],
  caller?: Parameters<FreshMetadata['ask']>[2],
  more: Record<string, unknown> = {},
): Promise<Outcome> =>
  ask<Outcome>(BULK, { e: entities.map((e) => ({ entityType: 'Sample', ...e })), ...more }, caller);

beforeAll(async () => {
  metadata = await freshMetadata();
  await ask(SCHEMA, { d: SAMPLE });
});
afterAll(() => metadata[Symbol.asyncDispose]());

/** Of the entries below that are refused. */
const REFUSALS = [
  {
    index: 2,
    code: 422,
    message: 'field label is required',
    ruleId: null,
    details: expect.objectContaining({ entity_type: 'Sample' }),
  },
  {
    index: 4,
    code: 422,
    message: 'too young',
    ruleId: 'adult',
    details: expect.objectContaining({
      rule_id: 'adult',
      entity_id: 'young',
      failures: [expect.objectContaining({ message: 'too young' })],
    }),
  },
  {
    index: 5,
    code: 422,
    message: 'field code must be unique: another Sample has this value',
    ruleId: null,
    details: { field: 'code', entity_type: 'Sample' },
  },
  {
    index: 6,
    code: 422,
    message: 'unknown entity type: Nothing',
    ruleId: null,
    details: { entity_type: 'Nothing' },
  },
  {
    index: 7,
    code: 422,
    message: 'field id must be 1 to 200 visible characters without `/` and `\\`, and neither `.` nor `..`',
    ruleId: null,
    details: { field: 'id' },
  },
  { index: 10, code: 422, message: 'data must be an object', ruleId: null, details: { field: 'data' } },
];

test('each entity is answered at its position: created, updated, unchanged or refused, and no failure stops the others', async () => {
  await bulk([
    { id: 'old', data: { label: 'old', age: 20 } },
    { id: 'same', data: { label: 'same' } },
  ]);
  const outcome = await bulk([
    { id: 'new', data: { label: 'new', code: 'A' } },
    { id: 'old', data: { age: 21 } },
    { data: { age: 30 } },
    { id: 'same', data: { label: 'same' } },
    { id: 'young', data: { label: 'young', age: 3 } },
    { id: 'twin', data: { label: 'twin', code: 'A' } },
    { entityType: 'Nothing', data: {} },
    { id: 'a/b', data: { label: 'x' } },
    { data: { id: 'inner', label: 'inner' } },
    { data: { label: 'generated' } },
    { data: [] },
  ]);
  expect(outcome).toMatchObject({ created: 3, updated: 1, unchanged: 1 });
  expect(outcome.errors).toEqual(REFUSALS);
  expect(outcome.changes).toEqual([
    'CREATED',
    'UPDATED',
    null,
    'UNCHANGED',
    null,
    null,
    null,
    null,
    'CREATED',
    'CREATED',
    null,
  ]);
  expect(outcome.results.map((r) => r && [r.version, r.createdAt === r.updatedAt])).toEqual([
    [1, true],
    [2, false],
    null,
    [1, true],
    null,
    null,
    null,
    null,
    [1, true],
    [1, true],
    null,
  ]);
  expect(outcome.results[9]?.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7/);
  for (const result of outcome.results) {
    if (result)
      expect(
        await ask(
          'query($id: ID!) { entity(id: $id) { id entityType version data createdAt updatedAt project } }',
          { id: result.id },
        ),
      ).toEqual(result);
  }
});

test('the second of two entries with one id is merged into the first', async () => {
  const outcome = await bulk([
    { id: 'd', data: { label: 'one', age: 40 } },
    { id: 'd', data: { label: 'two' } },
    { id: 'd', data: { label: 'two' } },
  ]);
  expect(outcome).toMatchObject({
    created: 1,
    updated: 1,
    unchanged: 1,
    results: [{ version: 1 }, { version: 2, data: { label: 'two', age: 40 } }, { version: 2 }],
  });
});

test('projects hold row by row, roles for the whole call', async () => {
  const alpha = callerWith('analyst', ['alpha']);
  await bulk([{ id: 'beta-1', data: { label: 'b', project: 'beta' } }]);
  const outcome = await bulk(
    [
      { data: { label: 'a', project: 'alpha' } },
      { data: { label: 'b', project: 'beta' } },
      { id: 'beta-1', data: { label: 'mine' } },
    ],
    alpha,
  );
  expect(outcome).toMatchObject({
    created: 1,
    errors: [
      { index: 1, code: 403 },
      { index: 2, code: 404 },
    ],
  });
  await expect(bulk([{ data: { label: 'x' } }], callerWith('viewer'))).rejects.toThrow('INSUFFICIENT_ROLE');
});

test('the context is stored with every event and records a bypass', async () => {
  const outcome = await bulk(
    [
      { id: 'c1', data: { label: 'x', age: 3 } },
      { id: 'c2', data: { label: 'y' } },
    ],
    undefined,
    { c: '{"notes":  "n"}', b: true },
  );
  expect(outcome).toMatchObject({ created: 2, errors: [] });
  const { rows } = await metadata.database.pool.query<{ context: string }>(
    `SELECT context::text FROM metadata.provenance WHERE entity_id IN ('c1', 'c2')`,
  );
  expect(rows.map((r) => r.context)).toEqual(
    Array.from({ length: 2 }, () => '{"notes":  "n","bypass_validation":true}'),
  );
});

test('a call has its limits: 5000 entities; nothing of a longer one is written', async () => {
  await expect(bulk(Array.from({ length: 5001 }, () => ({ data: { label: 'x' } })))).rejects.toThrow(
    'VALIDATION_FAILED: a call may contain at most 5000 entities, not 5001',
  );
  expect(await bulk([])).toEqual({
    created: 0,
    updated: 0,
    unchanged: 0,
    results: [],
    changes: [],
    errors: [],
  });
});

test('over HTTP: a call of a thousand, its failures by position; a body over 10 MiB is refused', async () => {
  await using server = await startServer();
  await server.rest('POST', '/api/v1/metadata/schemas', { body: SAMPLE });
  const e = Array.from({ length: 1000 }, (_, i) => ({
    entityType: 'Sample',
    id: `s${i}`,
    data: i % 100 === 0 ? { age: i } : { label: `sample ${i}`, age: 18 + (i % 50) },
  }));
  const { status, body } = await server.graphql(BULK, { e });
  expect(status).toBe(200);
  expect(body.data.ingestEntities).toMatchObject({ created: 990, updated: 0, unchanged: 0 });
  expect(body.data.ingestEntities.errors.map((error: { index: number }) => error.index)).toEqual(
    Array.from({ length: 10 }, (_, i) => i * 100),
  );
  const large = await server.graphql(BULK, {
    e: [{ entityType: 'Sample', data: { label: 'x'.repeat(11 * 1024 * 1024) } }],
  });
  expect(large.status).toBe(413);
});
