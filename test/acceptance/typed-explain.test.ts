// How typed lists and aggregates are read: what explainFilter and explainAggregate tell, of a typed condition.
import { beforeAll, expect, test } from 'vitest';
import { ask, setUp, told } from './typed-graph-testkit.ts';

setUp();

const EXPLANATION = 'explanation { pushed left reasons readsTable servedBy { name why } }';
interface Told {
  readonly pushed: readonly string[];
  readonly left: readonly string[];
}

beforeAll(async () => {
  await told('mutation { typed { createPuddle(input: {id: "p1", label: "north"}) { id } } }');
  await told('mutation { typed { createSpecimen(input: {id: "s1", puddle: "p1", legs: 6}) { id } } }');
});

test('a list tells how it is read, alone and beside its page', async () => {
  const generic = await told<{ explainFilter: Told }>(
    `{ explainFilter(entityType: "Specimen", filter: "(data.state.size() > 3) && (data.legs > 5)") { pushed left reasons readsTable servedBy { name why } } }`,
  );
  const list = `specimenList(where: {legs: {gt: 5}}, filter: "data.state.size() > 3", first: 5)`;
  const alone = await told<{ typed: { specimenList: { explanation: Told } } }>(
    `{ typed { ${list} { __typename ${EXPLANATION} } } }`,
  );
  const { explanation } = alone.typed.specimenList;
  expect([...explanation.pushed, ...explanation.left].join(' ')).toContain('data.legs > 5');
  expect(explanation.left).toEqual(generic.explainFilter.left);
  expect(await told(`{ typed { ${list} { totalCount nodes { id } explanation { left } } } }`)).toEqual({
    typed: {
      specimenList: { totalCount: 1, nodes: [{ id: 's1' }], explanation: { left: explanation.left } },
    },
  });
  expect(await told(`{ typed { specimenList { explanation { pushed left } } } }`)).toEqual({
    typed: { specimenList: { explanation: { pushed: [], left: [] } } },
  });
});

test('an aggregate that would be refused is explained where nothing else of it is asked', async () => {
  const aggregate = `specimenAggregate(filter: "data.legs * 2.0 > 10.0", groupBy: [{field: state}])`;
  const { typed } = await told<{ typed: { specimenAggregate: { explanation: Told } } }>(
    `{ typed { ${aggregate} { ${EXPLANATION} } } }`,
  );
  expect(typed.specimenAggregate.explanation.left).toHaveLength(1);
  const { errors } = await ask(`{ typed { ${aggregate} { totalCount explanation { left } } } }`);
  expect(errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
});

test('what refers to an entity has no explanation of its own, and a faulty filter is refused', async () => {
  expect(
    await told(
      `{ typed { puddle(id: "p1") { referencedBy { specimenByPuddle { totalCount explanation { left } } } } } }`,
    ),
  ).toEqual({
    typed: { puddle: { referencedBy: { specimenByPuddle: { totalCount: 1, explanation: null } } } },
  });
  const { errors } = await ask(`{ typed { specimenList(filter: "data.legs >") { explanation { left } } } }`);
  expect(errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
});
