// Operations that one subgraph answers need no plan: which these are, and that their plans would say the same.
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { compose } from '../../router/execution/compose.ts';
import { directComponent, soleComponent } from '../../router/execution/direct.ts';
import { planOperation } from '../../router/execution/planner.ts';
import { operationNamed } from '../../router/execution/prepare-operation.ts';
import { rootFields } from '../../router/execution/root-fields.ts';

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@external", "@requires", "@provides", "@override", "@shareable", "@interfaceObject"])';
const compositionOf = (sdls: Readonly<Record<string, string>>) =>
  compose(new Map(Object.entries(sdls).map(([name, sdl]) => [name, `${LINK}\n${sdl}`])));
const ownersOf = (sdls: Readonly<Record<string, string>>) =>
  Object.fromEntries(compositionOf(sdls).soleOwners);

const HALLS = 'type Query { halls: [Hall!]! same: Int @shareable } type Hall @key(fields: "id") { id: ID! }';

test('a root field of one subgraph is its own, one of several is nobody’s', () => {
  expect(
    ownersOf({
      halls: HALLS,
      seats: `type Query { seats: Int! same: Int @shareable } type Mutation { sit: Int }
        type Hall @key(fields: "id") { id: ID! size: Int! }`,
    }),
  ).toEqual({ 'Query.halls': 'halls', 'Query.seats': 'seats', 'Mutation.sit': 'seats' });
});

test.each([
  [
    'requires',
    'type Hall @key(fields: "id") { id: ID! size: Int! @external area: Int! @requires(fields: "size") }',
  ],
  [
    'provides',
    'type Hall @key(fields: "id") { id: ID! size: Int! @external } extend type Query { best: Hall @provides(fields: "size") }',
  ],
])('a subgraph with @%s owns nothing', (_, more) => {
  expect(
    ownersOf({
      halls: 'type Query { halls: [Hall!]! } type Hall @key(fields: "id") { id: ID! size: Int! @shareable }',
      seats: `type Query { seats: Int! } ${more}`,
    }),
  ).toEqual({ 'Query.halls': 'halls' });
});

test('nor does one with interface objects, or anybody where one overrides another', () => {
  expect(
    ownersOf({
      halls:
        'type Query { rooms: [Room!]! } interface Room @key(fields: "id") { id: ID! } type Hall implements Room @key(fields: "id") { id: ID! }',
      seats:
        'type Query { seats: Int! } type Room @key(fields: "id") @interfaceObject { id: ID! size: Int! }',
    }),
  ).toEqual({ 'Query.rooms': 'halls' });
  expect(
    ownersOf({
      halls: 'type Query { halls: [Hall!]! } type Hall @key(fields: "id") { id: ID! size: Int! }',
      seats:
        'type Query { seats: Int! } type Hall @key(fields: "id") { id: ID! size: Int! @override(from: "halls") }',
    }),
  ).toEqual({});
});

test.each([
  ['{ halls { id } }', 'halls'],
  ['{ halls { id __typename } } ', 'halls'],
  ['query Q($no: Boolean!) { halls @skip(if: $no) { id } }', 'halls'],
  ['{ seats ...on Query { seats } }', 'seats'],
  ['{ halls { size } }', null],
  ['{ halls { id } seats }', null],
  ['{ same }', null],
])('without a plan, %s is for %s', (source, component) => {
  const composition = compositionOf({
    halls: HALLS,
    seats: `type Query { seats: Int! same: Int @shareable } type Hall @key(fields: "id") { id: ID! size: Int! }`,
  });
  const document = parse(source);
  const operation = operationNamed(document, undefined);
  const sole = soleComponent(rootFields(document, operation), document, operation, composition);
  expect(sole).toBe(component);
  const plan = planOperation(composition.planning(), document, undefined);
  if (sole !== null) expect(directComponent(plan, document, operation, composition)).toBe(sole);
});
