// Any valid document gets one answer on every path: the router's executor is compared with the stock gateway.
import { fc, test } from '@fast-check/vitest';
import { beforeAll, expect } from 'vitest';
import { createLibrary } from './library.ts';
import { Author, STEADY } from './random-author.ts';
import { createWays, essence, type Ways } from './ways.ts';

let ways: Ways;
beforeAll(async () => {
  ways = await createWays(createLibrary());
});

test.prop(
  [
    fc.gen(),
    fc.record({
      id: fc.constantFrom('b1', 'b2', 'p1'),
      n: fc.constantFrom(0, 1, 9),
      yes: fc.boolean(),
      no: fc.boolean(),
    }),
  ],
  { seed: STEADY, numRuns: 120, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false },
)("random documents get the stock gateway's answer", async (draw, variables) => {
  const source = new Author(draw, ways.supergraph.state.schema).document();
  // below a non-null field, GraphQL does not specify which of several failures are reported
  const told = ({ data, errors }: ReturnType<typeof essence>): unknown => [
    data,
    /brittle|must|strict/.test(source) ? errors.length > 0 : errors,
  ];
  const expected = told(essence(await ways.stock(source, variables)));
  expect(told(essence(await ways.own(source, variables))), source).toEqual(expected);
  expect(told(essence(await ways.planned(source, variables))), source).toEqual(expected);
  for (let again = 0; again < 3; again++) await ways.own(source, variables);
  expect(told(essence(await ways.own(source, variables))), `compiled: ${source}`).toEqual(expected);
});

test.prop([fc.string({ unit: 'grapheme' })])(
  'a literal reaches its subgraph unchanged, also through a query plan',
  async (value) => {
    const text = JSON.stringify(value);
    const mutation = `mutation { note(data: { s: ${text}, n: 1, f: 1.5, b: true, z: null, l: ["A", ${text}], o: { k: ${text} } }) greet(id: "p1") { name } }`;
    expect((await ways.own(mutation)).data).toEqual({
      note: JSON.stringify({ s: value, n: 1, f: 1.5, b: true, z: null, l: ['A', value], o: { k: value } }),
      greet: { name: 'Ada' },
    });
    const variable = 'mutation($d: JSON) { note(data: $d) greet(id: "p1") { name } }';
    const data = JSON.parse(`{"__proto__":{"x":1},"s":${text}}`) as unknown;
    expect((await ways.own(variable, { d: data })).data).toMatchObject({ note: JSON.stringify(data) });
  },
);
