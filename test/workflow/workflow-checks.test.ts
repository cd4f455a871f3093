// Wrong cron and CEL stop the start, every fault with its place (contract 3, first point).
import { expect, test } from 'vitest';
import { ConfigurationError } from '../../platform/config/faults.ts';
import { parseConfig } from '../../platform/config/load-config.ts';
import { workflowChecks } from '../../subgraphs/workflow/workflow-checks.ts';

const action = '{type: ingest, adapter: a}';
const read = (text: string) => parseConfig(text, '/x/gateway.yaml', { env: { S: 'secret' }, cwd: '/x', checks: workflowChecks });

test('every faulty expression is listed with its path and line', () => {
  const text = `workflow:
  triggers:
    - {name: t1, type: schedule, schedule: "61 * * * *", action: ${action}}
    - {name: t2, type: webhook, path: a, secret_env: S, when: "event.x ==", action: ${action}}
    - {name: t3, type: metadata_poll, poll: {entity_type: E, filter: "nosuch(1)"}, action: ${action}}
    - {name: t4, type: metadata_poll, poll: {entity_type: E, filter: "1 + 1"}, action: ${action}}
  adapters:
    - {name: a, type: csv, entity_type: E, source: a.csv, map: {id: row.id, bad: "other.id"}}
`;
  const faults = (() => { try { read(text); } catch (error) { if (error instanceof ConfigurationError) return error.faults; throw error; } return []; })();
  expect(faults.map(({ path, line }) => [path, line])).toEqual([
    ['workflow.triggers[0].schedule', 3], ['workflow.triggers[1].when', 4], ['workflow.triggers[2].poll.filter', 5], ['workflow.triggers[3].poll.filter', 6], ['workflow.adapters[0].map.bad', 8],
  ]);
});

test('sound expressions pass', () => {
  expect(read(`workflow:
  triggers:
    - {name: t1, type: schedule, schedule: "*/10 * * * * *", timezone: Europe/Berlin, action: ${action}}
    - {name: t2, type: webhook, path: a, secret_env: S, when: "event.x == 1 || x == 2", action: ${action}}
    - {name: t3, type: metadata_poll, poll: {entity_type: E, filter: "n > 1 && data.x == entity.x"}, action: ${action}}
  adapters:
    - {name: a, type: csv, entity_type: E, source: a.csv, map: {id: row.id}}
`).workflow.triggers).toHaveLength(3);
});
