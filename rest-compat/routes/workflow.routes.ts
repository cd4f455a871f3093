// The workflow component's REST rows (docs/reference/workflow.md#rest-endpoints). Webhook paths are not rows:
// a separate handler reads their raw bodies.
import { badRequest } from '../../platform/errors.ts';
import { unknownKey } from '../../platform/suggestions.ts';
import { AS_OF, optionalChoice, PAGE, text } from '../parameters.ts';
import { objectBody, route, type RestRoute } from '../route.ts';
import {
  RUN_FILTER,
  RUN_FILTER_ARGUMENTS,
  RUN_FILTER_VARIABLES,
  RUN_PAGE,
  runFilterVariables,
  runRows,
} from './runs.routes.ts';
import {
  ENTRY_SCHEMA,
  INSTANT,
  RUN_PAGE_SCHEMA,
  SUBMISSION_SCHEMA,
  TRIGGER_SCHEMA,
} from './workflow-schemas.ts';

/** docs/reference/workflow.md#trigger-status; `name` and `type` determine its shape. */
const STATUS_ENTRY = `name type project status problem pause { at actor reason } next_firing: nextFiring
  last_run: lastRun last_result: lastResult last_error: lastError cursor`;

interface StatusEntry {
  readonly name: string;
  readonly type: string;
  readonly project: string | null;
  readonly problem: string | null;
  readonly cursor: string | null;
  readonly pause: object | null;
  readonly next_firing: string | null;
  readonly last_error: string | null;
  readonly [field: string]: unknown;
}

/** With those members only that a trigger of its type or state has. */
const entryOf = ({
  project,
  problem,
  pause,
  next_firing: nextFiring,
  last_error: lastError,
  cursor,
  ...entry
}: StatusEntry) => ({
  ...entry,
  ...(project === null ? {} : { project }),
  ...(problem === null ? {} : { problem }),
  ...(pause === null ? {} : { pause }),
  ...(lastError === null ? {} : { last_error: lastError }),
  ...(entry.type === 'schedule' ? { next_firing: nextFiring } : {}),
  ...(entry.type === 'metadata_poll' || entry.type === 'event' ? { cursor } : {}),
});

export const workflowRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/triggers',
    summary: 'Returns the status of every trigger, keyed by name.',
    operation: `query ListTriggers($asOf: DateTime) { triggers(asOf: $asOf) { ${STATUS_ENTRY} } }`,
    pick: 'triggers',
    query: AS_OF,
    variables: ({ query }) => ({ asOf: query.as_of }),
    responseSchema: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['status', 'last_run', 'last_result'],
        properties: ENTRY_SCHEMA,
      },
    },
    shape: (triggers: readonly StatusEntry[]) =>
      Object.fromEntries(
        triggers.map((trigger) => {
          const { name, type: _, ...entry } = entryOf(trigger);
          return [name, entry];
        }),
      ),
  }),
  route({
    method: 'GET',
    path: '/triggers/{name}',
    summary: 'Returns the status and the definition of one trigger.',
    operation: `query GetTrigger($name: ID!, $asOf: DateTime) { trigger(name: $name, asOf: $asOf) { ${STATUS_ENTRY} definition } }`,
    pick: 'trigger',
    query: AS_OF,
    variables: ({ params, query }) => ({ name: params.name, asOf: query.as_of }),
    responseSchema: TRIGGER_SCHEMA,
    shape: entryOf,
    absent: ({ name }) => `trigger not found: ${name}`,
  }),
  route({
    method: 'GET',
    path: '/triggers/{name}/runs',
    summary: 'Lists the runs of one trigger, newest first.',
    operation: `query ListTriggerRuns($name: ID!, ${RUN_FILTER_VARIABLES}, $limit: Int!, $offset: Int!, $cursor: String, $asOf: DateTime) {
      trigger(name: $name, asOf: $asOf) { runs(${RUN_FILTER_ARGUMENTS}, limit: $limit, offset: $offset, cursor: $cursor) { ${RUN_PAGE} } }
    }`,
    pick: 'trigger',
    query: { ...PAGE, ...RUN_FILTER, ...AS_OF },
    variables: ({ params, query }) => ({ name: params.name, ...runFilterVariables(query) }),
    responseSchema: RUN_PAGE_SCHEMA,
    shape: (trigger: { readonly runs: unknown }) => trigger.runs,
    absent: ({ name }) => `trigger not found: ${name}`,
  }),
  route({
    method: 'GET',
    path: '/triggers/{name}/observations',
    summary: 'Lists what a trigger observed and whether it fired, newest first.',
    operation: `query ListObservations($name: ID!, $verdict: ObservationVerdict, $limit: Int!, $cursor: String) {
      trigger(name: $name) { observations(verdict: $verdict, limit: $limit, cursor: $cursor) {
        observations { id kind verdict reason subject seen run { run_id: runId status } delivery_id: deliveryId times at } next_cursor: nextCursor
      } }
    }`,
    pick: 'trigger',
    query: {
      limit: PAGE.limit,
      cursor: PAGE.cursor,
      verdict: optionalChoice(
        [
          'fired',
          'condition_false',
          'condition_error',
          'busy',
          'missed',
          'paused',
          'duplicate',
          'refused',
          'malformed',
        ],
        'Only observations with this verdict.',
      ),
    },
    variables: ({ params, query }) => ({ name: params.name, ...query }),
    responseSchema: {
      type: 'object',
      required: ['observations', 'next_cursor'],
      properties: {
        observations: { type: 'array', items: { type: 'object' } },
        next_cursor: { type: ['string', 'null'] },
      },
    },
    shape: (trigger: { readonly observations: unknown }) => trigger.observations,
    absent: ({ name }) => `trigger not found: ${name}`,
  }),
  route({
    method: 'POST',
    path: '/triggers/{name}/evaluate',
    summary: 'Evaluates a trigger, or an edited condition, on past observations. Executes nothing.',
    operation: `query EvaluateTrigger($name: ID!, $condition: String, $since: DateTime, $asOf: DateTime, $limit: Int!) {
      evaluateTrigger(name: $name, condition: $condition, since: $since, asOf: $asOf, limit: $limit) { condition would_fire: wouldFire trials { subject verdict reason seen } }
    }`,
    pick: 'evaluateTrigger',
    body: 'optional',
    bodySchema: {
      type: 'object',
      examples: [{ condition: 'entity.data.depth > 30', since: '2026-01-01T00:00:00Z' }],
      properties: {
        condition: { type: 'string' },
        since: INSTANT,
        as_of: INSTANT,
        limit: { type: 'integer', minimum: 1, maximum: 1000 },
      },
    },
    variables: ({ params, body }) => {
      const {
        condition = null,
        since = null,
        as_of: asOf = null,
        limit = 100,
      } = body === undefined ? {} : objectBody(body);
      return { name: params.name, condition, since, asOf, limit };
    },
  }),
  route({
    method: 'GET',
    path: '/deliveries',
    summary: 'Lists webhook deliveries whose latest run failed, newest first. They can be delivered again.',
    operation: `query ListFailedDeliveries($trigger: ID, $limit: Int!, $cursor: String) {
      failedDeliveries(trigger: $trigger, limit: $limit, cursor: $cursor) {
        deliveries { delivery_id: id trigger received_at: receivedAt run { run_id: runId status finished_at: finishedAt errors } } next_cursor: nextCursor
      }
    }`,
    pick: 'failedDeliveries',
    query: { limit: PAGE.limit, cursor: PAGE.cursor, trigger: text('Only deliveries to this trigger.') },
    variables: ({ query }) => ({ ...query }),
  }),
  route({
    method: 'POST',
    path: '/deliveries/{delivery_id}/redeliver',
    summary: 'Repeats a stored webhook delivery: evaluates the condition again and runs the action.',
    operation:
      'mutation Redeliver($deliveryId: ID!) { redeliver(deliveryId: $deliveryId) { status run_id: runId } }',
    pick: 'redeliver',
    variables: ({ params }) => ({ deliveryId: params.delivery_id }),
  }),
  ...runRows,
  route({
    method: 'POST',
    path: '/triggers/{name}/run',
    summary: 'Runs a trigger now. The run is queued when the answer is sent.',
    operation:
      'mutation RunTrigger($name: ID!) { runTrigger(name: $name) { run_id: runId status trigger: triggerName } }',
    pick: 'runTrigger',
    variables: ({ params }) => ({ name: params.name }),
    successStatus: 202,
  }),
  route({
    method: 'POST',
    path: '/triggers/{name}/pause',
    summary: 'Pauses a trigger: it fires only on request, until it is resumed.',
    operation: `mutation PauseTrigger($name: ID!, $reason: String) { pauseTrigger(name: $name, reason: $reason) { ${STATUS_ENTRY} definition } }`,
    pick: 'pauseTrigger',
    body: 'optional',
    bodySchema: {
      type: 'object',
      examples: [{ reason: 'the sequencer is being serviced' }],
      properties: { reason: { type: ['string', 'null'] } },
    },
    variables: ({ params, body }) => {
      const { reason = null } = body === undefined ? {} : objectBody(body);
      return { name: params.name, reason };
    },
    responseSchema: TRIGGER_SCHEMA,
    shape: entryOf,
  }),
  route({
    method: 'POST',
    path: '/triggers/{name}/resume',
    summary:
      'Resumes a paused trigger. What was due meanwhile is not caught up with, except by polling triggers.',
    operation: `mutation ResumeTrigger($name: ID!) { resumeTrigger(name: $name) { ${STATUS_ENTRY} definition } }`,
    pick: 'resumeTrigger',
    variables: ({ params }) => ({ name: params.name }),
    responseSchema: TRIGGER_SCHEMA,
    shape: entryOf,
  }),
  route({
    method: 'POST',
    path: '/runs/{run_id}/cancel',
    summary: 'Cancels a queued or running run. The run becomes `failed` and emits no event.',
    operation: 'mutation CancelRun($runId: ID!) { cancelRun(runId: $runId) { run_id: runId status } }',
    pick: 'cancelRun',
    variables: ({ params }) => ({ runId: params.run_id }),
  }),
  route({
    method: 'POST',
    path: '/runs',
    summary: 'Runs an action without a trigger. The run is queued when the answer is sent.',
    operation:
      'mutation SubmitRun($action: JSON!, $context: JSON) { submitRun(action: $action, context: $context) { run_id: runId status } }',
    pick: 'submitRun',
    body: 'required',
    bodySchema: SUBMISSION_SCHEMA,
    variables: ({ body }) => {
      const { action, context = null, ...others } = objectBody(body);
      const [other] = Object.keys(others); // a mistyped `context` must not give a run without its project
      if (other !== undefined)
        throw badRequest(unknownKey(other, ['action', 'context']), { field: other.slice(0, 100) });
      if (action === undefined || action === null) throw badRequest('action is required');
      return { action, context };
    },
    responseSchema: {
      type: 'object',
      required: ['run_id', 'status', 'poll_url'],
      properties: { run_id: { type: 'string' }, status: { const: 'queued' }, poll_url: { type: 'string' } },
    },
    shape: (run: { readonly run_id: string; readonly status: string }) => ({
      ...run,
      poll_url: `/api/v1/workflow/runs/${run.run_id}`,
    }),
    successStatus: 202,
  }),
];
