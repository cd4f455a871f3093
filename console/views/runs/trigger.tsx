// One trigger: its state, why it fired or did not, what it would have done, its runs, its definition.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { isData } from '../../api/json.ts';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import { Missing, Page, useTab } from '../../frame/page.tsx';
import type { TriggerQuery, TriggerQueryVariables } from '../../generated/api.ts';
import { RunLink } from '../../parts/run-items.tsx';
import { Status } from '../../parts/status.tsx';
import { Shown } from '../../parts/states.tsx';
import { agoText, plainText } from '../../parts/text.ts';
import { Given, Instant, Json } from '../../parts/value.tsx';
import { Observations } from './observations.tsx';
import { RunFilter } from './run-filter.tsx';
import { RunList } from './run-list.tsx';
import { PauseTrigger } from './pause-trigger.tsx';
import { RunTrigger } from './run-trigger.tsx';
import { Strip, STRIP_RUNS } from './strip.tsx';
import { Trial } from './trial.tsx';

const TRIGGER = operation<TriggerQuery, TriggerQueryVariables>(
  /* GraphQL */ `
    query Trigger($name: ID!, $project: String) {
      trigger(name: $name) {
        name
        type
        project
        status
        problem
        cursor
        lastError
        definition
        mayRun
        mayPause
        nextFiring
        pause {
          at
          actor
          reason
        }
        runs(limit: 60, project: $project) {
          ...StripRuns
        }
        failures: runs(status: failed, limit: 1) {
          runs {
            runId
            finishedAt
            errors
          }
        }
      }
    }
  `,
  STRIP_RUNS,
);
type Trigger = NonNullable<TriggerQuery['trigger']>;

const TABS = [
  { key: 'runs', title: 'Runs' },
  { key: 'observations', title: 'Why it fired, or did not' },
  { key: 'trial', title: 'Trial' },
  { key: 'definition', title: 'Definition' },
] as const;

/** The first message of a run's errors. */
function messageOf(errors: unknown): string {
  const [first] = Array.isArray(errors) ? (errors as readonly unknown[]) : [];
  const { type, message } = isData(first) ? first : {};
  return [plainText(type), plainText(message)].filter((part) => part !== undefined).join(': ');
}

const State = ({ trigger }: { readonly trigger: Trigger }): ReactNode => {
  const { pause, nextFiring, lastError, runs, failures } = trigger;
  const { at } = useAddress();
  const [failure] = failures.runs;
  return (
    <section className="card" aria-label="State">
      {pause !== null && (
        <p className="notice warn">
          <span>
            Paused by <bdi>{pause.actor}</bdi> {agoText(pause.at)}
            {pause.reason === null ? '.' : ': '}
            {pause.reason !== null && <Given text={pause.reason} most={300} />}
          </span>
        </p>
      )}
      <Strip of={runs} linked={trigger.name} />
      <dl className="facts">
        <dt>Project</dt>
        <dd>
          {trigger.project === null ? (
            <span className="quiet">any</span>
          ) : (
            <Link to="runs" params={{ project: trigger.project }}>
              <Given text={trigger.project} />
            </Link>
          )}
        </dd>
        {nextFiring !== null && (
          <>
            <dt>Next firing</dt>
            <dd>
              <Instant iso={nextFiring} />{' '}
              {at === undefined && <span className="quiet">({agoText(nextFiring)})</span>}
            </dd>
          </>
        )}
        {lastError !== null && (
          <>
            <dt>Last error</dt>
            <dd>
              <Given text={lastError} most={300} /> <span className="quiet">of its last run</span>
            </dd>
          </>
        )}
        {failure !== undefined && (
          <>
            <dt>{lastError === null ? 'Last error' : 'Last run that failed'}</dt>
            <dd>
              <Given text={messageOf(failure.errors)} most={300} />{' '}
              <span className="quiet">{failure.finishedAt !== null && agoText(failure.finishedAt)}</span>{' '}
              <RunLink id={failure.runId} />
            </dd>
          </>
        )}
      </dl>
    </section>
  );
};

function Tabs({
  trigger,
  tab,
  reload,
}: {
  readonly trigger: Trigger;
  readonly tab: string;
  readonly reload: () => void;
}): ReactNode {
  if (tab === 'observations') return <Observations name={trigger.name} onDelivered={reload} />;
  if (tab === 'trial') return <Trial name={trigger.name} type={trigger.type} />;
  if (tab === 'definition') return <Json value={trigger.definition} />;
  return (
    <div className="stack">
      <RunFilter />
      <RunList trigger={trigger.name} />
    </div>
  );
}

export default function TriggerView(): ReactNode {
  const { at, params, project = null } = useAddress();
  const answer = useQuery(TRIGGER, { name: params.get('name') ?? '', project }, { everyMs: 10_000, at });
  const [tab, bar] = useTab(TABS);
  return (
    <Shown answer={answer} what="the trigger">
      {({ trigger }) =>
        trigger === null ? (
          <Missing title={at === undefined ? 'There is no such trigger' : 'There was no such trigger then'} />
        ) : (
          <Page
            crumb={<Link to="runs">Triggers and runs</Link>}
            title={
              <>
                <Given text={trigger.name} /> <Status of={trigger.status} />
              </>
            }
            about={trigger.problem ?? undefined}
            actions={
              <>
                <PauseTrigger trigger={trigger} onDone={answer.reload} />
                <RunTrigger trigger={trigger} onDone={answer.reload} />
              </>
            }
          >
            <State trigger={trigger} />
            {bar}
            <Tabs trigger={trigger} tab={tab} reload={answer.reload} />
          </Page>
        )
      }
    </Shown>
  );
}
