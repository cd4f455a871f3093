// Triggers with their state, and the log of runs.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import { Page } from '../../frame/page.tsx';
import type { RunStatus, TriggersQuery } from '../../generated/api.ts';
import { LabelledSelect } from '../../parts/form.tsx';
import { Status } from '../../parts/status.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { agoText, instantText, wordsOf } from '../../parts/text.ts';
import { Given } from '../../parts/value.tsx';
import { FailedDeliveries } from './failed-deliveries.tsx';
import { RunList } from './run-list.tsx';
import { RunTrigger } from './run-trigger.tsx';
import { Strip, STRIP_RUN } from './strip.tsx';

const TRIGGERS = operation<TriggersQuery>(
  /* GraphQL */ `
    query Triggers {
      triggers {
        name
        type
        status
        problem
        nextFiring
        lastRun
        lastResult
        definition
        runs(limit: 20) {
          runs {
            ...StripRun
          }
        }
      }
    }
  `,
  STRIP_RUN,
);

type Trigger = TriggersQuery['triggers'][number];

/** Those without a project act in all of them. */
const belongsTo = ({ definition }: Trigger, project: string | undefined): boolean => {
  const { project: own } = definition as Readonly<Record<string, unknown>>; // a trigger's section
  return project === undefined || own === undefined || own === null || own === project;
};

const noTrigger = (at: string | undefined, project: string | undefined): string => {
  const where = project === undefined ? '' : ' for this project';
  return at === undefined ? `No trigger is configured${where}` : `No trigger was configured${where} then`;
};

/** What makes it fire, in a few words. */
function firesOn({ type, definition }: Trigger): string {
  const { schedule, event, poll } = definition as Readonly<Record<string, unknown>>; // a trigger's section
  if (typeof schedule === 'string') return `cron ${schedule}`;
  if (typeof event === 'string') return `event ${event}`;
  if (poll !== undefined) return 'changes of entities';
  return type === 'manual' ? 'on request' : wordsOf(type);
}

const Triggers = ({
  triggers,
  reload,
}: {
  readonly triggers: readonly Trigger[];
  readonly reload: () => void;
}): ReactNode => (
  <Table
    label="Triggers"
    rows={triggers}
    keyOf={({ name }) => name}
    columns={[
      {
        key: 'name',
        title: 'trigger',
        cell: ({ name }) => (
          <Link to="trigger" params={{ name }}>
            <Given text={name} />
          </Link>
        ),
      },
      { key: 'fires', title: 'fires on', cell: (trigger) => <Given text={firesOn(trigger)} /> },
      {
        key: 'status',
        title: 'state',
        cell: ({ status, problem }) => (
          <>
            <Status of={status} /> {problem !== null && <span className="fault">{problem}</span>}
          </>
        ),
      },
      {
        key: 'next',
        title: 'next',
        cell: ({ nextFiring }) =>
          nextFiring !== null && (
            <time dateTime={nextFiring} title={instantText(nextFiring)}>
              {agoText(nextFiring)}
            </time>
          ),
      },
      { key: 'strip', title: 'latest runs', cell: ({ runs: { runs } }) => <Strip runs={runs} /> },
      {
        key: 'last',
        title: 'last run',
        cell: ({ lastRun, lastResult }) =>
          lastRun === null ? (
            <span className="quiet">never</span>
          ) : (
            <>
              {lastResult !== null && <Status of={lastResult} />}{' '}
              <span className="quiet">{agoText(lastRun)}</span>
            </>
          ),
      },
      {
        key: 'run',
        title: <span className="visually-hidden">Run</span>,
        cell: ({ name }) => <RunTrigger name={name} onDone={reload} />,
      },
    ]}
  />
);

const STATUSES: readonly RunStatus[] = [
  'queued',
  'running',
  'success',
  'partial_success',
  'failed',
  'skipped',
];

export default function Runs(): ReactNode {
  const { at, params, project, set } = useAddress();
  const triggers = useQuery(TRIGGERS, {}, { everyMs: 10_000, at });
  const status = STATUSES.find((one) => one === params.get('status'));
  return (
    <Page
      title="Triggers and runs"
      about="A trigger starts runs: at times, at events, for webhooks, or when somebody asks. Each run is logged with its cause and its effect."
    >
      <div className="stack">
        <Shown answer={triggers} what="the triggers">
          {({ triggers: every }) => {
            const all = every.filter((trigger) => belongsTo(trigger, project));
            return all.length === 0 ? (
              <Empty title={noTrigger(at, project)}>
                <p>
                  The section <code>workflow.triggers</code> of the configuration declares them.
                </p>
              </Empty>
            ) : (
              <Triggers triggers={all} reload={triggers.reload} />
            );
          }}
        </Shown>
      </div>
      <FailedDeliveries />
      <section className="stack" aria-labelledby="runs">
        <div className="row apart">
          <h2 id="runs">Runs</h2>
          <LabelledSelect
            id="run-status"
            label="Status"
            none="any"
            value={status ?? ''}
            choices={STATUSES}
            textOf={wordsOf}
            onChange={(chosen) => {
              set({ status: chosen, page: undefined });
            }}
          />
        </div>
        <RunList status={status} />
      </section>
    </Page>
  );
}
