// REST rows that read runs (docs/reference/workflow.md#runs).
import { RUN_DOCUMENT, RUN_ENTRY } from '../../platform/documents.ts';
import { AS_OF, instant, integer, optionalChoice, PAGE, text } from '../parameters.ts';
import { type LogLine, route, type RestRoute } from '../route.ts';
import { RUN_LOG_SCHEMA } from './workflow-schemas.ts';

export const RUN_PAGE = `runs { ${RUN_ENTRY} } total next_cursor: nextCursor`;

/** What runs are looked for by, of all triggers or of one. */
export const RUN_FILTER = {
  status: optionalChoice(
    ['queued', 'running', 'success', 'partial_success', 'failed', 'skipped'],
    'Only runs in this state.',
  ),
  project: text('Only runs that are limited to this project.'),
  since: instant('Only runs that were queued at this time or after it.'),
  until: instant('Only runs that were queued before this time.'),
  caused_by: text(
    'Only runs that this fired: `request:…`, `run:…`, `tick:…`, `version:…` or `stale_result:…`.',
  ),
  request_id: text('Only runs that this request queued.'),
  error: text('Only runs with an error whose type or message contains this text, in any case.'),
};
/** The parameters of a page of runs under the names of {@link RUN_FILTER_VARIABLES}. */
export const runFilterVariables = <Rest extends object>({
  as_of: asOf,
  caused_by: causedBy,
  request_id: requestId,
  ...rest
}: { readonly as_of: unknown; readonly caused_by: unknown; readonly request_id: unknown } & Rest): Record<
  string,
  unknown
> => ({ asOf, causedBy, requestId, ...rest });
/** Their variables and arguments in a document. */
export const RUN_FILTER_VARIABLES =
  '$status: RunStatus, $project: String, $since: DateTime, $until: DateTime, $causedBy: ID, $requestId: ID, $error: String';
export const RUN_FILTER_ARGUMENTS =
  'status: $status, project: $project, since: $since, until: $until, causedBy: $causedBy, requestId: $requestId, error: $error';

export const runRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/runs',
    summary: 'Lists the runs of all triggers, newest first.',
    operation: `query ListRuns($trigger: ID, ${RUN_FILTER_VARIABLES}, $limit: Int!, $offset: Int!, $cursor: String, $asOf: DateTime) {
      runs(trigger: $trigger, ${RUN_FILTER_ARGUMENTS}, limit: $limit, offset: $offset, cursor: $cursor, asOf: $asOf) { ${RUN_PAGE} }
    }`,
    pick: 'runs',
    query: {
      ...PAGE,
      trigger: text('Only runs of this trigger.'),
      ...RUN_FILTER,
      ...AS_OF,
    },
    variables: ({ query }) => runFilterVariables(query),
  }),
  route({
    method: 'GET',
    path: '/runs/{run_id}',
    summary:
      'Returns one run: its log entry, its action, its cause, and the samples that it could not resolve.',
    operation: `query GetRun($runId: ID!, $asOf: DateTime) { run(runId: $runId, asOf: $asOf) { ${RUN_DOCUMENT.selection} } }`,
    pick: 'run',
    query: AS_OF,
    variables: ({ params, query }) => ({ runId: params.run_id, asOf: query.as_of }),
    absent: ({ run_id: runId }) => `run not found: ${runId}`,
  }),
  route({
    method: 'GET',
    path: '/runs/{run_id}/log',
    summary: 'Returns what a run has done, line by line.',
    operation: `query GetRunLog($runId: ID!, $limit: Int!, $after: Int!, $asOf: DateTime) {
      run(runId: $runId, asOf: $asOf) { log(limit: $limit, after: $after) { lines { number attempt at level message } total } }
    }`,
    pick: 'run',
    query: {
      limit: PAGE.limit,
      after: integer({ min: 0, default: 0 }, 'Only lines after the one with this number.'),
      ...AS_OF,
    },
    variables: ({ params, query: { as_of: asOf, ...query } }) => ({ runId: params.run_id, asOf, ...query }),
    log: {
      operation: `subscription FollowRunLog($runId: ID!, $after: Int!) { runLog(runId: $runId, after: $after) { number attempt at level message } }`,
      pick: 'runLog',
      variables: (params) => ({ runId: params['run_id'] }),
      linesOf: ({ log: { lines } }: { readonly log: { readonly lines: readonly LogLine[] } }) => lines,
    },
    responseSchema: RUN_LOG_SCHEMA,
    shape: (run: { readonly log: unknown }) => run.log,
    absent: ({ run_id: runId }) => `run not found: ${runId}`,
  }),
];
