// Failures of a subgraph in this process: identical for compiled operations, texts and the ordinary executor.
import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import type { ComponentResult } from '../../platform/component.ts';
import { caller, createBooks, createPeople } from './library.ts';

const books = createBooks();

/**
 * The answer of an operation's first run; later runs, when the operation has been compiled, must give the
 * same.
 */
async function run(
  source: string,
  variables: Record<string, unknown> = {},
  as = caller,
  component = books,
): Promise<ComponentResult> {
  const operation = component.prepare(source);
  const first = await operation(variables, as);
  for (let again = 0; again < 4; again++) expect(await operation(variables, as)).toEqual(first);
  return first;
}

test('a DomainError keeps message, code, details and place', async () => {
  expect(await run('{ failing(code: "precondition_failed") { id } }')).toMatchObject({
    data: { failing: null },
    errors: [
      {
        message: 'told precondition_failed',
        path: ['failing'],
        extensions: { code: 'PRECONDITION_FAILED', details: { hint: 'look' } },
      },
    ],
  });
});

test('anything else that is thrown is masked', async () => {
  const { errors } = await run('{ crash books { brittle } }');
  expect(errors).toEqual([
    { message: 'internal error', path: ['crash'], extensions: { code: 'INTERNAL_ERROR' } },
    { message: 'internal error', path: ['books', 1, 'brittle'], extensions: { code: 'INTERNAL_ERROR' } },
  ]);
});

test.each([
  ['an ordinary operation', 'query($id: ID!) { book(id: $id) { pages } }', {}],
  ['texts', 'query($id: ID!) { book(id: $id) { title } }', {}],
  ['an enum', 'query($o: Order) { books(order: $o) { id } }', { o: 'SIDEWAYS' }],
  ['an input object', 'query($p: Pages) { books(pages: $p) { id } }', { p: { most: 'x' } }],
])('variables that do not fit %s are a bad request, and nothing ran', async (_, source, variables) => {
  const result = await run(source, variables);
  expect(result.errors?.map((e) => e.extensions)).toEqual([{ code: 'INVALID_REQUEST' }]);
  expect(Object.keys(result)).not.toContain('data');
});

test('an argument that a variable leaves null against its type is a bad request', async () => {
  const { errors } = await run('query($id: ID = "b1") { book(id: $id) { pages } }', { id: null });
  expect(errors?.[0]?.extensions?.['code']).toBe('INVALID_REQUEST');
});

test("a null against a type is our fault, not the client's", async () => {
  const { errors } = await run(
    'query($r: [_Any!]!) { _entities(representations: $r) { ... on Book { must } } }',
    { r: [{ __typename: 'Book', id: 'b2' }] },
    caller,
    createPeople(),
  );
  expect(errors?.[0]).toMatchObject({ message: 'internal error', extensions: { code: 'INTERNAL_ERROR' } });
});

test('roles are checked again in the subgraph, for ordinary operations and for texts', async () => {
  for (const source of [
    'mutation { rename(id: "b1", title: "x") { title } }',
    '{ book(id: "b1") { title } }',
    '{ book(id: "b1") { pages } }',
  ]) {
    const { errors } = await run(source, {}, { ...caller, roles: [] });
    expect(errors?.[0]?.extensions?.['code']).toBe('INSUFFICIENT_ROLE');
  }
});

const literal = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom("'", '`${1}`', '"', '\\', '\u2028', '\n', "');throw 1;//", '*/', '__proto__'),
);

test.prop([literal])(
  'a string in a document is a value, never code, in arguments and in defaults',
  async (value) => {
    const text = JSON.stringify(value);
    expect((await run(`{ project(project: ${text}) book(id: "b1") { pages } }`)).data?.['project']).toBe(
      value,
    );
    expect((await run(`query($p: String = ${text}) { project(project: $p) }`)).data?.['project']).toBe(value);
    expect((await run(`mutation($d: JSON = { a: [${text}] }) { note(data: $d) }`)).data?.['note']).toBe(
      JSON.stringify({ a: [value] }),
    );
    expect((await run(`mutation { note(data: { a: ${text}, b: [${text}] }) }`)).data?.['note']).toBe(
      JSON.stringify({ a: value, b: [value] }),
    );
  },
);
