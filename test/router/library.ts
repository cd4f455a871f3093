// Three small subgraphs (books, people, loans) for tests: entities across subgraphs, requirements, abstract
// types, failures.
import pino from 'pino';
import { DomainError } from '../../platform/errors.ts';
import type { Caller } from '../../platform/identity.ts';
import type { OperationContext } from '../../platform/operation-context.ts';
import type { Permission } from '../../platform/permissions.ts';
import type { SchemaModule } from '../../platform/subgraph-module.ts';
import { createLocalComponent, type LocalComponent } from '../../platform/subgraph.ts';

export const log = pino({ level: 'silent' });

export const caller: Caller = {
  actor: 'user:ada',
  roles: ['admin'],
  projects: '*',
  requestId: '5f0c3c3e-6f5e-4a57-9a0f-3f1f6f1f0a01',
};

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@external", "@requires", "@provides", "@interfaceObject"])';

interface Book {
  id: string;
  title: string;
  pages: number;
  authorId: string;
  extra: unknown;
  tags: (string | null)[];
}
const BOOKS: readonly Book[] = [
  {
    id: 'b1',
    title: 'Engines',
    pages: 100,
    authorId: 'p1',
    extra: { a: [1, { b: null }] },
    tags: ['x', null],
  },
  { id: 'b2', title: 'Notes', pages: 20, authorId: 'p2', extra: 'text', tags: [] },
  { id: 'b3', title: 'Lost', pages: 7, authorId: 'nobody', extra: null, tags: ['y'] },
];

export const booksSdl = `${LINK}
scalar JSON
enum Order { UP DOWN }
input Pages { least: Int = 0, most: Int }
interface Thing { id: ID! }
type Book implements Thing @key(fields: "id") { id: ID! title: String! pages: Int! extra: JSON tags: [String] author: Person shelf: Shelf broken: Int brittle: Int! me: Book! }
type Shelf @key(fields: "room number") { room: String! number: Int! books: [Book!]! }
type Person @key(fields: "id") { id: ID! }
union Found = Book | Shelf
type Query {
  book(id: ID!): Book
  books(order: Order = UP, pages: Pages, first: Int): [Book!]!
  things: [Thing!]!
  found: [Found]
  project(project: String): String
  failing(code: String!): Book
  crash: String
}
type Mutation { rename(id: ID!, title: String!): Book, note(data: JSON): String }
`;

const sorted = (args: {
  order?: string;
  pages?: { least?: number; most?: number };
  first?: number;
}): Book[] =>
  BOOKS.filter((b) => b.pages >= (args.pages?.least ?? 0) && b.pages <= (args.pages?.most ?? Infinity))
    .sort((a, b) => (args.order === 'DOWN' ? -1 : 1) * (a.id < b.id ? -1 : 1))
    .slice(0, args.first);

const typed = (book: Book) => ({ __typename: 'Book', ...book });
const bookOf = (id: string): Book | null => BOOKS.find((b) => b.id === id) ?? null;
const shelfOf = (room: string, number: number) => ({
  __typename: 'Shelf',
  room,
  number,
  books: BOOKS.slice(0, number),
});

const booksResolvers = {
  Query: {
    book: (_: unknown, { id }: { id: string }, { extensions }: OperationContext) => {
      extensions.schemaVersion = '7';
      return bookOf(id);
    },
    books: (_: unknown, args: Parameters<typeof sorted>[0]) => sorted(args),
    things: () => BOOKS.map(typed),
    found: () => [typed(BOOKS[0] as Book), null, shelfOf('R', 2)],
    project: (_: unknown, { project }: { project?: string }) => project ?? 'none',
    failing: (_: unknown, { code }: { code: string }) => {
      throw new DomainError(code as 'not_found', `told ${code}`, { hint: 'look' });
    },
    crash: () => {
      throw new Error('the password is hunter2');
    },
  },
  Mutation: {
    rename: (_: unknown, { id, title }: { id: string; title: string }) => {
      const book = bookOf(id);
      return book && { ...book, title };
    },
    note: (_: unknown, { data }: { data?: unknown }) => JSON.stringify(data ?? null),
  },
  Book: {
    author: (book: Book) => ({ id: book.authorId }),
    shelf: (book: Book) => (book.id === 'b3' ? null : { room: 'R', number: book.pages }),
    broken: (book: Book) => {
      if (book.id === 'b2') throw new DomainError('not_found', 'nothing here');
      return 1;
    },
    brittle: (book: Book) => {
      if (book.id === 'b2') throw new Error('secret');
      return 2;
    },
    me: (book: Book) => book,
    __resolveReference: ({ id }: { id: string }) => bookOf(id),
  },
  Shelf: {
    books: (shelf: { number: number }) => BOOKS.slice(0, Math.min(shelf.number, 2)),
    __resolveReference: ({ room, number }: { room: string; number: number }) => shelfOf(room, number),
  },
  Person: {},
};

export const peopleSdl = `${LINK}
type Person @key(fields: "id") { id: ID! name: String! age(unit: String = "years"): String friends(first: Int = 5): [Person!]! strict: Int! }
type Book @key(fields: "id") { id: ID! title: String! @external readers(min: Int): [Person!] label(prefix: String): String @requires(fields: "title") must: String! }
type Query { person(id: ID!): Person, people: [Person!]! }
type Mutation { greet(id: ID!): Person }
`;

interface Person {
  id: string;
  name: string;
  age: number;
}
const PEOPLE: readonly Person[] = [
  { id: 'p1', name: 'Ada', age: 36 },
  { id: 'p2', name: 'Bo', age: 50 },
];
const personOf = (id: string): Person | null => PEOPLE.find((p) => p.id === id) ?? null;

const peopleResolvers = {
  Query: { person: (_: unknown, { id }: { id: string }) => personOf(id), people: () => PEOPLE },
  Mutation: { greet: (_: unknown, { id }: { id: string }) => personOf(id) },
  Person: {
    age: (person: Person, { unit }: { unit: string }) => `${person.age} ${unit}`,
    friends: (person: Person, { first }: { first: number }) =>
      PEOPLE.filter((p) => p !== person).slice(0, first),
    strict: (person: Person) => {
      if (person.id === 'p2') throw new DomainError('conflict', 'too strict');
      return 3;
    },
    __resolveReference: ({ id }: { id: string }) => personOf(id),
  },
  Book: {
    readers: (_: unknown, { min }: { min?: number }) => (min === 9 ? null : PEOPLE),
    label: ({ title }: { title?: string }, { prefix }: { prefix?: string }) => `${prefix ?? ''}${title}`,
    must: ({ id }: { id: string }) => (id === 'b2' ? null : 'must'),
    __resolveReference: (reference: { id: string }) => (reference.id === 'b3' ? null : reference),
  },
};

const loansSdl = `${LINK}
type Loan @key(fields: "id") { id: ID! book: Book! person: Person due: String! }
type Book @key(fields: "id") { id: ID! loans(first: Int): [Loan!]! lastLoan: Loan }
type Person @key(fields: "id") { id: ID! loans: [Loan!]! }
type Query { loan(id: ID!): Loan, loans: [Loan!]! }
`;

interface Loan {
  id: string;
  bookId: string;
  personId: string;
  due: string;
}
const LOANS: readonly Loan[] = [
  { id: 'l1', bookId: 'b1', personId: 'p1', due: '2026-01-01' },
  { id: 'l2', bookId: 'b1', personId: 'p2', due: '2026-02-01' },
  { id: 'l3', bookId: 'b2', personId: 'p1', due: '2026-03-01' },
];

const loansResolvers = {
  Query: {
    loan: (_: unknown, { id }: { id: string }) => LOANS.find((l) => l.id === id) ?? null,
    loans: () => LOANS,
  },
  Loan: {
    book: (loan: Loan) => ({ id: loan.bookId }),
    person: (loan: Loan) => ({ id: loan.personId }),
    __resolveReference: ({ id }: { id: string }) => LOANS.find((l) => l.id === id) ?? null,
  },
  Book: {
    loans: ({ id }: { id: string }, { first }: { first?: number }) =>
      LOANS.filter((l) => l.bookId === id).slice(0, first),
    lastLoan: ({ id }: { id: string }) => LOANS.find((l) => l.bookId === id) ?? null,
    __resolveReference: (reference: { id: string }) => reference,
  },
  Person: {
    loans: ({ id }: { id: string }) => LOANS.filter((l) => l.personId === id),
    __resolveReference: (reference: { id: string }) => reference,
  },
};

const reads = (...fields: string[]): Record<`Query.${string}`, Permission> =>
  Object.fromEntries(fields.map((f) => [`Query.${f}`, 'metadata:read']));

const booksPermissions = {
  ...reads('book', 'books', 'things', 'found', 'project', 'failing', 'crash'),
  'Mutation.rename': 'metadata:write',
  'Mutation.note': 'schema:write',
} as const;
const peoplePermissions = {
  ...reads('person', 'people'),
  'Mutation.greet': 'metadata:write',
} as const;
const loansPermissions = reads('loan', 'loans');
export const permissions: Record<string, Permission> = {
  ...booksPermissions,
  ...peoplePermissions,
  ...loansPermissions,
};

type Definition = SchemaModule<OperationContext> & { name: string };
/** A component whose readiness and context are those of every test. */
export const component = ({ name, ...module }: Definition): LocalComponent =>
  createLocalComponent({
    name,
    modules: [module],
    isReady: async () => true,
    log,
    context: (c) => ({ caller: c, extensions: {} }),
  });

/** The parts for 0 to n-1, separated by spaces. */
export const times = (n: number, part: (i: number) => string): string =>
  Array.from({ length: n }, (_, i) => part(i)).join(' ');

/** Books answer `Query.book` with texts if only id and title are selected. */
export const createBooks = (
  typeDefs = booksSdl,
  more: { resolvers: Record<string, object>; permissions: Record<`Query.${string}`, Permission> } = {
    resolvers: {},
    permissions: {},
  },
): LocalComponent =>
  component({
    name: 'books',
    typeDefs,
    resolvers: {
      ...booksResolvers,
      ...more.resolvers,
      Query: { ...booksResolvers.Query, ...more.resolvers['Query'] },
    },
    permissions: { ...booksPermissions, ...more.permissions },
    texts: {
      'Query.book': (selection) =>
        selection.every((s) => s.name === 'id' || s.name === 'title')
          ? (args) => {
              const book = bookOf(String(args['id']));
              return Promise.resolve(
                book
                  ? `{${selection.map((s) => `${JSON.stringify(s.key)}:${JSON.stringify(book[s.name as 'id'])}`).join(',')}}`
                  : 'null',
              );
            }
          : null,
    },
  });
export const createPeople = (): LocalComponent =>
  component({
    name: 'people',
    typeDefs: peopleSdl,
    resolvers: peopleResolvers,
    permissions: peoplePermissions,
  });
export const createLoans = (): LocalComponent =>
  component({ name: 'loans', typeDefs: loansSdl, resolvers: loansResolvers, permissions: loansPermissions });
export const createLibrary = (): LocalComponent[] => [createBooks(), createPeople(), createLoans()];
