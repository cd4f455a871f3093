// Repeats a stored delivery of a webhook.
import type { ReactNode } from 'react';
import { useAddress, useHref } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { ActionButton } from '../../frame/action-button.tsx';
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
  const { go } = useAddress();
  const href = useHref();
  return (
    <ActionButton
      action={REDELIVER}
      variables={{ id }}
      role="analyst"
      onDone={(done) => {
        onDone();
        const run = done?.redeliver.runId;
        if (run) go(href('run', { id: run }));
      }}
    >
      Deliver again<span className="visually-hidden"> what came {of}</span>
    </ActionButton>
  );
}
