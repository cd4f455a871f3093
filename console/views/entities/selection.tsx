// What can be done with the selected entities of a listing.
import { type ReactNode, useState } from 'react';
import { operation } from '../../api/operation.ts';
import { useAction } from '../../api/use-api.ts';
import { useSession } from '../../frame/session.tsx';
import type {
  SetAvailabilityBulkMutation,
  SetAvailabilityBulkMutationVariables,
} from '../../generated/api.ts';
import { TextField } from '../../parts/form.tsx';
import { Confirm, Dialog, useOpen } from '../../parts/overlays.tsx';
import { Fault, Loading } from '../../parts/states.tsx';
import { plural } from '../../parts/text.ts';
import type { TypeInfo } from '../../parts/type-infos.ts';
import { BulkEdit } from './bulk-edit.tsx';
import type { Row } from './read-rows.ts';
import { MOST, type Selection } from './selected-rows.tsx';

const SET_AVAILABILITY_BULK = operation<SetAvailabilityBulkMutation, SetAvailabilityBulkMutationVariables>(
  /* GraphQL */ `
    mutation SetAvailabilityBulk($type: String!, $ids: [ID!]!, $available: Boolean!, $reason: String) {
      setAvailabilityBulk(entityType: $type, entityIds: $ids, available: $available, reason: $reason) {
        updated
        errors {
          entityId
          message
        }
      }
    }
  `,
);

function TakeOut({
  type,
  rows,
  onDone,
}: {
  readonly type: TypeInfo;
  readonly rows: readonly Row[];
  readonly onDone: () => void;
}): ReactNode {
  const { isOpen, open, close } = useOpen();
  const [reason, setReason] = useState('');
  const action = useAction(SET_AVAILABILITY_BULK, {
    type: type.name,
    ids: rows.map(({ id }) => id),
    available: false,
    reason: reason.trim() || null,
  });
  const [refused, setRefused] = useState<readonly string[]>([]);
  return (
    <>
      <button type="button" className="button" onClick={open}>
        Make unavailable
      </button>
      <Confirm
        title={`Make ${plural(rows.length, 'entity', 'entities')} unavailable?`}
        action="Make unavailable"
        isOpen={isOpen}
        of={action}
        onDone={({ setAvailabilityBulk: { errors } }) => {
          setRefused(errors.map(({ entityId, message }) => `${entityId}: ${message}`));
          if (errors.length > 0) return;
          close();
          onDone();
        }}
        onClose={close}
      >
        <p>
          Lists, searches and productions leave them out from then on. Nothing is deleted: they can be made
          available again, and their past stays.
        </p>
        <TextField id="bulk-availability-reason" label="Reason" value={reason} onChange={setReason} />
        {refused.length > 0 && (
          <ul className="fault" role="alert">
            {refused.slice(0, 20).map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        )}
      </Confirm>
    </>
  );
}

/** Longest expression that fits into an address, once it is encoded. */
const LONGEST = 4000;

export function SelectionBar({
  type,
  selection: { rows, clear, leaveOut, all },
  onOnly,
  onDone,
}: {
  readonly type: TypeInfo;
  readonly selection: Selection;
  /** Narrows the list by an expression: to chart and to export what is selected. */
  readonly onOnly: (filter: string) => void;
  readonly onDone: () => void;
}): ReactNode {
  const { is } = useSession();
  const { isOpen, open, close } = useOpen();
  const end = (): void => {
    close();
    clear();
    onDone();
  };
  if (all.error) return <Fault error={all.error} onRetry={all.begin} />;
  if (all.isReading) return <Loading what="what is selected" />;
  if (rows.length === 0) return null;
  const only = `id in ${JSON.stringify(rows.map(({ id }) => id))}`;
  return (
    <div className="row" role="group" aria-label="With the selected">
      <strong role="status">
        {plural(rows.length, 'entity', 'entities')} selected{rows.length === MOST && ', the most at once'}
      </strong>
      <button type="button" className="button first" onClick={open}>
        Edit …
      </button>
      {only.length <= LONGEST && (
        <button
          type="button"
          className="button"
          onClick={() => {
            clear();
            onOnly(only);
          }}
        >
          Show only these
        </button>
      )}
      {is('project_lead') && <TakeOut type={type} rows={rows} onDone={end} />}
      <button type="button" className="button bare" onClick={clear}>
        Clear
      </button>
      <Dialog
        title={`Edit ${plural(rows.length, 'entity', 'entities')}`}
        isOpen={isOpen}
        isWide
        onClose={close}
      >
        <BulkEdit type={type} rows={rows} onLeaveOut={leaveOut} onDone={end} />
      </Dialog>
    </div>
  );
}
