// Invalid cron and CEL prevent the start, every fault with its location
// (docs/reference/workflow.md#trigger-validation).
import { expect, test } from 'vitest';
import { ConfigurationError } from '../../platform/config/faults.ts';
import { parseConfig } from '../../platform/config/load-config.ts';
import { workflowChecks } from '../../subgraphs/workflow/workflow-checks.ts';

const action = '{type: ingest, adapter: a}';
const read = (text: string) =>
  parseConfig(text, '/x/gateway.yaml', { env: { S: 'secret' }, cwd: '/x', checks: workflowChecks });

test('every faulty expression is listed with its path and line', () => {
  const text = `workflow:
  triggers:
    - {name: t1, type: schedule, schedule: "61 * * * *", action: ${action}}
    - {name: t2, type: webhook, path: a, secret_env: S, when: "event.x ==", action: ${action}}
    - {name: t3, type: metadata_poll, poll: {entity_type: E, filter: "nosuch(1)"}, action: ${action}}
    - {name: t4, type: metadata_poll, poll: {entity_type: E, filter: "1 + 1"}, action: ${action}}
    - {name: t5, type: event, event: became_stale, filter: "1 + 1", action: ${action}}
  adapters:
    - {name: a, type: csv, entity_type: E, source: a.csv, map: {id: row.id, bad: "other.id"}}
`;
  const faults = (() => {
    try {
      read(text);
    } catch (error) {
      if (error instanceof ConfigurationError) return error.faults;
      throw error;
    }
    return [];
  })();
  expect(faults.map(({ path, line }) => [path, line])).toEqual([
    ['workflow.triggers[0].schedule', 3],
    ['workflow.triggers[1].when', 4],
    ['workflow.triggers[2].poll.filter', 5],
    ['workflow.triggers[3].poll.filter', 6],
    ['workflow.triggers[4].filter', 7],
    ['workflow.adapters[0].map.bad', 9],
  ]);
});

test('all faults are reported together, each with its path', () => {
  const text = `workflow:
  triggers:
    - {name: t1, type: webhook, path: hooks/a, secret_env: NOT_SET, action: ${action}}
    - {name: t1, type: manual, action: {type: ingest, adapter: none}}
    - {name: t3, type: webhook, path: /hooks/b, secret_env: S, action: ${action}}
    - {name: t4, type: webhook, path: hooks/b, secret_env: S, when: "1 +", action: ${action}}
    - {name: t5, type: internal_event, event: one, on_success: two, action: ${action}}
    - {name: t6, type: internal_event, event: two, on_failure: {emit: one}, action: ${action}}
    - {name: t7, type: schedule, schedule: "* * *", timezone: Mars/Olympus, action: ${action}}
    - {name: t8, type: webhook, path: runs/mine, secret_env: S, action: ${action}}
    - {name: t9, type: sometimes, action: ${action}}
    - {name: t10, type: webhook, path: /hooks/a, secret_env: NOT_SET, when: "event ==", action: ${action}}
    - {name: t11, type: metadata_poll, poll: {entity_type: E, interval_seconds: 0, filter: "1 + 1"}, action: ${action}}
    - {name: t12, type: internal_event, event: three, on_success: three, action: {type: ingest}}
  adapters:
    - {name: a, type: csv, entity_type: E, source: a.csv, map: {id: row.id}}
    - {name: a, type: sql, url: "mysql://x/y", query: SELECT 1, entity_type: E, map: {id: "row."}}
`;
  const faults = (() => {
    try {
      read(text);
    } catch (error) {
      if (error instanceof ConfigurationError) return error.faults;
      throw error;
    }
    return [];
  })();
  const told = faults.map(({ path, message }) => `${path}: ${message}`);
  for (const wanted of [
    /^workflow\.triggers\[0\]\.secret_env.*: .*NOT_SET is not set/,
    /^workflow\.triggers\[1\]\.name: .*t1/,
    /^workflow\.triggers\[1\]\.action\.adapter: no adapter is named "none"/,
    /^workflow\.triggers\[3\]\.path: .*hooks\/b/,
    /^workflow\.triggers\[[45]\].*: .*(t5.*t6|t6.*t5)/,
    /^workflow\.triggers\[6\]\.timezone: .*IANA/,
    /^workflow\.triggers\[7\]\.path: .*route of the workflow component/,
    /^workflow\.triggers\[8\]\.type/,
    /^workflow\.adapters\[1\]\.name: .*a/,
    /^workflow\.adapters\[1\]\.url: .*postgres/,
    // another fault of the same definition hides nothing
    /^workflow\.triggers\[3\]\.when: CEL/,
    /^workflow\.triggers\[6\]\.schedule: must have five fields/,
    /^workflow\.triggers\[9\]\.secret_env/,
    /^workflow\.triggers\[9\]\.path: .*hooks\/a.*already defined/,
    /^workflow\.triggers\[9\]\.when: CEL/,
    /^workflow\.triggers\[10\]\.poll\.interval_seconds/,
    /^workflow\.triggers\[10\]\.poll\.filter: /,
    /^workflow\.triggers\[11\]\.on_success: closes a cycle/,
    /^workflow\.triggers\[11\]\.action\.adapter/,
    /^workflow\.adapters\[1\]\.map\.id: CEL/,
  ])
    expect(told, told.join('\n')).toContainEqual(expect.stringMatching(wanted));
});

test('sound expressions pass', () => {
  expect(
    read(`workflow:
  triggers:
    - {name: t1, type: schedule, schedule: "*/10 * * * * *", timezone: Europe/Berlin, action: ${action}}
    - {name: t2, type: webhook, path: a, secret_env: S, when: "event.x == 1 || x == 2", action: ${action}}
    - {name: t3, type: metadata_poll, poll: {entity_type: E, filter: "n > 1 && data.x == entity.x"}, action: ${action}}
  adapters:
    - {name: a, type: csv, entity_type: E, source: a.csv, map: {id: row.id}}
`).workflow.triggers,
  ).toHaveLength(3);
});
