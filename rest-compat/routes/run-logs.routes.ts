// REST rows of the logs of runs (docs/reference/workflow.md#run-logs).
import { AS_OF, integer, PAGE } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';
import { RUN_LOG_SCHEMA } from './workflow-schemas.ts';

export const runLogRows: readonly RestRoute[] = [
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
    responseSchema: RUN_LOG_SCHEMA,
    shape: (run: { readonly log: unknown }) => run.log,
    absent: ({ run_id: runId }) => `run not found: ${runId}`,
  }),
];
