// Partners of the REST rows of workflow.
import { CHAIN, type Partner, RUN, PARTS } from './partner-case.ts';

const TRIGGER = 'name type status definition';

const toldTrigger = ({ name, type, status, definition }: Record<string, unknown>): object => ({
  name,
  type,
  status,
  definition,
});

export const workflow: Readonly<Record<string, Partner>> = {
  'GET /triggers': () => [
    {
      path: '/triggers',
      document: '{ triggers { name status last_result: lastResult } }',
      payload: ({ triggers }: { triggers: { name: string; status: string; last_result: unknown }[] }) =>
        Object.fromEntries(triggers.map(({ name, status }) => [name, { status }])),
      told: (all: Record<string, { status: string }>) =>
        Object.fromEntries(Object.entries(all).map(([name, { status }]) => [name, { status }])),
    },
  ],
  'GET /triggers/{name}': () =>
    ['by-hand', 'hook', 'unheard'].map((name) => ({
      path: `/triggers/${name}`,
      document: `query ($name: ID!) { trigger(name: $name) { ${TRIGGER} } }`,
      variables: { name },
      told: toldTrigger,
    })),
  'GET /triggers/{name}/runs': () =>
    ['by-hand', 'unheard'].map((name) => ({
      path: `/triggers/${name}/runs?limit=2`,
      document: `query ($name: ID!) { trigger(name: $name) { runs(limit: 2) { runs { ${RUN} } total next_cursor: nextCursor } } }`,
      variables: { name },
      payload: ({ trigger }: { trigger: { runs: unknown } | null }) => trigger?.runs ?? null,
    })),
  'GET /triggers/{name}/observations': () =>
    ['hook', 'unheard'].map((name) => ({
      path: `/triggers/${name}/observations`,
      document:
        'query ($name: ID!) { trigger(name: $name) { observations { observations { id kind verdict reason subject seen run { run_id: runId status } delivery_id: deliveryId times at } next_cursor: nextCursor } } }',
      variables: { name },
      payload: ({ trigger }: { trigger: { observations: unknown } | null }) => trigger?.observations ?? null,
    })),
  'POST /triggers/{name}/evaluate': () => [
    {
      path: '/triggers/hook/evaluate',
      body: { condition: 'event.n > 0' },
      document:
        '{ evaluateTrigger(name: "hook", condition: "event.n > 0") { condition would_fire: wouldFire trials { subject verdict reason seen } } }',
    },
    {
      path: '/triggers/hook/evaluate',
      body: { condition: 'event.n >' },
      document: '{ evaluateTrigger(name: "hook", condition: "event.n >") { condition } }',
    },
  ],
  'GET /deliveries': () => [
    {
      path: '/deliveries?limit=3',
      document:
        '{ failedDeliveries(limit: 3) { deliveries { delivery_id: id trigger received_at: receivedAt run { run_id: runId status finished_at: finishedAt errors } } next_cursor: nextCursor } }',
    },
  ],
  'POST /deliveries/{delivery_id}/redeliver': ({ known }) =>
    [known.delivery, '00000000-0000-4000-8000-000000000000'].map((id) => ({
      path: `/deliveries/${id}/redeliver`,
      document: 'mutation ($id: ID!) { redeliver(deliveryId: $id) { status run_id: runId } }',
      variables: { id },
    })),
  'GET /runs': () => [
    {
      path: '/runs?limit=1&status=success',
      document: `{ runs(limit: 1, status: success) { runs { ${RUN} } total next_cursor: nextCursor } }`,
    },
    { path: '/runs?limit=0', document: '{ runs(limit: 0) { total } }' },
  ],
  'GET /runs/{run_id}': ({ known }) =>
    [known.run, '00000000-0000-4000-8000-000000000000', 'no uuid'].map((id) => ({
      path: `/runs/${encodeURIComponent(id)}`,
      document: `query ($id: ID!) { run(runId: $id) { ${RUN} action cause unresolved { entity_id: entityId reason } } }`,
      variables: { id },
    })),
  'GET /runs/{run_id}/diff': ({ known }) =>
    [known.run, 'no uuid'].map((id) => ({
      path: `/runs/${encodeURIComponent(id)}/diff?to=${known.run}`,
      document: `query ($id: ID!, $to: ID!) { runDiff(runId: $id, toRunId: $to) { before { run_id: runId status trigger_name: triggerName queued_at: queuedAt } after { run_id: runId status trigger_name: triggerName queued_at: queuedAt } ${PARTS} } }`,
      variables: { id, to: known.run },
    })),
  'GET /runs/{run_id}/log': ({ known }) =>
    [known.run, 'no uuid'].map((id) => ({
      path: `/runs/${encodeURIComponent(id)}/log?limit=2`,
      document:
        'query ($id: ID!) { run(runId: $id) { log(limit: 2) { lines { number attempt level message } total } } }',
      variables: { id },
      payload: ({ run }: { run: { log: unknown } | null }) => run && run.log,
      told: ({ lines, total }: { lines: Record<string, unknown>[]; total: number }) => ({
        lines: lines.map(({ number, attempt, level, message }) => ({ number, attempt, level, message })),
        total,
      }),
    })),
  'GET /runs/{run_id}/why': ({ known }) =>
    [known.run, 'no uuid'].map((id) => ({
      path: `/runs/${encodeURIComponent(id)}/why?depth=1`,
      document: `query ($subject: ID!) { why(subject: $subject, depth: 1) { ${CHAIN} } }`,
      variables: { subject: `run:${id}` },
    })),
  'POST /triggers/{name}/run': () =>
    ['by-hand', 'unheard'].map((name) => ({
      path: `/triggers/${name}/run`,
      document:
        'mutation ($name: ID!) { runTrigger(name: $name) { run_id: runId status trigger: triggerName } }',
      variables: { name },
    })),
  'POST /triggers/{name}/pause': () =>
    ['by-hand', 'on-event', 'unheard'].map((name) => ({
      path: `/triggers/${name}/pause`,
      body: { reason: 'differential' },
      document: `mutation ($name: ID!) { pauseTrigger(name: $name, reason: "differential") { ${TRIGGER} } }`,
      variables: { name },
      told: toldTrigger,
    })),
  'POST /triggers/{name}/resume': () =>
    ['by-hand', 'on-event', 'unheard'].map((name) => ({
      path: `/triggers/${name}/resume`,
      document: `mutation ($name: ID!) { resumeTrigger(name: $name) { ${TRIGGER} } }`,
      variables: { name },
      told: toldTrigger,
    })),
  'POST /runs/{run_id}/cancel': ({ known }) =>
    [known.run, '00000000-0000-4000-8000-000000000000'].map((id) => ({
      path: `/runs/${id}/cancel`,
      document: 'mutation ($id: ID!) { cancelRun(runId: $id) { run_id: runId status } }',
      variables: { id },
    })),
  'POST /runs': () =>
    [
      { type: 'ingest', adapter: 'sheet' },
      { type: 'ingest', adapter: 'unheard' },
    ].map((action) => ({
      path: '/runs',
      body: { action, context: { why: 'differential' } },
      document:
        'mutation ($action: JSON!, $context: JSON) { submitRun(action: $action, context: $context) { run_id: runId status } }',
      variables: { action, context: { why: 'differential' } },
      told: ({ run_id: id, status }: { run_id: string; status: string }) => ({ run_id: id, status }),
    })),
};
