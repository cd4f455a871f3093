// Triggers with their state, and the log of runs.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { isData } from '../../api/json.ts';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import { Page } from '../../frame/page.tsx';
import type { TriggersQuery, TriggersQueryVariables } from '../../generated/api.ts';
import { Status } from '../../parts/status.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { agoText, instantText, plainText, wordsOf } from '../../parts/text.ts';
import { Given } from '../../parts/value.tsx';
import { FailedDeliveries } from './failed-deliveries.tsx';
import { RunFilter } from './run-filter.tsx';
import { RunList } from './run-list.tsx';
import { RunTrigger } from './run-trigger.tsx';
import { Strip, STRIP_RUNS } from './strip.tsx';

const TRIGGERS = operation<TriggersQuery, TriggersQueryVariables>(
  /* GraphQL */ `
    query Triggers($project: String) {
      triggers {
        name
        type
        project
        mayRun
        status
        problem
        nextFiring
        lastRun
        lastResult
        lastError
        definition
        runs(limit: 20, project: $project) {
          ...StripRuns
        }
      }
    }
  `,
  STRIP_RUNS,
);

type Trigger = TriggersQuery['triggers'][number];

/** Those without a project act in all of them. */
const belongsTo = ({ project: own }: Trigger, project: string | undefined): boolean =>
  project === undefined || own === null || own === project;

const EXAMPLE = `workflow:
  triggers:
    - {name: load-sheet, type: manual, action: {type: ingest, adapter: sheet}}
  adapters:
    - {name: sheet, type: csv, source: samples.csv, entity_type: Sample, map: {id: 'row["id"]'}}`;

const noTrigger = (at: string | undefined, project: string | undefined): string => {
  const where = project === undefined ? '' : ' for this project';
  return at === undefined ? `No trigger is configured${where}` : `No trigger was configured${where} then`;
};

const ofType = ({ entity_type: name }: Readonly<Record<string, unknown>>): string =>
  typeof name === 'string' ? ` of type ${name}` : '';

/** What makes it fire, in a few words. */
function firesOn({ type, definition }: Trigger): string {
  const section = definition as Readonly<Record<string, unknown>>; // a trigger's section
  const [schedule, zone, event, path] = ['schedule', 'timezone', 'event', 'path'].map((key) => section[key]);
  if (typeof schedule === 'string') return `cron ${schedule} ${plainText(zone) ?? ''}`.trimEnd();
  if (type === 'event') return `results that become stale${ofType(section)}`;
  if (typeof event === 'string') return `event ${event}`;
  if (isData(section['poll'])) return `changes of entities${ofType(section['poll'])}`;
  if (typeof path === 'string') return `webhook ${path}`;
  return type === 'manual' ? 'on request' : wordsOf(type);
}

/** @param isTold whether the error of its last run is shown beside: then the problem says it once more */
const Problem = ({ of, isTold }: { readonly of: string; readonly isTold: boolean }): ReactNode =>
  isTold ? <span className="tag alarm">does not work</span> : <span className="fault">{of}</span>;

const Triggers = ({
  triggers,
  at,
  reload,
}: {
  readonly triggers: readonly Trigger[];
  readonly at: string | undefined;
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
        cell: ({ name, project }) => (
          <>
            <Link to="trigger" params={{ name }}>
              <Given text={name} />
            </Link>
            {project !== null && (
              <p className="quiet small">
                of project <Given text={project} />
              </p>
            )}
          </>
        ),
      },
      { key: 'fires', title: 'fires on', cell: (trigger) => <Given text={firesOn(trigger)} /> },
      {
        key: 'status',
        title: 'state',
        cell: ({ status, problem, lastError }) => (
          <>
            <Status of={status} /> {problem !== null && <Problem of={problem} isTold={lastError !== null} />}
          </>
        ),
      },
      {
        key: 'next',
        title: 'next',
        cell: ({ nextFiring }) =>
          nextFiring !== null && (
            <time dateTime={nextFiring} title={instantText(nextFiring)}>
              {at === undefined ? agoText(nextFiring) : instantText(nextFiring)}
            </time>
          ),
      },
      { key: 'strip', title: 'latest runs', cell: ({ runs }) => <Strip of={runs} /> },
      {
        key: 'last',
        title: 'last run, last error',
        cell: ({ lastRun, lastResult, lastError }) =>
          lastRun === null ? (
            <span className="quiet">never</span>
          ) : (
            <>
              {lastResult !== null && <Status of={lastResult} />}{' '}
              <span className="quiet">{agoText(lastRun)}</span>
              {lastError !== null && (
                <p className="fault">
                  <Given text={lastError} most={160} />
                </p>
              )}
            </>
          ),
      },
      {
        key: 'run',
        title: <span className="visually-hidden">Run</span>,
        cell: (trigger) => <RunTrigger trigger={trigger} onDone={reload} />,
      },
    ]}
  />
);

export default function Runs(): ReactNode {
  const { at, params, project } = useAddress();
  const triggers = useQuery(TRIGGERS, { project: project ?? null }, { everyMs: 10_000, at });
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
                  The section <code>workflow.triggers</code> of the configuration declares them, such as this
                  one, which runs when somebody asks. SIGHUP has the server read it anew.
                </p>
                <pre className="code" tabIndex={0} role="region" aria-label="An example of triggers">
                  {EXAMPLE}
                </pre>
              </Empty>
            ) : (
              <Triggers triggers={all} at={at} reload={triggers.reload} />
            );
          }}
        </Shown>
      </div>
      <FailedDeliveries />
      <section className="stack" aria-labelledby="runs">
        <h2 id="runs">Runs</h2>
        <RunFilter triggers={(triggers.data?.triggers ?? []).map(({ name }) => name)} />
        <RunList trigger={params.get('trigger') ?? undefined} />
      </section>
    </Page>
  );
}
