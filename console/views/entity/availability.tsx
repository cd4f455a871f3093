// Takes an entity out of use, and back.
import { type ReactNode, useState } from 'react';
import { operation } from '../../api/operation.ts';
import { useAction } from '../../api/use-api.ts';
import type { SetAvailabilityMutation, SetAvailabilityMutationVariables } from '../../generated/api.ts';
import { TextField } from '../../parts/form.tsx';
import { Confirm, useOpen } from '../../parts/overlays.tsx';
import type { Entity } from './read.ts';

const SET_AVAILABILITY = operation<SetAvailabilityMutation, SetAvailabilityMutationVariables>(/* GraphQL */ `
  mutation SetAvailability($id: ID!, $isAvailable: Boolean!, $reason: String) {
    setAvailability(id: $id, isAvailable: $isAvailable, reason: $reason) {
      id
      isAvailable
    }
  }
`);

export function Availability({
  entity,
  onDone,
}: {
  readonly entity: Entity;
  readonly onDone: () => void;
}): ReactNode {
  const { isOpen, open, close } = useOpen();
  const [reason, setReason] = useState('');
  const change = useAction(SET_AVAILABILITY, {
    id: entity.id,
    isAvailable: !entity.isAvailable,
    reason: reason.trim() || null,
  });
  const action = entity.isAvailable ? 'Make unavailable' : 'Make available';
  return (
    <>
      <button type="button" className="button" onClick={open}>
        {action}
      </button>
      <Confirm
        title={`${action}?`}
        isOpen={isOpen}
        action={action}
        of={change}
        onDone={() => {
          close();
          onDone();
        }}
        onClose={close}
      >
        <p>
          {entity.isAvailable
            ? 'Lists, searches and productions leave it out from then on. Nothing is deleted: it can be made available again, and its past stays.'
            : 'Lists, searches and productions find it again.'}
        </p>
        <TextField id="availability-reason" label="Reason" value={reason} onChange={setReason} />
      </Confirm>
    </>
  );
}
