import { expect, test } from 'vitest';
import type { PlanNode } from './plan.ts';
import { departsFrom, pinOf, pinWithin, versionsDiffer } from './pinned-plan.ts';

const node = (entityType: string, more: Partial<PlanNode>): PlanNode => ({
  entity_type: entityType,
  criteria: { sample: 's1' },
  decision: 'build',
  entity_id: null,
  rule: `${entityType}@1`,
  cwl_hash: null,
  workflow_hash: 'sha256:1',
  bindings: {},
  reason: '',
  projects: [],
  rules_considered: [],
  requires: [],
  repeated: false,
  ...more,
});
const reused = (id: string): PlanNode => node('Sample', { decision: 'reuse', entity_id: id, rule: null });
const greeting = (more: Partial<PlanNode> = {}): PlanNode =>
  node('Greeting', { requires: [reused('s1')], ...more });
const echo = (of: PlanNode): PlanNode => node('Echo', { requires: [of] });
const pin = pinOf(echo(greeting()), new Map([['s1', 2]]));

test('what was to be made may have been made; another rule, workflow or entity is a departure', () => {
  expect(departsFrom(pin, echo(greeting()))).toBeNull();
  expect(departsFrom(pin, echo(greeting({ decision: 'reuse', entity_id: 'g1', requires: [] })))).toBeNull();
  expect(departsFrom(pin, echo(greeting({ rule: 'Greeting@2' })))).toMatch(
    /made by Greeting@2 in another way/,
  );
  expect(departsFrom(pin, echo(greeting({ workflow_hash: 'sha256:2' })))).toMatch(/in another way/);
  expect(departsFrom(pin, echo(greeting({ requires: [reused('s2')] })))).toMatch(/s2 would be used/);
});

test('an entity of another version, or that is not there, differs', () => {
  expect(versionsDiffer(pin, new Map([['s1', 2]]))).toBeNull();
  expect(versionsDiffer(pin, new Map([['s1', 3]]))).toMatch(/version 2 -> 3/);
  expect(versionsDiffer(pin, new Map())).toMatch(/version 2 -> none/);
});

test('of a requirement, what is planned for it alone; also when what that uses was made meanwhile', () => {
  const versions = new Map([['s1', 2]]);
  expect(pinWithin(pin, greeting())).toEqual(pinOf(greeting(), versions));
  const report = (of: PlanNode): PlanNode => node('Report', { requires: [of] });
  const whole = pinOf(report(echo(greeting())), versions);
  const made = greeting({ decision: 'reuse', entity_id: 'g1', requires: [] });
  const within = pinWithin(whole, echo(made));
  expect(departsFrom(within, echo(made))).toBeNull();
  expect(within.builds).toEqual(pinOf(echo(greeting()), versions).builds);
  expect(departsFrom(within, echo(greeting()))).toMatch(/s1 would be used/);
});
