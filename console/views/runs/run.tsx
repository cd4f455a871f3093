// One run: its cause, its progress as it happens, its errors, what it wrote.
import { type ReactNode, useState } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useFollow, useQuery } from '../../api/use-api.ts';
import { ActionButton } from '../../frame/action-button.tsx';
import { Missing, Page } from '../../frame/page.tsx';
import type {
  CancelRunMutation,
  CancelRunMutationVariables,
  ProgressSubscription,
  ProgressSubscriptionVariables,
  RunQuery,
  RunQueryVariables,
} from '../../generated/api.ts';
import { isUnderWay, Status } from '../../parts/status.tsx';
import { Fault, Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { durationText, numberText } from '../../parts/text.ts';
import { Given, Instant, Json } from '../../parts/value.tsx';
import { Why } from '../why/why.tsx';
import { Cause } from './cause.tsx';
import { RunLog } from './run-log.tsx';
import { RUN_PROGRESS } from './run-progress.ts';
import { Wrote } from './wrote.tsx';

const RUN = operation<RunQuery, RunQueryVariables>(
  /* GraphQL */ `
    query Run($id: ID!) {
      run(runId: $id) {
        runId
        triggerName
        adapter
        actor
        project
        attempt
        queuedAt
        ...RunProgress
        cause
        action
        errors
        unresolved {
          entityId
          reason
        }
      }
    }
  `,
  RUN_PROGRESS,
);
const PROGRESS = operation<ProgressSubscription, ProgressSubscriptionVariables>(
  /* GraphQL */ `
    subscription Progress($id: ID!) {
      runProgress(runId: $id) {
        ...RunProgress
      }
    }
  `,
  RUN_PROGRESS,
);
const CANCEL_RUN = operation<CancelRunMutation, CancelRunMutationVariables>(/* GraphQL */ `
  mutation CancelRun($id: ID!) {
    cancelRun(runId: $id) {
      runId
      status
    }
  }
`);

type Run = NonNullable<RunQuery['run']>;
type Progress = ProgressSubscription['runProgress'];

const COUNTS = [
  ['recordsFetched', 'read'],
  ['recordsCreated', 'created'],
  ['recordsUpdated', 'changed'],
  ['recordsSkipped', 'unchanged'],
  ['recordsFailed', 'failed'],
] as const;

const Counts = ({ now }: { readonly now: Progress }): ReactNode => (
  <ul className="counts" aria-label="Records">
    {COUNTS.map(([key, title]) => (
      <li key={key} className="card">
        <span className="count">{numberText(now[key])}</span>
        <span className="quiet">{title}</span>
      </li>
    ))}
  </ul>
);

function Facts({ run, now }: { readonly run: Run; readonly now: Progress }): ReactNode {
  const { at } = useAddress();
  return (
    <section className="card" aria-label="About the run">
      <dl className="facts">
        {run.triggerName !== null && (
          <>
            <dt>trigger</dt>
            <dd>
              <Link to="trigger" params={{ name: run.triggerName }}>
                <Given text={run.triggerName} />
              </Link>
            </dd>
          </>
        )}
        <dt>asked by</dt>
        <dd>
          <bdi>{run.actor}</bdi>
        </dd>
        <dt>queued</dt>
        <dd>
          <Instant iso={run.queuedAt} />
        </dd>
        {now.startedAt !== null && (
          <>
            <dt>took</dt>
            <dd>
              {durationText(now.startedAt, now.finishedAt ?? at)}
              {run.attempt > 1 && `, attempt ${run.attempt}`}
            </dd>
          </>
        )}
        <dt>fired by</dt>
        <dd>
          <Cause cause={run.cause} />
          <details>
            <summary className="small">As it is kept</summary>
            <Json value={run.cause} />
          </details>
        </dd>
        <dt>action</dt>
        <dd>
          <Json value={run.action} />
        </dd>
      </dl>
    </section>
  );
}

const Errors = ({ errors }: { readonly errors: readonly unknown[] }): ReactNode =>
  errors.length === 0 ? null : (
    <section className="stack" aria-labelledby="errors">
      <h2 id="errors">Errors</h2>
      <Json value={errors} />
    </section>
  );

/** Samples that are shown. */
const MOST = 100;

const Unresolved = ({ of }: { readonly of: Run['unresolved'] }): ReactNode =>
  of.length === 0 ? null : (
    <section className="stack" aria-labelledby="unresolved">
      <h2 id="unresolved">What it could not get</h2>
      <Table
        label="Unresolved samples"
        rows={of.slice(0, MOST)}
        keyOf={({ entityId, reason }) => `${entityId} ${reason}`}
        columns={[
          // a type with criteria where no entity is stored
          { key: 'for', title: 'for', cell: ({ entityId }) => <Given text={entityId} most={200} /> },
          { key: 'why', title: 'because', cell: ({ reason }) => <Given text={reason} most={500} /> },
        ]}
      />
      {of.length > MOST && <p className="quiet">and {numberText(of.length - MOST)} more</p>}
    </section>
  );

function One({ run, reload }: { readonly run: Run; readonly reload: () => void }): ReactNode {
  const { at } = useAddress();
  const [live, setLive] = useState<Progress>();
  const lost = useFollow(
    PROGRESS,
    { id: run.runId },
    ({ runProgress }) => {
      setLive(runProgress);
      if (!isUnderWay(runProgress)) reload();
    },
    { skip: at !== undefined || !isUnderWay(run), onMissed: reload },
  );
  const now = isUnderWay(run) ? (live ?? run) : run;
  return (
    <Page
      crumb={<Link to="runs">Triggers and runs</Link>}
      title={
        <>
          <Given text={run.triggerName ?? run.adapter ?? 'Run'} /> <Status of={now.status} />
        </>
      }
      about={<code>{run.runId}</code>}
      actions={
        <>
          <Link to="lineage" params={{ id: `run/${run.runId}` }} className="button">
            Lineage
          </Link>
          <Link to="compare" params={{ of: 'run', one: run.runId }} className="button">
            Compare
          </Link>
          {isUnderWay(now) && (
            <ActionButton
              action={CANCEL_RUN}
              variables={{ id: run.runId }}
              role="analyst"
              isDanger
              onDone={reload}
            >
              Cancel
            </ActionButton>
          )}
        </>
      }
    >
      {lost && <Fault error={lost} onRetry={reload} />}
      <Counts now={now} />
      <Errors errors={run.errors} />
      <Unresolved of={run.unresolved} />
      <div className="columns">
        <Facts run={run} now={now} />
        <Wrote key={run.status} id={run.runId} written={now.recordsCreated + now.recordsUpdated} />
      </div>
      <RunLog id={run.runId} isUnderWay={isUnderWay(now)} />
      <section className="stack" aria-labelledby="why">
        <h2 id="why">Why it ran</h2>
        <Why subject={`run:${run.runId}`} />
      </section>
    </Page>
  );
}

export default function RunView(): ReactNode {
  const { at, params } = useAddress();
  const answer = useQuery(RUN, { id: params.get('id') ?? '' }, { at });
  return (
    <Shown answer={answer} what="the run">
      {({ run }) =>
        run === null ? (
          <Missing title={at === undefined ? 'There is no such run' : 'There was no such run then'} />
        ) : (
          <One key={`${run.runId} ${at ?? ''}`} run={run} reload={answer.reload} />
        )
      }
    </Shown>
  );
}
