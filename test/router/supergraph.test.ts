// The supergraph follows its components: what comes, goes, changes or breaks, without a restart and without a
// gap.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'graphql';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Component, PreparedOperation } from '../../platform/component.ts';
import { DomainError } from '../../platform/errors.ts';
import { compose } from '../../router/execution/compose.ts';
import { createSdlFiles } from '../../router/execution/sdl-memory.ts';
import { createStockGateway } from '../../router/execution/stock-gateway.ts';
import {
  createSupergraph,
  type Supergraph,
  type SupergraphOptions,
} from '../../router/execution/supergraph.ts';
import {
  booksSdl,
  caller,
  createBooks,
  createLoans,
  createPeople,
  log,
  peopleSdl,
  permissions,
} from './library.ts';

/** A component that a test can take away, change and bring back, as if it ran elsewhere. */
class Elsewhere implements Component {
  readonly name: string;
  readonly url = 'http://elsewhere.invalid';
  told: string | undefined;
  inner: Component;
  readonly #listeners = new Set<() => void>();

  constructor(inner: Component, told?: string) {
    this.name = inner.name;
    this.inner = inner;
    this.told = told;
  }
  async sdl(): Promise<string> {
    if (this.told === undefined)
      throw new DomainError('component_unavailable', 'away', { component: this.name, upstream_status: null });
    return this.told === '' ? this.inner.sdl() : this.told;
  }
  prepare(source: string, operationName?: string): PreparedOperation {
    return this.inner.prepare(source, operationName);
  }
  probe(): Promise<number | null> {
    return Promise.resolve(this.told === undefined ? null : 200);
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
  tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const SELF = ''; // told: its own SDL

async function supergraphOf(
  components: readonly Component[],
  more: Partial<SupergraphOptions> = {},
): Promise<Supergraph> {
  const supergraph = await createSupergraph({ components, permissions, log, pollMs: 0, ...more });
  onTestFinished(() => supergraph.close());
  return supergraph;
}

const codeOf = (fn: () => unknown): unknown => {
  try {
    fn();
    return undefined;
  } catch (thrown) {
    return thrown instanceof DomainError ? thrown.code : thrown;
  }
};

const BOOK = '{ book(id: "b1") { title } }';
const AUTHOR = '{ book(id: "b1") { author { name } } }';

test('a known document is prepared once, by text and operation name', async () => {
  const supergraph = await supergraphOf([createBooks(), createPeople()]);
  expect(supergraph.prepare(BOOK)).toBe(supergraph.prepare(BOOK));
  const two = 'query A { book(id: "b1") { id } } query B { people { name } }';
  expect(supergraph.prepare(two, 'A')).not.toBe(supergraph.prepare(two, 'B'));
  expect(supergraph.prepare(two, 'B').name).toBe('B');
  expect(codeOf(() => supergraph.prepare(two))).toBe('invalid_request');
  expect(codeOf(() => supergraph.prepare(two, 'C'))).toBe('invalid_request');
});

test('the permissions of an operation are those of its root fields, through fragments', async () => {
  const supergraph = await supergraphOf([createBooks(), createPeople()]);
  expect(
    supergraph.prepare('{ book(id: "b1") { id } ...F } fragment F on Query { people { name } __typename }')
      .permissions,
  ).toEqual(['metadata:read']);
  expect(supergraph.prepare('mutation { rename(id: "b1", title: "x") { id } note }').permissions).toEqual([
    'metadata:write',
    'schema:write',
  ]);
});

test("a root field that is in nobody's table of permissions is denied", async () => {
  const { 'Query.people': _, ...others } = permissions;
  const supergraph = await supergraphOf([createBooks(), createPeople()], { permissions: others });
  expect(codeOf(() => supergraph.prepare('{ people { name } }'))).toBe('insufficient_role');
});

test('the platform starts while a component is away, its root fields answer component_unavailable until it comes', async () => {
  const people = new Elsewhere(createPeople());
  const supergraph = await supergraphOf([createBooks(), people]);
  const trusted = supergraph.bind('{ people { name } }');
  expect(supergraph.missing).toEqual(['people']);
  expect(codeOf(() => supergraph.prepare('{ people { name } }'))).toBe('component_unavailable');
  expect(codeOf(() => supergraph.prepare('{ nonsense }'))).toBe('invalid_request');
  expect((await trusted({}, caller)).errors?.[0]?.extensions).toEqual({
    code: 'COMPONENT_UNAVAILABLE',
    details: { component: 'people', upstream_status: null },
  });
  expect(supergraph.prepare(BOOK).strategy).toBe('direct');

  people.told = SELF;
  await supergraph.refresh();
  expect(supergraph.missing).toEqual([]);
  expect((await supergraph.prepare(AUTHOR).run({}, caller)).data).toEqual({
    book: { author: { name: 'Ada' } },
  });
  expect((await trusted({}, caller)).data).toEqual({ people: [{ name: 'Ada' }, { name: 'Bo' }] });
});

test('a component that is away at a start is composed from its last known SDL', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'sdl-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const memory = createSdlFiles(path.join(directory, 'not', 'made', 'yet'));
  await supergraphOf([createBooks(), new Elsewhere(createPeople(), SELF)], { memory });
  // and no half-written file, nor one of a local component
  expect(await readdir(path.join(directory, 'not', 'made', 'yet'))).toEqual(['people.graphql']);

  const later = await supergraphOf([createBooks(), new Elsewhere(createPeople())], { memory });
  expect(later.missing).toEqual([]);
  expect(later.prepare(AUTHOR).strategy).toBe('plan');
});

test('a component that goes away keeps its place in the schema', async () => {
  const people = new Elsewhere(createPeople(), SELF);
  const supergraph = await supergraphOf([createBooks(), people]);
  const before = supergraph.state;
  people.told = undefined;
  await supergraph.refresh();
  expect(supergraph.state).toBe(before);
});

test('a new SDL is seen when the component tells of it, and listeners hear of the swap', async () => {
  const people = new Elsewhere(
    createPeople(),
    peopleSdl.replace('people: [Person!]!', 'people: [Person!]! folk: [Person!]!'),
  );
  const supergraph = await supergraphOf([createBooks(), people], {
    permissions: { ...permissions, 'Query.folk': 'metadata:read' },
  });
  expect(supergraph.prepare('{ __type(name: "Query") { name } }').introspects).toBe(true);
  people.told = SELF;
  const swapped = new Promise((resolve) => {
    onTestFinished(supergraph.onChange(resolve));
  });
  people.tell();
  expect(await swapped).toBe(supergraph.state);
  expect(codeOf(() => supergraph.prepare('{ folk { name } }'))).toBe('invalid_request');
});

test('remote components are asked for their SDL at the interval', async () => {
  const people = new Elsewhere(createPeople());
  const supergraph = await supergraphOf([createBooks(), people], { pollMs: 20 });
  people.told = SELF;
  await expect.poll(() => supergraph.missing).toEqual([]);
});

test('one that has never given its SDL is asked each second, and no other', async () => {
  const [people, loans] = [new Elsewhere(createPeople()), new Elsewhere(createLoans(), SELF)];
  const supergraph = await supergraphOf([createBooks(), people, loans], { pollMs: 3_600_000 });
  const [missing, known] = [vi.spyOn(people, 'sdl'), vi.spyOn(loans, 'sdl')];
  await expect.poll(() => missing.mock.calls.length).toBe(2);
  expect(known).not.toHaveBeenCalled();
  people.told = SELF;
  await expect.poll(() => supergraph.missing).toEqual([]);
});

test.each([
  ['does not parse', 'type Query {'],
  [
    'does not compose',
    peopleSdl.replace('label(prefix: String): String @requires(fields: "title")', 'title: Int!'),
  ],
])('an SDL that %s leaves the old supergraph in place', async (_, broken) => {
  const people = new Elsewhere(createPeople(), SELF);
  const supergraph = await supergraphOf([createBooks(), people]);
  const before = supergraph.state;
  people.told = broken;
  await supergraph.refresh();
  expect(supergraph.state.supergraphSdl).toBe(before.supergraphSdl);
  expect((await supergraph.prepare(AUTHOR).run({}, caller)).data).toEqual({
    book: { author: { name: 'Ada' } },
  });
});

test('at a start, a component whose SDL does not compose is left out; the others serve', async () => {
  const supergraph = await supergraphOf([
    createBooks(),
    new Elsewhere(createPeople(), 'type Query { book: Int }'),
    new Elsewhere(createLoans(), SELF),
  ]);
  expect(supergraph.missing).toEqual(['people']);
  const { state } = supergraph;
  await supergraph.refresh(); // what has not changed is not composed again
  expect(supergraph.state).toBe(state);
  expect((await supergraph.prepare('{ book(id: "b1") { loans { id } } }').run({}, caller)).data).toEqual({
    book: { loans: [{ id: 'l1' }, { id: 'l2' }] },
  });
});

test('components of this process that do not compose stop the start', async () => {
  await expect(
    supergraphOf([
      createBooks(
        booksSdl.replace(
          'type Person @key(fields: "id") { id: ID! }',
          'type Person @key(fields: "id") { id: ID! @external }',
        ),
      ),
      createPeople(),
    ]),
  ).rejects.toThrow();
});

test('an operation in flight finishes on the composition it began with', async () => {
  const people = new Elsewhere(createPeople(), SELF);
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const inner = people.inner;
  people.inner = {
    ...inner,
    prepare: (source, name) => {
      const run = inner.prepare(source, name);
      return async (v, c) => {
        await gate;
        return run(v, c);
      };
    },
  };
  const supergraph = await supergraphOf([createBooks(), people]);
  const running = supergraph.prepare(AUTHOR).run({}, caller);

  people.told = peopleSdl.replace('name: String!', 'nom: String!');
  await supergraph.refresh();
  expect(codeOf(() => supergraph.prepare(AUTHOR))).toBe('invalid_request');
  release();
  expect((await running).data).toEqual({ book: { author: { name: 'Ada' } } });
});

test('a trusted document that is wrong is found at once', async () => {
  const supergraph = await supergraphOf([createBooks()]);
  expect(codeOf(() => supergraph.bind('{ nonsense }'))).toBe('invalid_request');
});

test('an input field that only one subgraph knows cannot be reached through variables', async () => {
  const narrow = new Elsewhere(
    createPeople(),
    peopleSdl.replace('type Query {', 'input Pages { least: Int } type Query { paged(pages: Pages): Int'),
  );
  const supergraph = await supergraphOf([createBooks(), narrow], {
    permissions: { ...permissions, 'Query.paged': 'metadata:read' },
  });
  const operation = supergraph.prepare('query($p: Pages) { books(pages: $p) { id } }');
  expect(operation.strategy).toBe('plan');
  expect((await operation.run({ p: { most: 1 } }, caller)).errors?.[0]?.message).toMatch(/most/);
  expect((await operation.run({ p: { least: 50 } }, caller)).data).toEqual({ books: [{ id: 'b1' }] });
});

test('nothing leaves the process when the stock gateway is needed', async () => {
  const connect = vi.spyOn(Socket.prototype, 'connect');
  onTestFinished(() => connect.mockRestore());
  const books = createBooks();
  const document = parse('{ book(id: "b1") { pages } }');
  const [operation] = document.definitions;
  const stock = createStockGateway(
    compose(new Map([['books', await books.sdl()]])),
    new Map([['books', books]]),
    log,
  );
  // the one operation
  const result = await stock.bind('{ book(id: "b1") { pages } }', document, operation as never)({}, caller);
  expect(result.data).toEqual({ book: { pages: 100 } });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(connect).not.toHaveBeenCalled();
});
