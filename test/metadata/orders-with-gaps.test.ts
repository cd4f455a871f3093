// The order by a marked field that entities may lack: its index gives the same pages as no index, whoever asks.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unseal } from '../../platform/sealed-text.ts';
import { asSuperuser } from '../testkit/database.ts';
import { callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

const SCHEMA = 'mutation($d: JSON!) { createSchema(definition: $d) { name } }';
const BULK =
  'mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created updated errors { message } } }';
const LIST = `query($t: String, $f: String, $o: String, $c: String, $at: DateTime, $n: Int, $from: Int, $u: Boolean) {
  entities(entityType: $t, filter: $f, orderBy: $o, cursor: $c, asOf: $at, limit: $n, offset: $from, includeUnavailable: $u) { items { id data } total nextCursor } }`;
const ENTITIES = 600;
const ORDERS = ['data.n', '-data.n', 'data.t', '-data.t,-created_at', 'data.full', '-data.full'];

interface Page {
  items: { id: string; data: Record<string, unknown> }[];
  total: number;
  nextCursor: string | null;
}
type Caller = Parameters<FreshMetadata['ask']>[2];

let metadata: FreshMetadata;
const ask = async <T>(...args: Parameters<FreshMetadata['ask']>): Promise<T> =>
  (await metadata.ask(...args)) as T;
const define = (name: string, version: string, fields: object[], parent?: string) =>
  ask(SCHEMA, { d: { name, version, parent, fields } });
const fieldsOf = (indexed: boolean, required = false) => [
  { name: 'n', field_type: 'float', indexed },
  { name: 't', field_type: 'string', indexed },
  { name: 'full', field_type: 'int', indexed, required },
  { name: 'kind', field_type: 'string' },
  { name: 'project', field_type: 'string' },
];

/** Reproducible numbers below 1. */
const numbers = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};
const random = numbers(20_261_123);
const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T; // never empty
const dataOf = () => {
  const [n, t] = [random(), random()];
  return {
    ...(n < 0.2 ? {} : { n: n < 0.25 ? null : oneOf([0, -1.5, 3, 1e21, Math.floor(random() * 40)]) }),
    ...(t < 0.2
      ? {}
      : { t: t < 0.25 ? null : oneOf(['', 'a', 'B', 'ä', '𝄞', '\uffff', `x${Math.floor(random() * 40)}`]) }),
    full: Math.floor(random() * 50),
    kind: oneOf(['one', 'two']),
    project: oneOf(['alpha', 'beta']),
  };
};

/** The number of every entity of a list, page after page. */
async function numbersOf(variables: Record<string, unknown>, caller?: Caller): Promise<string[]> {
  const found: string[] = [];
  for (let c: string | null = null, first = true; first || c !== null; first = false) {
    const page: Page = await ask<Page>(LIST, { n: 150, ...variables, c }, ...(caller ? [caller] : []));
    found.push(...page.items.map(({ id }) => id.slice(1)));
    c = page.nextCursor;
  }
  return found;
}
const TYPES = [
  ['Marked', 'Plain'],
  ['MarkedPart', 'PlainPart'],
] as const;

beforeAll(async () => {
  metadata = await freshMetadata();
  await define('Marked', '1', fieldsOf(true));
  await define('MarkedPart', '1', [], 'Marked');
  await define('Plain', '1', fieldsOf(false));
  await define('PlainPart', '1', [], 'Plain');
  const e = Array.from({ length: ENTITIES }, (_, i) => ({
    i,
    part: oneOf(['', 'Part']),
    data: dataOf(),
  })).flatMap(({ i, part, data }) => [
    { entityType: `Marked${part}`, id: `m${i}`, data },
    { entityType: `Plain${part}`, id: `p${i}`, data },
  ]);
  expect(await ask(BULK, { e })).toEqual({ created: 2 * ENTITIES, updated: 0, errors: [] });
  for (let i = 0; i < ENTITIES; i += 11)
    for (const side of ['m', 'p'])
      await ask('mutation($id: ID!) { deleteEntity(id: $id, reason: "test") { id } }', { id: `${side}${i}` });
  await asSuperuser('ANALYZE metadata.entity', new URL(metadata.database.url).pathname.slice(1));
});
afterAll(() => metadata[Symbol.asyncDispose]());

const CONDITIONS = [
  {},
  { f: 'data.kind == "one"' },
  { f: 'data.full > 20' },
  { f: 'data.kind == "one"', u: true },
];

test.each(ORDERS)(
  'the order by %s is the same with the index and without, in pages by cursor and by offset',
  async (o) => {
    for (const [marked, plain] of TYPES)
      for (const conditions of CONDITIONS)
        for (const caller of [undefined, callerWith('viewer', ['alpha'])]) {
          const there = await numbersOf({ t: marked, o, ...conditions }, caller);
          expect(there.length).toBeGreaterThan(50);
          expect(there).toEqual(await numbersOf({ t: plain, o, ...conditions }, caller));
          for (const [from, n] of [
            [0, 1],
            [37, 5],
            [there.length - 3, 50],
            [there.length, 5],
          ]) {
            const page = await ask<Page>(
              LIST,
              { t: marked, o, ...conditions, from, n },
              ...(caller ? [caller] : []),
            );
            expect(page.items.map(({ id }) => id.slice(1))).toEqual(
              there.slice(from, (from ?? 0) + (n ?? 0)),
            );
            expect(page.total).toBe(there.length);
          }
        }
  },
);

test.each(['n', 't'])(
  'pages before a cursor, and from the end, are those of the whole list: %s',
  async (field) => {
    const LAST = `query($o: String, $b: String, $n: Int) { typed { markedList(orderBy: $o, last: $n, before: $b) { nodes { id } pageInfo { startCursor hasPreviousPage } } } }`;
    interface Typed {
      markedList: { nodes: { id: string }[]; pageInfo: { startCursor: string; hasPreviousPage: boolean } };
    }
    for (const o of [`data.${field}`, `-data.${field}`]) {
      const found: string[] = [];
      for (let b: string | null = null, more = true; more;) {
        const { markedList }: Typed = await ask<Typed>(LAST, { o, b, n: 83 });
        found.unshift(...markedList.nodes.map(({ id }) => id.slice(1)));
        ({ startCursor: b, hasPreviousPage: more } = markedList.pageInfo);
      }
      expect(found).toEqual(await numbersOf({ t: 'Plain', o }));
    }
  },
);

test('the index serves it, unless conditions leave open how many match, or the order is another than the index has', async () => {
  const nameOf = async (o: string, f: string | null = null): Promise<unknown> => {
    const { nextCursor } = await ask<Page>(LIST, { t: 'Marked', o, f, n: 1 });
    return (JSON.parse(unseal(nextCursor ?? '') ?? '') as unknown[])[0];
  };
  for (const o of ['data.n', '-data.n', '-data.t,-created_at'])
    for (const f of [null, 'data.kind == "one"', 'data.kind == "one" && data.full > 3'])
      expect(await nameOf(o, f)).toBe(`${o} by index, values apart`);
  for (const f of ['data.kind.startsWith("o")', 'data.full > 3'])
    expect(await nameOf('data.n', f)).toBe('data.n');
  for (const o of ['data.n,id', 'data.n,-created_at', 'data.n,data.t', 'created_at,data.n'])
    expect(await nameOf(o)).toBe(o);
});

test('one who comes to lack a value, or gets one, is seen at once', async () => {
  const lacking = async (): Promise<string[]> =>
    (await numbersOf({ t: 'Marked', o: 'data.full' })).slice(0, 2);
  const before = await lacking();
  await ask(BULK, { e: [{ entityType: 'Marked', id: 'm-none', data: { kind: 'none' } }] });
  expect(await lacking()).toEqual(['-none', before[0]]);
  await ask(BULK, { e: [{ entityType: 'Marked', id: 'm-none', data: { full: 99 } }] });
  expect(await lacking()).toEqual(before);
  expect((await numbersOf({ t: 'Marked', o: '-data.full' }))[0]).toBe('-none');
});

test('a cursor goes on in its order when the field becomes required, or is marked meanwhile', async () => {
  const begin = (t: string, o: string) => ask<Page>(LIST, { t, o, n: 10 });
  const rest = (t: string, o: string, c: string | null) => ask<Page>(LIST, { t, o, c, n: 1000 });
  const [whole, unmarked] = [
    await numbersOf({ t: 'Plain', o: 'data.full' }),
    await begin('Plain', 'data.full'),
  ];
  await define('Plain', '2', fieldsOf(true));
  const marked = await begin('Plain', 'data.full');
  await define('Plain', '3', fieldsOf(true, true));
  for (const { items, nextCursor } of [unmarked, marked]) {
    expect(items.map(({ id }) => id.slice(1))).toEqual(whole.slice(0, 10));
    expect((await rest('Plain', 'data.full', nextCursor)).items.map(({ id }) => id.slice(1))).toEqual(
      whole.slice(10),
    );
  }
  const required = await begin('Plain', 'data.full');
  await define('Plain', '4', fieldsOf(true));
  await expect(rest('Plain', 'data.full', required.nextCursor)).rejects.toThrow(
    'cursor does not come from this list',
  );
});

test('first pages are those of no index, whatever changes between them', async () => {
  await define('Moved', '1', fieldsOf(true));
  await define('MovedPart', '1', [], 'Moved');
  await define('MovedPlain', '1', fieldsOf(false));
  await define('MovedPlainPart', '1', [], 'MovedPlain');
  const put = (n: number, data: Record<string, unknown>) => {
    const part = n % 3 === 0 ? 'Part' : '';
    return ask(BULK, {
      e: [
        { entityType: `Moved${part}`, id: `m${n}-moved`, data },
        { entityType: `MovedPlain${part}`, id: `p${n}-moved`, data },
      ],
    });
  };
  const first = async (
    t: string,
    variables: Record<string, unknown>,
    ...caller: Caller[]
  ): Promise<string[]> =>
    (await ask<Page>(LIST, { ...variables, t, o: 'data.n' }, ...caller)).items.map(({ id }) => id.slice(1));
  let stored = 0;
  for (let round = 0; round < 60; round++) {
    await put(stored++, dataOf());
    await put(stored++, { ...dataOf(), n: null });
    await put(Math.floor(random() * stored), random() < 0.5 ? { n: null } : { n: round });
    for (const caller of [[], [callerWith('viewer', ['beta'])]])
      for (const variables of [{ n: 5 }, { n: 10, from: 15 }, { n: 20, f: 'data.kind == "two"' }])
        for (const part of ['', 'Part'])
          expect(await first(`Moved${part}`, variables, ...caller)).toEqual(
            await first(`MovedPlain${part}`, variables, ...caller),
          );
  }
  expect(await numbersOf({ t: 'Moved', o: 'data.n' })).toEqual(
    await numbersOf({ t: 'MovedPlain', o: 'data.n' }),
  );
});

test('of many that lack a value the first are kept, until most of them have one', async () => {
  await define('Many', '1', fieldsOf(true));
  await define('ManyPlain', '1', fieldsOf(false));
  const fill = (from: number, to: number, data: Record<string, unknown>) =>
    ask(BULK, {
      e: Array.from({ length: to - from }, (_, i) => i + from).flatMap((i) => [
        { entityType: 'Many', id: `a${i}-many`, data },
        { entityType: 'ManyPlain', id: `b${i}-many`, data },
      ]),
    });
  await fill(0, 1400, { kind: 'one' });
  const areEqual = async (): Promise<void> => {
    for (const variables of [{ n: 100 }, { n: 200, from: 950 }, { n: 1000, from: 100 }]) {
      const of = async (t: string): Promise<string[]> =>
        (await ask<Page>(LIST, { ...variables, t, o: 'data.n' })).items.map(({ id }) => id.slice(1));
      expect(await of('Many')).toEqual(await of('ManyPlain'));
    }
  };
  await areEqual();
  for (const [from, to, data] of [
    [100, 300, { n: 1 }],
    [300, 1100, { n: 2 }],
    [150, 160, { n: null }],
    [0, 1395, { n: 3 }],
  ] as const) {
    await fill(from, to, data);
    await areEqual();
    await sleep(1100); // what is kept is read again
    await areEqual();
  }
  expect(await numbersOf({ t: 'Many', o: '-data.n' })).toEqual(
    await numbersOf({ t: 'ManyPlain', o: '-data.n' }),
  );
});
