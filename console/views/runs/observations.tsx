// Why a trigger fired, or did not: what it observed, with the decision and the values that it was made of.
import type { ReactNode } from 'react';
import { useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import { OfNow } from '../../frame/in-present.tsx';
import type {
  ObservationsQuery,
  ObservationsQueryVariables,
  ObservationVerdict,
} from '../../generated/api.ts';
import { LabelledSelect } from '../../parts/form.tsx';
import { ShownPage } from '../../parts/page-steps.tsx';
import { RunLink } from '../../parts/run-items.tsx';
import { Status } from '../../parts/status.tsx';
import { Empty } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { instantText, wordsOf } from '../../parts/text.ts';
import { Given, Instant } from '../../parts/value.tsx';
import { DeliverAgain } from './deliver-again.tsx';
import { Observed } from './observed.tsx';

const OBSERVATIONS = operation<ObservationsQuery, ObservationsQueryVariables>(/* GraphQL */ `
  query Observations($name: ID!, $verdict: ObservationVerdict, $cursor: String) {
    trigger(name: $name) {
      observations(verdict: $verdict, limit: 50, cursor: $cursor) {
        nextCursor
        observations {
          id
          at
          kind
          verdict
          reason
          subject
          seen
          times
          deliveryId
          run {
            runId
          }
        }
      }
    }
  }
`);
type Observation = NonNullable<ObservationsQuery['trigger']>['observations']['observations'][number];

const VERDICTS: readonly ObservationVerdict[] = [
  'fired',
  'condition_false',
  'condition_error',
  'busy',
  'missed',
  'paused',
  'duplicate',
  'refused',
  'malformed',
];

const COLUMNS: readonly Column<Observation>[] = [
  { key: 'at', title: 'when', cell: ({ at }) => <Instant iso={at} /> },
  { key: 'verdict', title: 'verdict', cell: ({ verdict }) => <Status of={verdict} /> },
  {
    key: 'what',
    title: 'what',
    cell: ({ kind, subject, times }) => (
      <>
        {kind}
        {times > 1 && `, ${times} times`} <Observed of={subject} />
      </>
    ),
  },
  {
    key: 'seen',
    title: 'values that decided',
    cell: ({ seen }) => <Observed of={seen} />,
  },
  { key: 'reason', title: 'reason', cell: ({ reason }) => <Given text={reason ?? ''} most={300} /> },
  { key: 'run', title: 'run', cell: ({ run }) => <RunLink id={run?.runId} /> },
];

interface Props {
  readonly name: string;
  /** After a delivery was repeated. */
  readonly onDelivered: () => void;
}

export function Observations({ name, onDelivered }: Props): ReactNode {
  const { params, set } = useAddress();
  const verdict = VERDICTS.find((one) => one === params.get('verdict'));
  const cursor = params.get('cursor');
  const answer = useQuery(
    OBSERVATIONS,
    { name, verdict: verdict ?? null, cursor },
    { everyMs: cursor === null ? 10_000 : 0 },
  );
  const again: Column<Observation> = {
    key: 'again',
    title: <span className="visually-hidden">Deliver again</span>,
    cell: ({ deliveryId, at }) =>
      deliveryId !== null && (
        <DeliverAgain
          id={deliveryId}
          of={instantText(at)}
          onDone={() => {
            answer.reload();
            onDelivered();
          }}
        />
      ),
  };
  return (
    <div className="stack">
      <OfNow what="These observations are" />
      <LabelledSelect
        id="verdict"
        label="Verdict"
        none="any"
        value={verdict ?? ''}
        choices={VERDICTS}
        textOf={wordsOf}
        onChange={(chosen) => {
          set({ verdict: chosen, cursor: undefined });
        }}
      />
      <ShownPage
        answer={answer}
        what="the observations"
        pageOf={({ trigger }) => ({
          rows: trigger?.observations.observations ?? [],
          nextCursor: trigger?.observations.nextCursor ?? null,
        })}
        empty={
          <Empty title={verdict === undefined ? 'Nothing observed yet' : `Nothing was decided so`}>
            <p>What could fire it is noted here, with what was decided and why.</p>
          </Empty>
        }
      >
        {(rows) => (
          <Table
            label="Observations"
            rows={rows}
            keyOf={({ id }) => id}
            columns={rows.some(({ deliveryId }) => deliveryId !== null) ? [...COLUMNS, again] : COLUMNS}
          />
        )}
      </ShownPage>
    </div>
  );
}
