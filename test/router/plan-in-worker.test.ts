// Large documents hold up nobody while they are prepared: planned in another thread, the rest in pieces.
import { QueryPlanner } from '@apollo/query-planner';
import { buildSchema, parse } from 'graphql';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { lazySchema } from '../../platform/lazy-schema.ts';
import { compose } from '../../router/execution/compose.ts';
import { InvalidDocument } from '../../router/execution/invalid-document.ts';
import { planInWorker } from '../../router/execution/plan-in-worker.ts';
import { createSupergraph } from '../../router/execution/supergraph.ts';
import { touchTypes } from '../../router/execution/touch-types.ts';
import { caller, createLibrary, log, permissions, times } from './library.ts';

const supergraph = await createSupergraph({ components: createLibrary(), permissions, log, pollMs: 0 });
const planning = vi.spyOn(QueryPlanner.prototype, 'buildQueryPlan');
afterEach(() => planning.mockClear());
afterAll(() => {
  planning.mockRestore();
});

const wide = (name: string): string =>
  `query ${name} { ${times(12, (r) => `r${r}: book(id: "b${r}") { ${times(7, (i) => `a${i}: label(prefix: "${i}")`)} author { name loans { book { readers { name } } } } }`)} }`;

test('a large document is planned in a thread, with the same answer as planned on the main thread', async () => {
  const operation = await supergraph.prepareInTurns(wide('Wide'), caller);
  expect([operation.strategy, planning.mock.calls.length]).toEqual(['plan', 0]);
  expect(supergraph.prepareInTurns(wide('Wide'), caller)).toBe(operation); // known from now on
  const here = supergraph.prepare(wide('Here'));
  expect(planning).toHaveBeenCalledTimes(1);
  expect(await operation.run({}, caller)).toEqual(await here.run({}, caller));
});

test('a small one is prepared on the main thread, in its turn', async () => {
  const operation = await supergraph.prepareInTurns('{ book(id: "b1") { author { name } } }', caller);
  expect([operation.strategy, planning.mock.calls.length]).toEqual(['plan', 1]);
});

test('an invalid or forbidden document is refused before planning', async () => {
  const faulty = wide('Faulty').replace('readers { name }', 'readers { nonsense }');
  await expect(async () => supergraph.prepareInTurns(faulty, caller)).rejects.toBeInstanceOf(InvalidDocument);
  const check = (): void => {
    throw new Error('too much');
  };
  await expect(async () =>
    supergraph.prepareInTurns(wide('Costly'), caller, undefined, check),
  ).rejects.toThrow('too much');
});

test('a caller with many large documents in the planning queue delays only itself', async () => {
  const sdls = createLibrary().map(async (one) => [one.name, await one.sdl()] as const);
  const composition = compose(new Map(await Promise.all(sdls)));
  let planned = 0;
  const plan = async (actor: string): Promise<number> => {
    await planInWorker(composition, parse(wide('Any')), undefined, { actor });
    return ++planned;
  };
  const greedy = Array.from({ length: 9 }, () => plan('greedy')); // one is planned, and eight wait
  await expect(plan('greedy')).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  expect(await plan('modest')).toBeLessThanOrEqual(3);
  expect(await Promise.all(greedy)).toHaveLength(9);
});

test('types of schemas are built a few at a time', () => {
  const names = Array.from({ length: 50 }, (_, i) => `Kind${i}`);
  let made = 0;
  const schema = lazySchema(buildSchema('type Query { typed: Typed! } type Typed { omitted: [String!]! }'), {
    holds: (name) => name === 'Typed',
    type(name) {
      made++;
      return names.includes(name) ? `type ${name} { name: String! }` : undefined;
    },
    field: (_, name) => `${name}: Kind${name.slice(4)}!`,
    types: () => names,
    fields: () => names.map((name) => name.toLowerCase()),
  });
  const document = parse(`{ typed { ${names.map((name) => `${name.toLowerCase()} { name }`).join(' ')} } }`);
  let most = 0;
  for (const _ of touchTypes(document, schema)) [most, made] = [Math.max(most, made), 0];
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(3);
  most = made = 0;
  for (const _ of touchTypes(document, schema)) most = Math.max(most, made);
  expect(most).toBe(0);
});
