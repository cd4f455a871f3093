// Repeats a stored delivery of a webhook.
import type { ReactNode } from 'react';
import { operation } from '../../api/operation.ts';
import { BeginsRun } from '../../frame/begins-run.tsx';
import type { RedeliverMutation, RedeliverMutationVariables } from '../../generated/api.ts';

const REDELIVER = operation<RedeliverMutation, RedeliverMutationVariables>(/* GraphQL */ `
  mutation Redeliver($id: ID!) {
    redeliver(deliveryId: $id) {
      status
      runId
    }
  }
`);

export function DeliverAgain({
  id,
  of,
  onDone,
}: {
  readonly id: string;
  /** Tells this delivery from others, for those who hear the button. */
  readonly of: string;
  readonly onDone: () => void;
}): ReactNode {
  return (
    <BeginsRun
      action={REDELIVER}
      variables={{ id }}
      runOf={({ redeliver }) => redeliver.runId}
      onDone={onDone}
    >
      Deliver again<span className="visually-hidden"> what came {of}</span>
    </BeginsRun>
  );
}
