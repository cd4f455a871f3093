// One document has one answer on every execution path and with every transport of its subgraphs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLibrary } from './library.ts';
import { overHttp } from './over-http.ts';
import { createWays, essence, type Variables, type Ways } from './ways.ts';

const DOCUMENTS: readonly (readonly [what: string, source: string, variables?: Variables])[] = [
  ['one subgraph, as finished text', '{ book(id: "b1") { id title } }'],
  ['one subgraph', '{ book(id: "b1") { id title pages extra tags } }'],
  ['nothing there', '{ book(id: "none") { id title author { name } } }'],
  ['two subgraphs', '{ book(id: "b1") { id title author { name } } }'],
  [
    'three subgraphs',
    'query($id: ID!) { book(id: $id) { title author { name friends(first: 1) { name } } loans { due person { name } } } }',
    { id: 'b1' },
  ],
  ['a list over three subgraphs', '{ books { title readers { name loans { due book { title } } } } }'],
  [
    'order of the client, not of the plan',
    '{ book(id: "b1") { loans { due } title author { name id } id } }',
  ],
  [
    'aliases',
    '{ first: book(id: "b1") { t: title w: author { n: name } } second: book(id: "b2") { t: pages w: readers { n: name } } }',
  ],
  [
    'aliases of __typename',
    '{ book(id: "b1") { kind: __typename author { kind: __typename name } } rootKind: __typename }',
  ],
  ['a field twice, with different selections', '{ book(id: "b1") { author { id } title author { name } } }'],
  [
    'fragments',
    'query { book(id: "b1") { ...A ...B author { ...P } } } fragment A on Book { title author { id } } fragment B on Book { author { name } id } fragment P on Person { age(unit: "y") }',
  ],
  [
    'inline fragments without a type',
    '{ book(id: "b1") { ... { title } ... @include(if: true) { author { name } } } }',
  ],
  [
    '@include and @skip by variables',
    'query($a: Boolean!, $b: Boolean!) { book(id: "b1") { title @include(if: $a) author @skip(if: $b) { name } loans @include(if: $b) { id } } }',
    { a: false, b: true },
  ],
  [
    'a condition on a root field',
    'query($a: Boolean!) { books { id } people @include(if: $a) { name loans { id } } }',
    { a: false },
  ],
  [
    'a condition on everything',
    'query($a: Boolean!) { books @include(if: $a) { id author { name } } }',
    { a: false },
  ],
  [
    'a condition with a default',
    'query($a: Boolean = true) { book(id: "b1") { author @include(if: $a) { name } } }',
  ],
  [
    'a field conditioned in one place and not in another',
    'query($a: Boolean!) { book(id: "b1") { title ... @include(if: $a) { author { name } } author { id } } }',
    { a: true },
  ],
  ['@requires', '{ books { label(prefix: "a ") } }'],
  [
    '@requires with its own condition',
    'query($p: String) { book(id: "b1") { label(prefix: $p) } }',
    { p: 'x' },
  ],
  [
    'a key of two fields',
    '{ found { __typename ... on Shelf { room number books { title loans { id } } } ... on Book { author { name } } } }',
  ],
  ['an interface', '{ things { id ... on Book { title readers { name } } } }'],
  ['an interface and __typename', '{ things { __typename ... on Thing { id } } }'],
  [
    'default values of variables',
    'query($o: Order = DOWN, $p: Pages = { most: 50 }) { books(order: $o, pages: $p) { id author { name } } }',
  ],
  ['input objects', 'query($p: Pages) { books(pages: $p) { id loans { id } } }', { p: { least: 10 } }],
  ['null in a list', '{ book(id: "b1") { tags author { name } } }'],
  ['several root fields of several subgraphs', '{ people { name } loans { due } books { id } }'],
  ['an object nobody knows', '{ book(id: "b3") { author { name } } }'],
  ['an object nobody knows, below what may be null', '{ books { id readers { id } lastLoan { due } } }'],
  ['a failure in a nullable field', '{ books(order: UP) { id broken } }'],
  ['a failure in a nullable field of an entity', '{ books { id author { name strict } } }'],
  ['a failure in a field that may not be null', '{ books { id brittle author { name } } }'],
  [
    'a failure in an entity fetch, with its path',
    '{ person(id: "p1") { name loans { book { title must } } } }',
  ],
  ['a refusal with a code', '{ failing(code: "not_found") { id } people { name } }'],
  ['a fault that is masked', '{ crash people { name } }'],
  ['a subgraph field that gives null against its type', '{ books { id must } }'],
  [
    'nested lists of entities',
    '{ people { friends { friends { loans { book { title readers { name } } } } } } }',
  ],
  [
    'a shared entity at many places',
    '{ loans { book { title author { name } } person { name loans { book { title } } } } }',
  ],
];

const MUTATIONS: readonly (readonly [string, string])[] = [
  ['one subgraph', 'mutation { rename(id: "b1", title: "N") { title } }'],
  [
    'two subgraphs, in order',
    'mutation { rename(id: "b1", title: "N") { title author { name } } greet(id: "p1") { name loans { id } } again: rename(id: "b2", title: "M") { title } }',
  ],
];

describe.each(['in one process', 'over HTTP'])('subgraphs %s', (transport) => {
  let ways: Ways;
  let close: (() => Promise<unknown>) | undefined;
  beforeAll(async () => {
    if (transport === 'in one process') ways = await createWays(createLibrary());
    else {
      const remotes = await Promise.all(createLibrary().map(overHttp));
      ways = await createWays(remotes.map((r) => r.component));
      close = () => Promise.all(remotes.map((r) => r.close()));
    }
  });
  afterAll(async () => {
    await close?.();
  });

  test.each(DOCUMENTS.map(([what, source, variables = {}]) => ({ what, source, variables })))(
    'answers $what like the stock gateway',
    async ({ source, variables }) => {
      const expected = essence(await ways.stock(source, variables));
      expect(essence(await ways.own(source, variables))).toEqual(expected);
      expect(essence(await ways.planned(source, variables))).toEqual(expected);
    },
  );

  test.each(MUTATIONS)('answers a mutation over %s like the stock gateway', async (_, source) => {
    expect(essence(await ways.own(source))).toEqual(essence(await ways.stock(source)));
  });

  test('takes no variables that do not fit, whichever way, and contacts nobody', async () => {
    for (const source of [
      'query($id: ID!) { book(id: $id) { id title } }',
      'query($id: ID!) { book(id: $id) { pages } }',
      'query($id: ID!) { book(id: $id) { author { name } } }',
    ]) {
      const result = await ways.own(source);
      expect(result.errors?.map((e) => e.extensions)).toEqual([{ code: 'INVALID_REQUEST' }]);
      expect(result).not.toHaveProperty('data');
      expect(result).not.toHaveProperty('texts');
    }
  });

  test('returns the extensions of components beside the data', async () => {
    expect((await ways.own('{ book(id: "b1") { pages } }')).extensions).toMatchObject({ schemaVersion: '7' });
    expect((await ways.own('{ book(id: "b1") { author { name } } }')).extensions).toMatchObject({
      schemaVersion: '7',
    });
  });

  test('masks a fault of a resolver and keeps code and details of a refusal', async () => {
    for (const run of [ways.own, ways.planned, ways.stock]) {
      const { errors } = await run('{ crash failing(code: "conflict") { id } }');
      expect(errors).toEqual(
        expect.arrayContaining([
          { message: 'internal error', path: ['crash'], extensions: { code: 'INTERNAL_ERROR' } },
          {
            message: 'told conflict',
            path: ['failing'],
            extensions: { code: 'CONFLICT', details: { hint: 'look' } },
          },
        ]),
      );
    }
  });
});
