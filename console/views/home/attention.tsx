// What needs somebody: components in trouble, triggers that fail, productions that failed, mismatches, old backups.
import type { ReactNode } from 'react';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import { type Changes, Link, useAddress } from '../../address/address.tsx';
import { useSession } from '../../frame/session.tsx';
import type {
  AttentionOfAdminsQuery,
  AttentionToBackupsQuery,
  AttentionQuery,
  AttentionQueryVariables,
  TroublesQuery,
} from '../../generated/api.ts';
import { isOldBackup } from '../../parts/backup-age.ts';
import { healthAdvice, problemAdvice } from '../../parts/health-advice.ts';
import { Fault } from '../../parts/states.tsx';
import { agoText, plural } from '../../parts/text.ts';
import { failedText, LOOKED_AT, refusedText } from './recent-faults.ts';

const ATTENTION = operation<AttentionQuery, AttentionQueryVariables>(/* GraphQL */ `
  query Attention($limit: Int!) {
    triggers {
      name
      status
      lastResult
      problem
    }
    refusing: runs(status: partial_success, limit: $limit) {
      runs {
        queuedAt
        recordsFailed
      }
    }
    failed: productions(status: failed, limit: $limit) {
      productions {
        requestedAt
        finishedAt
      }
    }
  }
`);
const TROUBLES = operation<TroublesQuery>(/* GraphQL */ `
  query Troubles {
    health {
      components {
        name
        status
        detail
      }
      problems {
        code
        detail
      }
    }
  }
`);
const OF_ADMINS = operation<AttentionOfAdminsQuery>(/* GraphQL */ `
  query AttentionOfAdmins {
    syncEvents(status: unresolved, limit: 1) {
      total
    }
    failedDeliveries(limit: 1) {
      deliveries {
        id
      }
    }
  }
`);
const BACKUPS = operation<AttentionToBackupsQuery>(/* GraphQL */ `
  query AttentionToBackups {
    backups(limit: 10) {
      lastCompletedAt
      backups {
        kind
        status
        error
      }
    }
  }
`);

interface Matter {
  readonly text: string;
  readonly view: string;
  readonly params: Changes;
}

const troublesOf = ({ health: { components, problems } }: TroublesQuery): readonly Matter[] =>
  [
    ...components
      .filter(({ status }) => status !== 'healthy')
      .map(
        ({ name, status, detail }) =>
          `The component ${name} is ${status}${detail === null ? '' : `: ${healthAdvice(detail)?.meaning ?? detail}`}`,
      ),
    ...problems.map(({ code, detail }) => `Health: ${problemAdvice(code).meaning} (${detail})`),
  ].map((text) => ({ text, view: 'admin', params: { tab: 'health' } }));

/** @param now milliseconds of the time that is shown */
function mattersOf({ triggers, failed, refusing }: AttentionQuery, now: number): readonly Matter[] {
  const refused = refusedText(refusing.runs, now);
  const failures = failedText(failed.productions, now);
  return [
    ...triggers
      .filter(
        ({ status, lastResult, problem }) =>
          status === 'degraded' || lastResult === 'failed' || problem !== null,
      )
      .map(({ name, problem }) => ({
        text: `The trigger ${name} ${problem === null ? 'failed the last time' : `does not work: ${problem}`}`,
        view: 'trigger',
        params: { name },
      })),
    ...(refused === undefined
      ? []
      : [{ text: refused, view: 'runs', params: { status: 'partial_success' } }]),
    ...(failures === undefined
      ? []
      : [{ text: failures, view: 'rules', params: { tab: 'productions', status: 'failed' } }]),
  ];
}

const ofAdmins = ({ syncEvents, failedDeliveries }: AttentionOfAdminsQuery): readonly Matter[] => [
  ...(syncEvents.total === 0
    ? []
    : [
        {
          text: `${plural(syncEvents.total, 'mismatch', 'mismatches')} between components ${syncEvents.total === 1 ? 'is' : 'are'} not resolved`,
          view: 'admin',
          params: { tab: 'consistency' },
        },
      ]),
  ...(failedDeliveries.deliveries.length === 0
    ? []
    : [{ text: 'Deliveries of webhooks failed', view: 'runs', params: {} }]),
];

/** Where none was ever begun, something else may save the database, of which nothing is known here. */
function ofBackups({
  backups: { lastCompletedAt: last, backups },
}: AttentionToBackupsQuery): readonly Matter[] {
  const newest = backups.find(({ kind }) => kind !== 'archive'); // what was restored is none
  if (newest === undefined) return [];
  const texts = [
    ...(newest.status === 'failed'
      ? [`The last backup failed: ${newest.error ?? 'it does not say why'}`]
      : []),
    ...(last === null ? ['No backup of this instance has completed'] : []),
    ...(last !== null && isOldBackup(last)
      ? [`The last backup that completed was begun ${agoText(last)}`]
      : []),
  ];
  return texts.map((text) => ({ text, view: 'admin', params: { tab: 'backups' } }));
}

export function Attention(): ReactNode {
  const { is, projects } = useSession();
  const { at } = useAddress();
  const isPast = at !== undefined;
  const all = useQuery(ATTENTION, { limit: LOOKED_AT }, { everyMs: 20_000, at });
  // what is known of the present only
  const troubles = useQuery(TROUBLES, {}, { skip: isPast, everyMs: 20_000 });
  const admins = useQuery(OF_ADMINS, {}, { skip: isPast || !is('admin'), everyMs: 20_000 });
  // they are of all projects
  const backups = useQuery(
    BACKUPS,
    {},
    { skip: isPast || !is('admin') || projects !== null, everyMs: 60_000 },
  );
  const error = all.error ?? troubles.error ?? admins.error ?? backups.error;
  const matters = [
    ...(troubles.data && !isPast ? troublesOf(troubles.data) : []),
    ...(all.data && !all.isLoading ? mattersOf(all.data, isPast ? Date.parse(at) : Date.now()) : []),
    ...(admins.data && !isPast ? ofAdmins(admins.data) : []),
    ...(backups.data && !isPast ? ofBackups(backups.data) : []),
  ];
  const fault = error && (
    <Fault
      error={error}
      onRetry={() => {
        for (const { reload } of [all, troubles, admins, backups]) reload();
      }}
    />
  );
  // a component that does not answer is told of, beside what the others know
  if (matters.length === 0) return fault ?? null;
  return (
    <>
      <section className="notice warn" aria-labelledby="attention">
        <h2 id="attention">{isPast ? 'Needed attention' : 'Needs attention'}</h2>
        <ul className="stack">
          {matters.map(({ text, view, params }) => (
            <li key={text} className="row apart">
              <bdi>{text}</bdi>
              <Link to={view} params={params}>
                Look at it
              </Link>
            </li>
          ))}
        </ul>
      </section>
      {fault}
    </>
  );
}
