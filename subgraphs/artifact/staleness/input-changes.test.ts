// What differs is found in turns, however many inputs and required entities there are.
import { expect, test } from 'vitest';
import { Turn } from '../../../platform/turns.ts';
import type { CwlInput } from '../cwl/validate.ts';
import type { KnownWorkflow } from '../cwl-source/read-workflow.ts';
import { compareInputs, type Given } from './input-changes.ts';

const entity = (id: string, data: Record<string, unknown>, entityType = `Type${id}`) => ({
  id,
  entityType,
  version: 2,
  isAvailable: true,
  data,
});
const given = (inputs: readonly CwlInput[], before: Record<string, unknown>): Given => ({
  workflow: { inputs } as KnownWorkflow, // nothing else of it is read
  plan: { criteria: {}, bindings: {} },
  parameters: {},
  inputs: before,
  files: new Map(),
  versions: new Map([['a', 1]]),
});
const text = (name: string): CwlInput => ({ name, type: { kind: 'string' }, optional: false });

test('200 inputs of 200 entities are compared while others are served', async () => {
  const names = Array.from({ length: 200 }, (_, i) => `field_${i}`);
  const required = names.map((name, i) => entity(`e${i}`, { [name]: `new ${i}` }));
  const before = Object.fromEntries(names.map((name, i) => [name, i % 2 ? `new ${i}` : 'old']));
  let served = 0;
  let isOver = false;
  const serve = (): void => {
    served++;
    if (!isOver) setImmediate(serve);
  };
  setImmediate(serve);
  const { changes, bound } = await compareInputs(given(names.map(text), before), required, new Turn());
  isOver = true;
  expect(changes.map(({ entityId }) => entityId)).toEqual(names.flatMap((_, i) => (i % 2 ? [] : [`e${i}`])));
  expect(bound).toEqual(required.map(({ id }) => id));
  expect(served).toBeGreaterThan(2);
});

test('what is given as the default is as if it had not been', async () => {
  const inputs: CwlInput[] = [
    { name: 'n', type: { kind: 'int' }, optional: true, default: 3 },
    { name: 'm', type: { kind: 'int' }, optional: true },
  ];
  const changed = async (before: Record<string, unknown>, data: Record<string, unknown>) =>
    (await compareInputs(given(inputs, before), [entity('a', data)], new Turn())).changes.map(
      ({ input }) => input,
    );
  expect(await changed({}, { n: 3 })).toEqual([]);
  expect(await changed({ n: 3 }, {})).toEqual([]);
  expect(await changed({ n: null }, { n: 3 })).toEqual([]);
  expect(await changed({}, { n: 4 })).toEqual(['n']);
  expect(await changed({ n: 4 }, {})).toEqual(['n']);
  expect(await changed({}, { m: 3 })).toEqual(['m']);
});

test("what a second entity would give as well is nobody's, and inputs may have any name", async () => {
  const same = [entity('a', { x: '1' }), entity('b', { x: '1' })];
  expect(await compareInputs(given([text('x')], { x: '1' }), same, new Turn())).toEqual({
    changes: [],
    bound: [],
  });
  const hostile = [entity('a', JSON.parse('{"__proto__": "1"}') as Record<string, unknown>)];
  const { changes, bound } = await compareInputs(given([text('__proto__')], {}), hostile, new Turn());
  expect(changes).toMatchObject([{ input: '__proto__', entityId: 'a', fromVersion: 1, toVersion: 2 }]);
  expect(bound).toEqual(['a']);
});
