// Equal requests are recognised whatever the order of names in them, at any depth.
import { expect, test } from 'vitest';
import type { Caller } from '../../../platform/identity.ts';
import type { PlanNode } from '../planning/plan.ts';
import { type ProductionRequest, requestKey } from './enqueue.ts';

const caller: Caller = { actor: 'user:rita', roles: ['analyst'], projects: ['alpha'], requestId: 'r' };
const plan: PlanNode = {
  entity_type: 'Greeting',
  criteria: { sample: 's', mood: 'glad' },
  decision: 'build',
  entity_id: null,
  rule: 'greet@1',
  cwl_hash: 'sha256:00',
  workflow_hash: 'sha256:w0',
  bindings: { a: '1', b: '2' },
  reason: '',
  projects: [],
  rules_considered: [],
  requires: [],
  repeated: false,
};
const keyOf = (more: Partial<ProductionRequest> = {}): string =>
  requestKey({
    entityType: 'Greeting',
    criteria: { sample: 's', mood: 'glad' },
    parameters: { options: { depth: { most: 5, least: 1 }, tags: ['a', 'b'] }, n: 1 },
    requestedRule: null,
    reuse: 'any',
    plan,
    caller,
    waiter: 'user:rita',
    ...more,
  });

test('names in another order, also inside of parameters, are the same request', () => {
  expect(
    keyOf({
      criteria: { mood: 'glad', sample: 's' },
      parameters: { n: 1, options: { tags: ['a', 'b'], depth: { least: 1, most: 5 } } },
      plan: { ...plan, bindings: { b: '2', a: '1' } },
    }),
  ).toBe(keyOf());
  expect(keyOf({ reuse: 'fresh' })).toBe(keyOf());
});

test('another value, another order of a list, another rule or workflow is another request', () => {
  const others: string[] = [
    { criteria: { sample: 's', mood: 'sad' } },
    { parameters: { options: { depth: { most: 5, least: 2 }, tags: ['a', 'b'] }, n: 1 } },
    { parameters: { options: { depth: { most: 5, least: 1 }, tags: ['b', 'a'] }, n: 1 } },
    { plan: { ...plan, rule: 'greet@2' } },
    { plan: { ...plan, workflow_hash: 'sha256:w1' } },
  ].map(keyOf);
  expect(new Set([...others, keyOf()]).size).toBe(others.length + 1);
});

test('who sees other projects shares a production only where nothing else goes into it', () => {
  const other: Caller = { ...caller, projects: ['beta'] };
  expect(keyOf({ caller: other })).toBe(keyOf());
  const needing = { ...plan, requires: [{ ...plan, entity_type: 'Sample' }] };
  expect(keyOf({ plan: needing, caller: other })).not.toBe(keyOf({ plan: needing }));
});
