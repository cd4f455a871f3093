// docs/reference/metadata.md#differences: what differs between states is what makes one of the other.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../platform/identity.ts';
import { applyPatch, type PatchOperation } from '../testkit/apply-patch.ts';
import { callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

interface Told {
  readonly before: { version: number; data: Record<string, unknown> } | null;
  readonly after: { version: number; data: Record<string, unknown> } | null;
  readonly differences: readonly Record<string, unknown>[];
  readonly jsonPatch: readonly PatchOperation[];
}

const DIFF = `query ($id: ID!, $from: DateTime, $to: DateTime, $other: ID) {
  entityDiff(entityId: $id, from: $from, to: $to, toEntityId: $other) {
    before { version data } after { version data } differences { field kind before after } jsonPatch } }`;
const INGEST = `mutation ($id: ID!, $d: JSON!) { ingestEntity(entityType: "Thing", id: $id, data: $d) { updatedAt } }`;
const PAST = '2000-01-01T00:00:00Z';

let metadata: FreshMetadata;
const write = async (id: string, d: unknown): Promise<string> =>
  ((await metadata.ask(INGEST, { id, d })) as { updatedAt: string }).updatedAt;
const diff = async (variables: Record<string, unknown>, caller?: Caller): Promise<Told | null> =>
  (await metadata.ask(DIFF, variables, caller)) as Told | null;

beforeAll(async () => {
  metadata = await freshMetadata();
  const fields = [
    ...['note', 'a/b~c', 'project'].map((name) => ({ name, field_type: 'string' })),
    { name: 'shape', field_type: 'json' },
  ];
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: { name: 'Thing', version: '1', fields },
  });
});
afterAll(() => metadata[Symbol.asyncDispose]());

test('fields that were added and changed, by name, and nothing for the order of members', async () => {
  const first = await write('t', { note: 'one', shape: { a: 1, b: [1, 2] } });
  await write('t', { note: 'two', shape: { b: [1, 2], a: 1 }, 'a/b~c': 'x' });
  expect(await diff({ id: 't', from: first })).toMatchObject({
    before: { version: 1 },
    after: { version: 2 },
    differences: [
      { field: 'a/b~c', kind: 'ADDED', before: null, after: 'x' },
      { field: 'note', kind: 'CHANGED', before: 'one', after: 'two' },
    ],
    jsonPatch: [
      { op: 'add', path: '/a~1b~0c', value: 'x' },
      { op: 'replace', path: '/note', value: 'two' },
    ],
  });
  expect(await diff({ id: 't', to: first })).toMatchObject({
    differences: [
      { field: 'a/b~c', kind: 'REMOVED', before: 'x', after: null },
      { field: 'note', kind: 'CHANGED', before: 'two', after: 'one' },
    ],
    jsonPatch: [
      { op: 'remove', path: '/a~1b~0c' },
      { op: 'replace', path: '/note', value: 'one' },
    ],
  });
});

test('a state that was not there yet is null and empty; without any state the answer is null', async () => {
  await write('late', { note: 'x' });
  expect(await diff({ id: 'late', from: PAST })).toMatchObject({
    before: null,
    differences: [{ field: 'note', kind: 'ADDED' }],
  });
  expect(await diff({ id: 'late', from: PAST, to: PAST })).toBeNull();
  expect(await diff({ id: 'nothing', from: PAST })).toBeNull();
});

test('without a time and without another entity there is nothing to compare', async () => {
  for (const other of [undefined, null, 'same'])
    await expect(diff({ id: 'same', other })).rejects.toThrow(/INVALID_REQUEST: nothing to compare with/);
});

test('an entity of a foreign project is as one that is not there, on either side', async () => {
  await write('ours', { note: 'ours', project: 'p1' });
  await write('theirs', { note: 'secret', project: 'p2' });
  const caller = callerWith('viewer', ['p1']);
  const absent = await diff({ id: 'ours', other: 'nothing' }, caller);
  expect(absent).toMatchObject({ after: null, differences: [{ field: 'note' }, { field: 'project' }] });
  expect(await diff({ id: 'ours', other: 'theirs' }, caller)).toEqual(absent);
  expect(await diff({ id: 'theirs', other: 'ours' }, caller)).toMatchObject({ before: null });
  expect(await diff({ id: 'theirs', from: PAST }, caller)).toBeNull();
});

const SCHEMAS = `query ($name: String!, $version: String, $toName: String, $toVersion: String) {
  schemaDiff(name: $name, version: $version, toName: $toName, toVersion: $toVersion) { before after differences { path kind before after } isComplete jsonPatch } }`;

test('schemas differ in properties, fields and rules, by their names; defaults say nothing', async () => {
  const create = (d: unknown): Promise<unknown> =>
    metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', { d });
  const age = { name: 'age', field_type: 'int', required: false };
  const rule = { rule_id: 'adult', expression: 'data.age > 17', message: 'too young' };
  await create({ name: 'Donor', version: '1', fields: [age], rules: [rule] });
  await create({
    name: 'Donor',
    version: '2',
    description: 'who gave',
    fields: [
      { name: 'site', field_type: 'string' },
      { ...age, indexed: true },
    ],
    rules: [{ ...rule, expression: 'data.age > 20' }],
  });
  const told = await metadata.ask(SCHEMAS, { name: 'Donor', version: '1' });
  expect(told).toMatchObject({ before: { version: '1' }, after: { version: '2' }, isComplete: true });
  const { differences, jsonPatch } = told as {
    differences: Record<string, unknown>[];
    jsonPatch: PatchOperation[];
  };
  const { before, after } = told as Record<'before' | 'after', unknown>;
  expect(applyPatch(before, jsonPatch)).toEqual(after);
  const now = (await metadata.ask('{ schema(name: "Donor") { definition } }')) as { definition: unknown };
  expect(after).toEqual(now.definition);
  expect(jsonPatch).toContainEqual({ op: 'add', path: '/description', value: 'who gave' });
  expect(differences).toEqual([
    { path: ['version'], kind: 'CHANGED', before: '1', after: '2' },
    { path: ['description'], kind: 'ADDED', before: null, after: 'who gave' },
    { path: ['fields', 'age', 'indexed'], kind: 'ADDED', before: null, after: true },
    {
      path: ['fields', 'site'],
      kind: 'ADDED',
      before: null,
      after: expect.objectContaining({ name: 'site' }),
    },
    {
      path: ['rules', 'adult', 'expression'],
      kind: 'CHANGED',
      before: 'data.age > 17',
      after: 'data.age > 20',
    },
  ]);
  expect(await metadata.ask(SCHEMAS, { name: 'Donor', toName: 'Thing' })).toMatchObject({
    before: { version: '2' },
    after: { name: 'Thing' },
  });
  expect(await metadata.ask(SCHEMAS, { name: 'Donor', version: '3' })).toBeNull();
  expect(await metadata.ask(SCHEMAS, { name: 'Donor', toName: 'Nothing' })).toBeNull();
  await expect(metadata.ask(SCHEMAS, { name: 'Donor' })).rejects.toThrow(
    /INVALID_REQUEST: nothing to compare/,
  );
});

const value = fc.oneof(fc.constantFrom(1, 'x', true, null, [1], { a: 1 }), fc.jsonValue({ maxDepth: 2 }));

test('the patch makes any state of another', async () => {
  let n = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 2, maxLength: 4 }), async (shapes) => {
      const id = `p${n++}`;
      const times: string[] = [];
      for (const [i, shape] of shapes.entries())
        times.push(await write(id, { shape, note: i % 2 === 0 ? 'even' : 'odd' }));
      for (const from of times) {
        const told = await diff({ id, from, to: times.at(-1) });
        const { before, after, jsonPatch } = told ?? {};
        expect(applyPatch(before?.data ?? {}, jsonPatch ?? [])).toEqual(after?.data);
        expect(told?.differences).toHaveLength(jsonPatch?.length ?? -1);
      }
    }),
    { numRuns: 15 },
  );
});
