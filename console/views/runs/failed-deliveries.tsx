// Deliveries of webhooks whose latest run failed, for those who may see what was delivered.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import { OfNow } from '../../frame/in-present.tsx';
import { useSession } from '../../frame/session.tsx';
import type { FailedDeliveriesQuery, FailedDeliveriesQueryVariables } from '../../generated/api.ts';
import { NextStep } from '../../parts/page-steps.tsx';
import { RunLink } from '../../parts/run-items.tsx';
import { Fault } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { instantText } from '../../parts/text.ts';
import { Given, Instant } from '../../parts/value.tsx';
import { DeliverAgain } from './deliver-again.tsx';

const FAILED_DELIVERIES = operation<FailedDeliveriesQuery, FailedDeliveriesQueryVariables>(/* GraphQL */ `
  query FailedDeliveries($cursor: String) {
    failedDeliveries(limit: 20, cursor: $cursor) {
      nextCursor
      deliveries {
        id
        trigger
        receivedAt
        run {
          runId
        }
      }
    }
  }
`);

export function FailedDeliveries(): ReactNode {
  const { is } = useSession();
  const { params, set } = useAddress();
  const cursor = params.get('failed');
  const answer = useQuery(FAILED_DELIVERIES, { cursor }, { skip: !is('project_lead'), everyMs: 15_000 });
  // leads of other projects may not see what was delivered
  if (answer.error?.code === 'insufficient_role') return null;
  if (answer.error) return <Fault error={answer.error} onRetry={answer.reload} />;
  const { deliveries, nextCursor } = answer.data?.failedDeliveries ?? { deliveries: [], nextCursor: null };
  if (deliveries.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="failed-deliveries">
      <h2 id="failed-deliveries">Failed deliveries</h2>
      <OfNow what="These deliveries are" />
      <Table
        label="List of failed deliveries"
        rows={deliveries}
        keyOf={({ id }) => id}
        columns={[
          { key: 'at', title: 'received', cell: ({ receivedAt }) => <Instant iso={receivedAt} /> },
          {
            key: 'trigger',
            title: 'trigger',
            cell: ({ trigger }) => (
              <Link to="trigger" params={{ name: trigger }}>
                <Given text={trigger} />
              </Link>
            ),
          },
          {
            key: 'run',
            title: 'run',
            cell: ({ run }) => <RunLink id={run?.runId} />,
          },
          {
            key: 'again',
            title: <span className="visually-hidden">Deliver again</span>,
            cell: ({ id, receivedAt }) => (
              <DeliverAgain id={id} of={instantText(receivedAt)} onDone={answer.reload} />
            ),
          },
        ]}
      />
      <NextStep
        cursor={nextCursor}
        onNext={(failed) => {
          set({ failed });
        }}
      />
    </section>
  );
}
