// An operation may combine a component's extension with the rest of the graph: each part is sent to its
// component, and the results form one answer.
import { fc, test } from '@fast-check/vitest';
import { expect, onTestFinished } from 'vitest';
import type { Component } from '../../platform/component.ts';
import { DomainError } from '../../platform/errors.ts';
import { createSupergraph } from '../../router/execution/supergraph.ts';
import { booksSdl, caller, createBooks, createLoans, createPeople, log, permissions } from './library.ts';
import { Author, STEADY } from './random-author.ts';
import { createWays, essence } from './ways.ts';

const SDL = `
extend type Query { shelf: Hall! }
type Hall { novel(of: String = "b1", where: Where): Novel novels(of: [String!]): [Novel] strict: Int! }
type Novel { name: String book: Book books: [[Book]] sequel: Novel }
input Where { eq: String }`;
const novel = (id: string): object => ({ id });
const book = (id: string): object => ({ id, title: `T ${id}`, pages: 1, authorId: 'p1', tags: [] });
const MORE = {
  resolvers: {
    Query: { shelf: () => ({}) },
    Hall: {
      novel: (_: unknown, { of, where }: { of: string | null; where?: { eq?: string } | null }) =>
        novel(where?.eq ?? of ?? 'b1'),
      novels: (_: unknown, { of }: { of?: string[] }) =>
        (of ?? ['b1', 'b2']).map((id) => (id === 'none' ? null : novel(id))),
      strict: () => {
        throw new DomainError('conflict', 'too strict');
      },
    },
    Novel: {
      name: ({ id }: { id: string }) => {
        if (id === 'b3') throw new DomainError('not_found', 'nameless');
        return `N ${id}`;
      },
      book: ({ id }: { id: string }) => (id === 'b0' ? null : book(id)),
      books: ({ id }: { id: string }) => [[book(id), null], [book('b2')]],
      sequel: () => novel('b2'),
    },
  },
  permissions: { 'Query.shelf': 'metadata:read' },
} as const;

const WIDE = { tokens: 50_000, depth: 100, rootFields: 200, aliases: 1000, directives: 1000, fields: 5000 };
interface Asked {
  readonly name: string;
  readonly source: string;
  readonly variables: unknown;
}
async function library() {
  const asked: Asked[] = [];
  const watched = <One extends Component>(component: One): One => ({
    ...component,
    prepare(source, operationName) {
      const run = component.prepare(source, operationName);
      return (variables, who) => {
        asked.push({ name: component.name, source, variables });
        return run(variables, who);
      };
    },
  });
  const own = createBooks();
  const whole = createBooks(booksSdl + SDL, MORE);
  const books: Component = {
    ...own,
    extension: () => ({ version: '1', rootFields: ['shelf'], sdl: SDL }),
    prepare: (source, name) => (source.includes('shelf') ? whole : own).prepare(source, name),
  };
  const supergraph = await createSupergraph({
    components: [watched(books), watched(createPeople()), watched(createLoans())],
    permissions: { ...permissions, 'Query.shelf': 'metadata:read' },
    log,
    pollMs: 0,
    limits: WIDE,
  });
  onTestFinished(() => supergraph.close());
  const run = (source: string, variables: Record<string, unknown> = {}, name?: string) =>
    supergraph.prepare(source, name).run(variables, caller);
  return { supergraph, asked, run, whole };
}

test('fields of other components combine with the extension, and the answer has the order of the selection', async () => {
  const { supergraph, asked, run } = await library();
  const source =
    '{ __typename people { name } shelf { novel { name } } book(id: "b2") { title loans { due } } again: shelf { novel(of: "b2") { name } } }';
  expect(supergraph.prepare(source)).toMatchObject({
    strategy: 'plan',
    permissions: ['metadata:read'],
    introspects: false,
  });
  const { data, errors } = await run(source);
  expect(errors).toBeUndefined();
  expect(JSON.stringify(data)).toBe(
    '{"__typename":"Query","people":[{"name":"Ada"},{"name":"Bo"}],"shelf":{"novel":{"name":"N b1"}},"book":{"title":"Notes","loans":[{"due":"2026-03-01"}]},"again":{"novel":{"name":"N b2"}}}',
  );
  expect(asked.filter(({ source: text }) => text.includes('shelf'))).toHaveLength(1);
});

test('introspection in the same operation includes the extension', async () => {
  const { supergraph, run } = await library();
  for (const source of [
    '{ shelf { novel { name } } ...{ hall: __type(name: "Hall") { name } } }',
    'query { ...A shelf { novel { name } } } fragment A on Query { hall: __type(name: "Hall") { name } }',
  ]) {
    expect(supergraph.prepare(source).introspects).toBe(true);
    expect((await run(source)).data).toEqual({ hall: { name: 'Hall' }, shelf: { novel: { name: 'N b1' } } });
  }
  expect((await run('{ ... { hall: __type(name: "Hall") { name } } }')).data).toEqual({
    hall: { name: 'Hall' },
  });
});

test('root fragments, aliases and conditions divide as fields do', async () => {
  const { asked, run } = await library();
  const source = `query Q($yes: Boolean!, $no: Boolean!) { ...Both ... on Query @include(if: $no) { off: shelf { novel { name } } people { name } } ... @skip(if: $no) { on: shelf { novel { name } } } }
    fragment Both on Query { shelf @include(if: $yes) { novel { ...N } } loan(id: "l1") @include(if: $yes) { due } hidden: loan(id: "l2") @skip(if: $yes) { due } } fragment N on Novel { name }`;
  expect(JSON.stringify((await run(source, { yes: true, no: false })).data)).toBe(
    '{"shelf":{"novel":{"name":"N b1"}},"loan":{"due":"2026-01-01"},"on":{"novel":{"name":"N b1"}}}',
  );
  expect((await run(source, { yes: false, no: true })).data).toEqual({
    off: { novel: { name: 'N b1' } },
    people: [{ name: 'Ada' }, { name: 'Bo' }],
    hidden: { due: '2026-02-01' },
  });
  expect(asked.map(({ name }) => name)).not.toContain(undefined);
});

test('each part of the plan gets the variables that it uses, with their defaults', async () => {
  const { asked, run } = await library();
  const source =
    'query Q($id: ID!, $of: String! = "b2", $where: Where, $n: Int) { shelf { novel(of: $of) { name } other: novel(where: $where) { name } } loan(id: $id) { due } books(first: $n) { id } }';
  expect((await run(source, { id: 'l3', where: { eq: 'b9' } })).data).toMatchObject({
    shelf: { novel: { name: 'N b2' }, other: { name: 'N b9' } },
    loan: { due: '2026-03-01' },
  });
  expect(asked.find(({ source: text }) => text.includes('shelf'))?.variables).toEqual({
    of: 'b2',
    where: { eq: 'b9' },
  });
  expect(asked.find(({ name }) => name === 'loans')?.variables).toEqual({ id: 'l3' });
  expect(await run(source, { id: 'l3', where: { eq: 1 } })).toMatchObject({
    errors: [{ extensions: { code: 'INVALID_REQUEST' } }],
  });
  expect(await run(source, { where: {} })).not.toHaveProperty('data');
});

test('errors of all parts are returned, each with its path', async () => {
  const { run } = await library();
  const { data, errors } = await run(
    '{ first: failing(code: "conflict") { id } shelf { novel(of: "b3") { name } } crash people { name } }',
  );
  expect(data).toEqual({
    first: null,
    shelf: { novel: { name: null } },
    crash: null,
    people: [{ name: 'Ada' }, { name: 'Bo' }],
  });
  expect(errors?.map(({ path, extensions }) => [path?.join('.'), extensions?.['code']]).sort()).toEqual([
    ['crash', 'INTERNAL_ERROR'],
    ['first', 'CONFLICT'],
    ['shelf.novel.name', 'NOT_FOUND'],
  ]);
  const broken = await run('{ people { name } shelf { strict } }');
  expect(broken).toMatchObject({
    data: null,
    errors: [{ path: ['shelf', 'strict'], extensions: { code: 'CONFLICT' } }],
  });
});

test('fields of other components on objects of the extension are fetched in one batch afterwards', async () => {
  const { supergraph, asked, run } = await library();
  const source = `query Q($n: Int) { shelf { novel { book { id ...B } sequel { book { label(prefix: "- ") } } }
    novels(of: ["b1", "none", "b2", "b0"]) { name book { lastLoan { person { name } } } books { loans(first: $n) { due } } } } } fragment B on Book { title loans(first: $n) { due person { name } } }`;
  expect(supergraph.prepare(source).strategy).toBe('plan');
  const { data, errors } = await run(source, { n: 1 });
  expect(errors).toBeUndefined();
  const due = (text: string): object => ({ loans: [{ due: text }] });
  expect(data).toEqual({
    shelf: {
      novel: {
        book: { id: 'b1', title: 'T b1', loans: [{ due: '2026-01-01', person: { name: 'Ada' } }] },
        sequel: { book: { label: '- T b2' } },
      },
      novels: [
        {
          name: 'N b1',
          book: { lastLoan: { person: { name: 'Ada' } } },
          books: [[due('2026-01-01'), null], [due('2026-03-01')]],
        },
        null,
        {
          name: 'N b2',
          book: { lastLoan: { person: { name: 'Ada' } } },
          books: [[due('2026-03-01'), null], [due('2026-03-01')]],
        },
        { name: 'N b0', book: null, books: [[{ loans: [] }, null], [due('2026-03-01')]] },
      ],
    },
  });
  expect(asked.filter(({ name }) => name === 'books')).toHaveLength(1);
  // one per place in the document, however many objects
  expect(asked.filter(({ name }) => name === 'loans')).toHaveLength(3);
});

test('selections excluded by constants are not requested', async () => {
  const { supergraph, run } = await library();
  const source =
    'query Q($yes: Boolean!) { shelf { novel { book { id ... @include(if: $yes) { must @skip(if: $yes) label @skip(if: $yes) } } } } }';
  for (const yes of [true, false])
    expect(await run(source, { yes })).toMatchObject({ data: { shelf: { novel: { book: { id: 'b1' } } } } });
  expect(supergraph.prepare(source).strategy).toBe('plan');
});

test('errors of later fetches have the paths of the answer', async () => {
  const { run } = await library();
  const { data, errors } = await run('{ shelf { novels { book { id lastLoan { person { strict } } } } } }');
  expect(data).toEqual({
    shelf: {
      novels: [
        { book: { id: 'b1', lastLoan: { person: { strict: 3 } } } },
        { book: { id: 'b2', lastLoan: { person: { strict: 3 } } } },
      ],
    },
  });
  expect(errors).toBeUndefined();
  const failed = await run('{ shelf { novels { book { id must } } } people { strict } }');
  expect(failed.data).toBeNull();
  expect(failed.errors?.map(({ path }) => path?.join('.'))).toEqual(
    expect.arrayContaining(['people.1.strict', 'shelf.novels.1.book.must']),
  );
});

test('of a document with several operations, only the one that is named is run, whatever the others use', async () => {
  const { supergraph, run } = await library();
  const source =
    'query A { shelf { novel { ...N } } } query B { people { name } } query C { shelf { novel { name } } loan(id: "l1") { due } } mutation D { greet(id: "p1") { name } } fragment N on Novel { name }';
  expect((await run(source, {}, 'A')).data).toEqual({ shelf: { novel: { name: 'N b1' } } });
  expect((await run(source, {}, 'B')).data).toEqual({ people: [{ name: 'Ada' }, { name: 'Bo' }] });
  expect((await run(source, {}, 'C')).data).toEqual({
    shelf: { novel: { name: 'N b1' } },
    loan: { due: '2026-01-01' },
  });
  expect(supergraph.prepare(source, 'D')).toMatchObject({
    kind: 'mutation',
    permissions: ['metadata:write'],
  });
  expect(() => supergraph.prepare(source)).toThrow('several operations');
  expect(() => supergraph.prepare(source, 'E')).toThrow('no operation named "E"');
});

test('random operations get the answers of a graph composed with the extension', async () => {
  const { supergraph, run, whole } = await library();
  const composed = await createWays([whole, createPeople(), createLoans()]);
  const { schema } = composed.supergraph.state;
  expect(schema.getQueryType()?.getFields()['shelf']).toBeDefined();
  let ways = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.gen(),
      fc.record({
        id: fc.constantFrom('b1', 'b2', 'p1'),
        n: fc.constantFrom(0, 1, 9),
        yes: fc.boolean(),
        no: fc.boolean(),
      }),
      async (draw, variables) => {
        // where conditions exclude each other, or a field with them requires another component's, the planner
        // itself loses fields, in each plan different ones
        const drawn = new Author(draw, schema)
          .document()
          .replaceAll(/\blabel(?:\([^)]*\))?/g, 'id')
          .replaceAll('@skip(if: $yes)', '@include(if: $yes)')
          .replaceAll('@include(if: $no)', '@skip(if: $no)');
        const source = drawn.includes('shelf')
          ? drawn
          : drawn.replace('{', '{ drawn: shelf { novels { book { __typename id loans { due } } } } ');
        const told = ({ data, errors }: ReturnType<typeof essence>): unknown => [
          data,
          /brittle|must|strict/.test(source) ? errors.length > 0 : errors,
        ];
        if (supergraph.prepare(source).strategy === 'plan') ways++;
        expect(told(essence(await run(source, variables))), source).toEqual(
          told(essence(await composed.stock(source, variables))),
        );
      },
    ),
    { seed: STEADY, numRuns: 150, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false },
  );
  expect(ways).toBeGreaterThan(0);
});
