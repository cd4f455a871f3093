// docs/reference/metadata.md#differences-of-sets: what differs between two moments of a set is what the lists of these
// moments differ in.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Budget } from '../../platform/budget/budget.ts';
import { withBudget } from '../../platform/budget/budgeted.ts';
import { DEFAULT_OPERATION_LIMITS } from '../../platform/budget/limits.ts';
import { isSameJson } from '../../platform/canonical-json.ts';
import { encodeCursor } from '../../platform/paging.ts';
import { admin, callerWith } from '../testkit/metadata.ts';
import {
  ask,
  AVAILABILITY,
  CALLERS,
  INGEST,
  lastInstant,
  LIST,
  metadata,
  NAMES,
  RELATE,
  REPLACE,
  setUp,
  step,
  type Step,
} from './as-of-testkit.ts';

setUp();

const ITEM =
  'entityId entityType kind before { id data version isAvailable updatedAt } after { id data version isAvailable updatedAt } differences { field kind before after } jsonPatch';
const DIFF = `query($t: String, $f: String, $q: String, $p: [FieldFilter!], $u: Boolean, $from: DateTime!, $to: DateTime, $n: Int, $after: String) {
  entitiesDiff(entityType: $t, filter: $f, q: $q, fields: $p, includeUnavailable: $u, from: $from, to: $to, first: $n, after: $after) { items { ${ITEM} } nextCursor } }`;
const LINES = `subscription($t: String, $f: String, $q: String, $p: [FieldFilter!], $u: Boolean, $from: DateTime!, $to: DateTime) {
  exportEntitiesDiff(entityType: $t, filter: $f, q: $q, fields: $p, includeUnavailable: $u, from: $from, to: $to) { lines count } }`;
const PAST = '2000-01-01T00:00:00Z';

interface State {
  readonly id: string;
  readonly data: Record<string, unknown>;
  readonly version: number;
  readonly isAvailable: boolean;
}
interface Item {
  readonly entityId: string;
  readonly entityType: string;
  readonly kind: 'ADDED' | 'REMOVED' | 'CHANGED';
  readonly before: State | null;
  readonly after: State | null;
  readonly differences: readonly unknown[];
  readonly jsonPatch: readonly unknown[];
}
interface Paged {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}
type Variables = Readonly<Record<string, unknown>>;

const diff = (variables: Variables, caller = CALLERS[0]): Promise<Paged> => ask(DIFF, variables, caller);

/** All of it, in pages of two. */
async function whole(variables: Variables, caller = CALLERS[0]): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let after: string | null = null; ;) {
    const page: Paged = await diff({ ...variables, n: 2, after }, caller);
    items.push(...page.items);
    if (page.nextCursor === null) return items;
    expect(page.items).toHaveLength(2);
    after = page.nextCursor;
  }
}

async function lines(variables: Variables, caller = CALLERS[0]): Promise<readonly Record<string, unknown>[]> {
  if (caller === undefined) throw new Error('there is a caller');
  const found: Record<string, unknown>[] = [];
  for await (const { data, errors } of await metadata.component.subscribe(LINES, variables, caller)) {
    expect(errors).toBeUndefined();
    const block = data?.['exportEntitiesDiff'] as { lines: string; count: number };
    const some = block.lines.split('\n').slice(0, -1);
    expect(some).toHaveLength(block.count);
    found.push(...some.map((line) => JSON.parse(line) as Record<string, unknown>));
  }
  return found;
}

async function listed(
  variables: Variables,
  at: string,
  caller = CALLERS[0],
): Promise<ReadonlyMap<string, State>> {
  const page = await ask<{ readonly items: readonly State[] }>(LIST, { ...variables, at, n: 1000 }, caller);
  return new Map(page.items.map((one) => [one.id, one]));
}

/** What two lists differ in, by id. */
const expected = (
  before: ReadonlyMap<string, State>,
  after: ReadonlyMap<string, State>,
): ReadonlyMap<string, string> =>
  new Map(
    [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
      const [was, is] = [before.get(id), after.get(id)];
      if (was === undefined) return [[id, 'ADDED']];
      if (is === undefined) return [[id, 'REMOVED']];
      return isSameJson(was.data, is.data) && was.isAvailable === is.isAvailable ? [] : [[id, 'CHANGED']];
    }),
  );

async function take(one: Step, run: string): Promise<void> {
  const id = (short: string): string => `${run}${short}`;
  const write = (): Promise<unknown> => {
    switch (one[0]) {
      case 'write': {
        const { next, ...data } = one[2];
        return ask(INGEST, {
          t: one[3] ? 'SubThing' : 'Thing',
          id: id(one[1]),
          d: { ...data, ...(next === undefined ? {} : { next: id(next) }) },
        });
      }
      case 'availability':
        return ask(AVAILABILITY, { id: id(one[1]), a: one[2] });
      case 'relate':
        return ask(RELATE, { s: id(one[1]), t: id(one[2]), y: one[3] });
      case 'supersede':
        return ask(REPLACE, { s: id(one[1]), t: id(one[2]) });
      default:
        return Promise.resolve();
    }
  };
  await write().catch((refused: unknown) => {
    expect(String(refused)).toMatch(/NOT_FOUND|VALIDATION_FAILED|CONFLICT/);
  });
}

const SETS: readonly Variables[] = [
  {},
  { t: 'Thing' },
  { t: 'Thing', u: true },
  { t: 'SubThing' },
  { t: 'Thing', f: 'data.n > 1' },
  { t: 'Thing', f: 'data.word == "red"', u: true },
  { t: 'Thing', f: 'data.n * 2.0 > 3.0' },
  { f: 'updated_at > created_at && version > 1' },
  { t: 'Thing', f: '!is_available' },
  { t: 'Thing', f: 'version * 2 > 3', u: true },
  { t: 'Thing', p: [{ name: 'word', values: ['red', 'blue'] }] },
  { t: 'SubThing', p: [{ name: 'project', values: ['alpha'] }], f: 'data.n >= 0' },
  { t: 'Thing', q: 're' },
  { q: 'blue', u: true },
  { t: 'Thing', q: 'red', f: 'data.n * 2.0 > 3.0' },
  { t: 'SubThing', q: 'gre', f: 'data.n >= 0', p: [{ name: 'project', values: ['alpha'] }] },
  { t: 'Thing', q: '!' },
];

test('the differences of any two moments are those of the two lists, for any set and caller', async () => {
  let n = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 25 }),
      fc.tuple(fc.nat(), fc.nat()),
      async (steps, [first, second]) => {
        const run = `${n++}-`;
        const times: string[] = [await lastInstant()];
        for (const one of steps) {
          await take(one, run);
          times.push(await lastInstant());
        }
        // also backwards, and of the same moment
        const [from = PAST, to = PAST] = [times[first % times.length], times[second % times.length]];
        for (const set of SETS) await compare(set, [from, to], CALLERS[n % CALLERS.length]);
      },
    ),
    { numRuns: 25 },
  );
});

async function compare(
  set: Variables,
  [from, to]: readonly [string, string],
  caller = CALLERS[0],
): Promise<void> {
  const [before, after] = [await listed(set, from, caller), await listed(set, to, caller)];
  const items = await whole({ ...set, from, to }, caller);
  expect(new Map(items.map(({ entityId, kind }) => [entityId, kind]))).toEqual(expected(before, after));
  expect(new Set(items.map(({ entityId }) => entityId)).size).toBe(items.length);
  for (const item of items) {
    expect(item.before).toEqual(pick(before.get(item.entityId)));
    expect(item.after).toEqual(pick(after.get(item.entityId)));
    expect(item.differences).toHaveLength(item.jsonPatch.length);
  }
  expect(await lines({ ...set, from, to }, caller)).toMatchObject(
    items.map(({ entityId, entityType, kind, differences, jsonPatch }) => ({
      entity_id: entityId,
      entity_type: entityType,
      kind,
      differences,
      json_patch: jsonPatch,
    })),
  );
}

const pick = (state: (State & { updatedAt?: string }) | undefined): object | null =>
  state === undefined
    ? null
    : {
        id: state.id,
        data: state.data,
        version: state.version,
        isAvailable: state.isAvailable,
        updatedAt: state.updatedAt,
      };

test('a filter that was true before and is not now removes from the set, and the reverse adds to it', async () => {
  for (const id of ['in', 'out', 'stays'])
    await ask(INGEST, { t: 'Thing', id, d: { n: id === 'out' ? 1 : 900 } });
  const from = await lastInstant();
  await ask(INGEST, { t: 'Thing', id: 'out', d: { n: 901 } });
  await ask(INGEST, { t: 'Thing', id: 'in', d: { n: 2 } });
  await ask(INGEST, { t: 'Thing', id: 'stays', d: { n: 902, word: 'new' } });
  expect(await diff({ t: 'Thing', f: 'data.n >= 900', from })).toMatchObject({
    items: [
      { entityId: 'out', kind: 'ADDED', before: null, after: { data: { n: 901 } } },
      {
        entityId: 'in',
        kind: 'REMOVED',
        after: null,
        differences: [{ field: 'n', kind: 'REMOVED', before: 900 }],
        jsonPatch: [{ op: 'remove', path: '/n' }],
      },
      {
        entityId: 'stays',
        kind: 'CHANGED',
        differences: [
          { field: 'n', kind: 'CHANGED', before: 900, after: 902 },
          { field: 'word', kind: 'ADDED', before: null, after: 'new' },
        ],
      },
    ],
    nextCursor: null,
  });
});

test('another availability is a change where both lists have the entity; another version alone is none', async () => {
  const ids = ['shut', 'back'];
  for (const id of ids) await ask(INGEST, { t: 'Thing', id, d: { n: 1 } });
  const from = await lastInstant();
  await ask(AVAILABILITY, { id: 'shut', a: false });
  for (const n of [2, 1]) await ask(INGEST, { t: 'Thing', id: 'back', d: { n } });
  const { items } = await diff({ t: 'Thing', u: true, from });
  expect(items).toMatchObject([
    { entityId: 'shut', kind: 'CHANGED', after: { isAvailable: false }, differences: [], jsonPatch: [] },
  ]);
  // what a filter that is checked one by one says of versions counts all the same
  expect((await diff({ t: 'Thing', f: 'version * 2 > 3', from })).items).toMatchObject([
    { entityId: 'back', kind: 'ADDED', before: null },
  ]);
});

test('a page later compares the same two moments, whatever was written meanwhile', async () => {
  const from = await lastInstant();
  for (const name of NAMES) await ask(INGEST, { t: 'Thing', id: `late-${name}`, d: { n: 1 } });
  const page = await diff({ t: 'Thing', from, n: 4 });
  for (const name of NAMES) await ask(INGEST, { t: 'Thing', id: `late-${name}`, d: { n: 2 } });
  await ask(INGEST, { t: 'Thing', id: 'later', d: { n: 2 } });
  const rest = await diff({ t: 'Thing', from, n: 4, after: page.nextCursor });
  expect([...page.items, ...rest.items].map(({ entityId, after }) => [entityId, after?.data['n']])).toEqual(
    NAMES.map((name) => [`late-${name}`, 1]),
  );
  expect(rest.nextCursor).toBeNull();
});

test('an entity that moved to a foreign project is removed from what the caller sees', async () => {
  const caller = callerWith('viewer', ['alpha']);
  await ask(INGEST, { t: 'Thing', id: 'moves', d: { project: 'alpha', word: 'ours' } });
  const from = await lastInstant();
  await ask(INGEST, { t: 'Thing', id: 'moves', d: { project: 'beta', word: 'theirs' } });
  await ask(INGEST, { t: 'Thing', id: 'hidden', d: { project: 'beta', word: 'theirs' } });
  const { items } = await diff({ t: 'Thing', from }, caller);
  expect(items).toMatchObject([{ entityId: 'moves', kind: 'REMOVED', after: null }]);
  expect(JSON.stringify(items)).not.toMatch(/theirs|beta/);
});

test('states that are only looked at do not count towards what an operation may read', async () => {
  const from = await lastInstant();
  for (let n = 0; n < 30; n++)
    await ask(INGEST, { t: 'Thing', id: `large-${n}`, d: { n, word: 'x'.repeat(1000) } });
  const within = async (bytes: number, variables: Variables): Promise<Paged> => {
    const budget = new Budget({ ...DEFAULT_OPERATION_LIMITS, bytes }, admin);
    try {
      return await budget.within(diff({ ...variables, from }, withBudget(admin, budget)));
    } finally {
      budget.close();
    }
  };
  const one = { t: 'Thing', f: 'data.n * 2.0 == 58.0' };
  expect((await within(10_000, one)).items).toMatchObject([{ entityId: 'large-29' }]);
  await expect(within(500, one)).rejects.toThrow(/bytes/);
  await expect(within(10_000, { t: 'Thing' })).rejects.toThrow(/bytes/);
  await ask(INGEST, { t: 'Thing', id: 'large-5', d: { n: 5, word: `needle ${'y'.repeat(500)}` } });
  expect((await within(10_000, { t: 'Thing', q: 'needle' })).items).toMatchObject([{ entityId: 'large-5' }]);
  await expect(within(500, { t: 'Thing', q: 'needle' })).rejects.toThrow(/bytes/);
});

test('what is no type, filter, size or cursor is refused', async () => {
  for (const [wrong, message] of [
    [{ t: 'Nothing' }, /unknown entity type/],
    [{ f: 'data.' }, /VALIDATION_FAILED/],
    [{ n: 0 }, /first must be an integer/],
    [{ n: 1001 }, /first must be an integer/],
    [{ q: ' ' }, /q is required/],
    [{ q: 'a '.repeat(6000) }, /q must be at most/],
    [{ after: 'x' }, /cursor does not come from this list/],
    [{ after: encodeCursor(['0', '9999999', '0']) }, /cursor does not come from this list/],
    [{ t: 'Thing', p: [{ name: 'nothing', values: ['x'] }] }, /unknown field/],
  ] as const)
    await expect(diff({ from: PAST, ...wrong })).rejects.toThrow(message);
});
