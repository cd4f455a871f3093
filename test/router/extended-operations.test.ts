// Types that depend on stored data extend the supergraph: they change at any time, without composing,
// planning or preparing anything else again.
import { expect, onTestFinished, test } from 'vitest';
import type { Component, SchemaExtension } from '../../platform/component.ts';
import { createSupergraph } from '../../router/execution/supergraph.ts';
import { admit } from '../../router/graphql/admit.ts';
import { caller, createBooks, createLoans, createPeople, log, permissions } from './library.ts';

/** The books, with a root field `shelf` that a test can change; `read` counts how often its SDL was read. */
class Shelves implements SchemaExtension {
  version = '1';
  rootFields = ['shelf'];
  type = 'Novel';
  read = 0;
  /** What a router that asks anew finds. */
  follow: () => void = () => undefined;
  get sdl(): string {
    this.read++;
    return `extend type Query { shelf: ${this.type} } type ${this.type} { title: String pages: Int }`;
  }
}

async function library() {
  const books = createBooks();
  const shelves = new Shelves();
  const prepared: string[] = [];
  const extended: Component = {
    ...books,
    extension: () => shelves,
    followExtension: () => {
      shelves.follow();
      return Promise.resolve();
    },
    prepare(source, operationName) {
      prepared.push(source);
      return source.includes('shelf')
        ? () => Promise.resolve({ data: { shelf: { title: shelves.type } } })
        : books.prepare(source, operationName);
    },
  };
  const supergraph = await createSupergraph({
    components: [extended, createPeople(), createLoans()],
    permissions: { ...permissions, 'Query.shelf': 'metadata:read' },
    log,
    pollMs: 0,
  });
  onTestFinished(() => supergraph.close());
  return { supergraph, shelves, prepared, state: supergraph.state };
}

const SHELF = '{ shelf { title } }';
const BOOK = '{ book(id: "b1") { __typename title } }';

test('an operation of the extension alone goes whole to its component, under its own permission', async () => {
  const { supergraph } = await library();
  const operation = supergraph.prepare(SHELF);
  expect(operation).toMatchObject({ kind: 'query', strategy: 'direct', permissions: ['metadata:read'] });
  expect(await operation.run({}, caller)).toEqual({ data: { shelf: { title: 'Novel' } } });
  expect(supergraph.prepare(SHELF)).toBe(operation);
});

test('a change of the extension invalidates the prepared operations that use it, and no others', async () => {
  const { supergraph, shelves, prepared, state } = await library();
  const [book, shelf] = [supergraph.prepare(BOOK), supergraph.prepare(SHELF)];
  const before = prepared.length;
  shelves.version = '2';
  shelves.type = 'Atlas';
  expect(supergraph.prepare(BOOK)).toBe(book);
  expect(supergraph.state).toBe(state);
  expect(prepared.length).toBe(before);
  expect(supergraph.prepare(SHELF)).not.toBe(shelf);
  expect(() => supergraph.prepare('{ shelf { colour } }')).toThrow(
    /Cannot query field "colour" on type "Atlas"/,
  );
});

test("a client's document that names a type which this router does not know yet is held against what the component has now", async () => {
  const { supergraph, shelves } = await library();
  const ctx = { req: { method: 'POST' }, caller };
  const ask = (query: string): Promise<unknown> =>
    admit(supergraph, true, 1000, { query, operationName: undefined, variables: {} }, ctx);
  let asked = 0;
  shelves.follow = () => {
    asked++;
    shelves.version = '2';
    shelves.type = 'Atlas';
  };
  await expect(ask('{ book(id: "b1") { colour } }')).rejects.toThrow('Cannot query field "colour"');
  expect(asked).toBe(0);
  expect(await ask('{ shelf { ... on Atlas { title } } }')).toMatchObject({ strategy: 'direct' });
  await expect(ask('{ shelf { colour } }')).rejects.toThrow('Cannot query field "colour" on type "Atlas"');
  expect(asked).toBe(2);
});

test('an operation that does not use the extension does not build it', async () => {
  const { supergraph, shelves } = await library();
  supergraph.prepare(BOOK);
  supergraph.prepare('{ book(id: "b2") { title } }');
  expect(shelves.read).toBe(0);
  supergraph.prepare('{ __schema { types { name } } }');
  expect(shelves.read).toBe(1);
});

test('introspection shows the extension in its current form', async () => {
  const { supergraph, shelves } = await library();
  const ask = '{ __type(name: "Query") { fields { name type { name } } } }';
  const typeOf = async (): Promise<unknown> =>
    (
      (await supergraph.prepare(ask).run({}, caller)).data?.['__type'] as {
        fields: { name: string; type: { name: string } }[];
      }
    ).fields.find((field) => field.name === 'shelf')?.type.name;
  expect(await typeOf()).toBe('Novel');
  shelves.version = '2';
  shelves.type = 'Atlas';
  expect(await typeOf()).toBe('Atlas');
});

test('an extension that does not compose with the graph is left out, and the graph is served', async () => {
  const { supergraph, shelves } = await library();
  shelves.type = 'Book'; // already there
  expect(() => supergraph.prepare(SHELF)).toThrow(/Cannot query field "shelf"/);
  expect(await supergraph.prepare(BOOK).run({}, caller)).toMatchObject({
    data: { book: { __typename: 'Book' } },
  });
  shelves.version = '2';
  shelves.type = 'Atlas';
  expect(supergraph.prepare(SHELF).strategy).toBe('direct');
});

test('introspection of many types does not block others: types are printed a few at a time and executed in a thread', async () => {
  const { supergraph, shelves } = await library();
  let [turn, most, inTurn] = [0, 0, 0];
  let seen = -1;
  const names = Array.from({ length: 600 }, (_, i) => `Shelf${i}`);
  Object.assign(shelves, {
    parts: {
      holds: (name: string) => name === 'Novel',
      types: () => names,
      fields: () => names.map((name) => name.toLowerCase()),
      field: (_: string, name: string) =>
        name.startsWith('shelf') ? `${name}: S${name.slice(1)}` : undefined,
      type: (name: string) => {
        if (!name.startsWith('Shelf')) return undefined;
        [inTurn, seen] = [seen === turn ? inTurn + 1 : 1, turn];
        most = Math.max(most, inTurn);
        return `type ${name} { title: String }`;
      },
    },
  });
  const timer = setInterval(() => undefined, 0);
  let on = true;
  const count = (): void => {
    turn++;
    if (on) setImmediate(count);
  };
  count();
  const { data, texts } = await supergraph
    .prepare('{ book(id: "b1") { title } __schema { types { name fields { name type { name } } } } }')
    .run({}, caller);
  on = false;
  clearInterval(timer);
  expect(data).toBeUndefined();
  expect(JSON.parse(texts?.['book'] ?? '')).toMatchObject({ title: expect.any(String) });
  const types = (
    JSON.parse(texts?.['__schema'] ?? '') as { types: { name: string; fields: { name: string }[] | null }[] }
  ).types;
  expect(types.map(({ name }) => name)).toEqual(expect.arrayContaining(['Book', ...names]));
  expect(types.find(({ name }) => name === 'Novel')?.fields).toHaveLength(602);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(100);
});
