// Whether what runs and productions declare is what metadata holds: scans, and their mismatches.
import type { ReactNode } from 'react';
import { useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useAction, useQuery } from '../../api/use-api.ts';
import { ActionButton } from '../../frame/action-button.tsx';
import { InPresent } from '../../frame/in-present.tsx';
import type {
  MismatchesQuery,
  MismatchesQueryVariables,
  ResolveMismatchMutation,
  ResolveMismatchMutationVariables,
  StartScanMutation,
} from '../../generated/api.ts';
import { pageIn, PageSteps } from '../../parts/page-steps.tsx';
import { Status } from '../../parts/status.tsx';
import { Empty, Fault, Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { cut, plural } from '../../parts/text.ts';
import { Given, Instant } from '../../parts/value.tsx';

const MISMATCHES = operation<MismatchesQuery, MismatchesQueryVariables>(/* GraphQL */ `
  query Mismatches($limit: Int!, $offset: Int!) {
    latestScan {
      status
      startedAt
      finishedAt
      checked
      mismatches
      error
    }
    syncEvents(limit: $limit, offset: $offset) {
      total
      events {
        id
        source
        sourceId
        actor
        createdAt
        details
        resolved
        resolvedBy
      }
    }
  }
`);
const START_SCAN = operation<StartScanMutation>(/* GraphQL */ `
  mutation StartScan {
    startScan {
      scanId
    }
  }
`);
const RESOLVE_MISMATCH = operation<ResolveMismatchMutation, ResolveMismatchMutationVariables>(/* GraphQL */ `
  mutation ResolveMismatch($id: ID!) {
    resolveSyncEvent(id: $id) {
      id
    }
  }
`);

type Scan = NonNullable<MismatchesQuery['latestScan']>;
type Mismatch = MismatchesQuery['syncEvents']['events'][number];

const SIZE = 25;
const SCAN_MS = 2000;
const whileScanning = ({ latestScan }: MismatchesQuery): number =>
  latestScan?.status === 'started' ? SCAN_MS : 0;

function LatestScan({
  scan,
  onDone,
}: {
  readonly scan: Scan | null;
  readonly onDone: () => void;
}): ReactNode {
  const { run, isRunning, error } = useAction(START_SCAN, {});
  return (
    <section className="card" aria-labelledby="scan">
      <header>
        <h2 id="scan">Latest scan</h2>
        <InPresent>
          <button
            type="button"
            className="button"
            disabled={isRunning || scan?.status === 'started'}
            onClick={() => {
              void run().then(onDone);
            }}
          >
            Scan now
          </button>
        </InPresent>
      </header>
      {error && <Fault error={error} />}
      {scan === null ? (
        <p className="quiet">
          None yet. A scan compares what runs and productions say they wrote with what is stored.
        </p>
      ) : (
        <p className="row">
          <Status of={scan.status} />
          {plural(scan.checked, 'run and production', 'runs and productions')} compared,{' '}
          {plural(scan.mismatches, 'mismatch', 'mismatches')}, since <Instant iso={scan.startedAt} />
          {scan.error !== null && <span className="fault">{scan.error}</span>}
        </p>
      )}
    </section>
  );
}

function Resolve({ of, onDone }: { readonly of: Mismatch; readonly onDone: () => void }): ReactNode {
  if (of.resolved) return <Status of="resolved" />;
  return (
    <ActionButton action={RESOLVE_MISMATCH} variables={{ id: of.id }} role="admin" onDone={onDone}>
      Resolve<span className="visually-hidden"> the mismatch of {of.sourceId}</span>
    </ActionButton>
  );
}

export function Consistency(): ReactNode {
  const { params } = useAddress();
  const page = pageIn(params);
  const answer = useQuery(MISMATCHES, { limit: SIZE, offset: (page - 1) * SIZE }, { everyMs: whileScanning });
  return (
    <Shown answer={answer} what="the mismatches">
      {({ latestScan, syncEvents: { total, events } }) => (
        <div className="stack">
          <LatestScan scan={latestScan} onDone={answer.reload} />
          {events.length === 0 ? (
            // before the first scan nothing was looked for
            latestScan !== null && <Empty title="No mismatch was found" />
          ) : (
            <>
              <Table
                label="Mismatches"
                rows={events}
                keyOf={({ id }) => id}
                columns={[
                  { key: 'at', title: 'found', cell: ({ createdAt }) => <Instant iso={createdAt} /> },
                  {
                    key: 'source',
                    title: 'of',
                    cell: ({ source, sourceId }) => <Given text={`${source} ${sourceId}`} />,
                  },
                  { key: 'actor', title: 'acted as', cell: ({ actor }) => <bdi>{actor}</bdi> },
                  {
                    key: 'what',
                    title: 'missing',
                    cell: ({ details }) => <code>{cut(JSON.stringify(details), 200)}</code>,
                  },
                  {
                    key: 'resolve',
                    title: <span className="visually-hidden">Resolve</span>,
                    cell: (one) => <Resolve of={one} onDone={answer.reload} />,
                  },
                ]}
              />
              <PageSteps page={page} size={SIZE} total={total} count={events.length} />
            </>
          )}
        </div>
      )}
    </Shown>
  );
}
