// Runs as a table, newest first, all of them or those of one trigger.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type {
  RunChangesSubscription,
  RunChangesSubscriptionVariables,
  RunsQuery,
  RunsQueryVariables,
} from '../../generated/api.ts';
import { pageIn, PageSteps } from '../../parts/page-steps.tsx';
import { Status } from '../../parts/status.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { durationText } from '../../parts/text.ts';
import { SELDOM_MS, useLiveRows } from '../../parts/use-live-rows.ts';
import { Given, Instant } from '../../parts/value.tsx';
import { Cause } from './cause.tsx';
import { runFilterOf } from './run-filter.tsx';
import { RUN_PROGRESS } from './run-progress.ts';

const RUNS = operation<RunsQuery, RunsQueryVariables>(
  /* GraphQL */ `
    query Runs(
      $trigger: ID
      $project: String
      $status: RunStatus
      $since: DateTime
      $until: DateTime
      $causedBy: ID
      $requestId: ID
      $error: String
      $limit: Int!
      $offset: Int!
    ) {
      runs(
        trigger: $trigger
        project: $project
        status: $status
        since: $since
        until: $until
        causedBy: $causedBy
        requestId: $requestId
        error: $error
        limit: $limit
        offset: $offset
      ) {
        total
        runs {
          runId
          triggerName
          adapter
          actor
          queuedAt
          cause
          ...RunProgress
        }
      }
    }
  `,
  RUN_PROGRESS,
);
const RUN_CHANGES = operation<RunChangesSubscription, RunChangesSubscriptionVariables>(/* GraphQL */ `
  subscription RunChanges($trigger: ID, $project: String) {
    runChanges(trigger: $trigger, project: $project) {
      run {
        runId
      }
    }
  }
`);
type Run = RunsQuery['runs']['runs'][number];

const SIZE = 25;

const effectOf = ({ recordsCreated, recordsUpdated, recordsSkipped, recordsFailed }: Run): string =>
  [
    [recordsCreated, 'created'],
    [recordsUpdated, 'changed'],
    [recordsSkipped, 'unchanged'],
    [recordsFailed, 'failed'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(', ');

/** @param trigger whose runs they are; undefined for those of all triggers */
export function RunList({ trigger }: { readonly trigger?: string | undefined }): ReactNode {
  const { at, params, project } = useAddress();
  const page = pageIn(params);
  const of = { trigger: trigger ?? null, project: project ?? null };
  const filter = runFilterOf(params);
  const isAny = Object.values(filter).every((condition) => condition === null);
  const answer = useQuery(
    RUNS,
    { ...of, ...filter, limit: SIZE, offset: (page - 1) * SIZE },
    { everyMs: SELDOM_MS, at },
  );
  const changed = useLiveRows(RUN_CHANGES, of, ({ runChanges }) => runChanges.run.runId, {
    isLive: at === undefined,
    reload: answer.reload,
  });
  return (
    <Shown answer={answer} what="the runs">
      {({ runs: { total, runs } }) =>
        runs.length === 0 ? (
          <Empty title="No runs">
            <p>{isAny ? 'Nothing has started one yet.' : 'None meets these conditions.'}</p>
          </Empty>
        ) : (
          <>
            <Table
              label="List of runs"
              rows={runs}
              keyOf={({ runId }) => runId}
              changed={changed}
              columns={[
                { key: 'status', title: 'status', cell: (run) => <Status of={run.status} /> },
                {
                  key: 'what',
                  title: 'run',
                  cell: (run) => (
                    <Link to="run" params={{ id: run.runId }}>
                      <Given text={run.triggerName ?? run.adapter ?? run.runId} />
                    </Link>
                  ),
                },
                { key: 'cause', title: 'fired by', cell: (run) => <Cause cause={run.cause} /> },
                { key: 'by', title: 'by', cell: (run) => <bdi>{run.actor}</bdi> },
                { key: 'queued', title: 'queued', cell: (run) => <Instant iso={run.queuedAt} /> },
                {
                  key: 'took',
                  title: 'took',
                  isNumber: true,
                  cell: (run) =>
                    run.startedAt === null ? '' : durationText(run.startedAt, run.finishedAt ?? at),
                },
                { key: 'effect', title: 'entities', cell: effectOf },
              ]}
            />
            <PageSteps page={page} size={SIZE} total={total} count={runs.length} />
          </>
        )
      }
    </Shown>
  );
}
