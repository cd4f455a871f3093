import {
  buildSchema,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type GraphQLScalarType,
  parse,
} from 'graphql';
import { expect, test } from 'vitest';
import { mostPerTurn } from '../testkit/per-turn.ts';
import { execution } from '../../platform/run-operation.ts';
import { listVariables } from '../../platform/variables-in-turns.ts';

const schema = buildSchema(`
  scalar Text
  input Item { name: Text!, count: Int = 7, tags: [String!] }
  type Query { names(items: [Item!]!, more: [Int!], limit: Int): [String!]! }
`);
const Text = schema.getType('Text') as GraphQLScalarType; // as declared
let coercions = 0;
Text.parseValue = (value) => {
  coercions++;
  if (value === 'a lie "[0].name"; no') throw new GraphQLError('a text, please');
  return `${String(value)}!`;
};
const fields = schema.getQueryType()?.getFields();
if (fields?.['names'])
  fields['names'].resolve = (
    _,
    { items, limit }: { items: { name: string; count: number }[]; limit: number },
  ) => items.slice(-limit).map(({ name, count }) => `${name}${count}`);

const document = parse(`query Other { names(items: []) }
  query Names($items: [Item!]!, $more: [Int!] = [1], $limit: Int!) { names(items: $items, more: $more, limit: $limit) }`);
const many = (count: number): { name: string }[] =>
  Array.from({ length: count }, (_, i) => ({ name: `n${i}` }));

test('a long list is coerced once, and in turns with others: a few items in each', async () => {
  const run = execution(schema, document, 'Names');
  for (let runs = 0; runs < 5; runs++) {
    // the ordinary executor, and then the compiled one
    coercions = 0;
    const most = await mostPerTurn(
      () => coercions,
      async () => {
        const answer = await run({}, { items: many(2000), limit: 2 });
        expect(answer).toEqual({ data: { names: ['n1998!7', 'n1999!7'] } });
      },
    );
    expect(coercions).toBe(2000);
    expect(most).toBeLessThan(10);
  }
});

const wrong = { name: 'n', count: 'x' };
test.each<[string, Record<string, unknown>]>([
  ['none', { items: many(300), limit: 1 }],
  ['one at the end', { items: [...many(400), wrong], limit: 1 }],
  [
    'of several items and variables',
    { items: [wrong, ...many(300), {}, null, 7, { name: 'n', nam: 1 }], more: ['x'] },
  ],
  ['in a list of an item', { items: [...many(300), { name: 'n', tags: ['a', null, 'b', 3] }], limit: 1 }],
  [
    'whose value looks like the end of a message',
    { items: [...many(300), { name: 'a lie "[0].name"; no' }], limit: 1 },
  ],
  ['fifty, the most that are told', { items: [...many(300), ...Array<unknown>(50).fill(wrong)], limit: 1 }],
  ['more than are told', { items: [...many(300), ...Array<unknown>(80).fill(wrong)], limit: 'x' }],
  ['where another list is missing', { items: many(300), more: null, limit: 1 }],
])('its faults are the executor’s: %s', async (_, variables) => {
  const lists = listVariables(schema, document, 'Names');
  expect(lists?.hasLong(variables)).toBe(true);
  const coercion = await lists?.coerced(variables);
  const definitions = getOperationAST(document, 'Names')?.variableDefinitions ?? [];
  const { coerced, errors } = getVariableValues(schema, definitions, variables, { maxErrors: 50 });
  if (coerced === undefined) {
    const told = coercion && 'errors' in coercion ? coercion.errors : [];
    expect(told.map((error) => error.toJSON())).toEqual(errors?.map((error) => error.toJSON()));
  } else expect(coercion).toEqual({ values: coerced });
});

test('operations without lists, and short lists, are left to the executor', () => {
  expect(
    listVariables(schema, parse('query ($n: Int) { names(items: [], limit: $n) }'), undefined),
  ).toBeUndefined();
  const lists = listVariables(schema, document, 'Names');
  expect(lists?.hasLong({ items: many(256), limit: 1 })).toBe(false);
});
