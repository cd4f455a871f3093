// Which entities of a listing are selected, and what can be done with them.
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { operation } from '../../api/operation.ts';
import { useAction } from '../../api/use-api.ts';
import { useSession } from '../../frame/session.tsx';
import type {
  SetAvailabilityBulkMutation,
  SetAvailabilityBulkMutationVariables,
} from '../../generated/api.ts';
import { TextField } from '../../parts/form.tsx';
import { Confirm, Dialog, useOpen } from '../../parts/overlays.tsx';
import type { Column } from '../../parts/table.tsx';
import { plural } from '../../parts/text.ts';
import type { TypeInfo } from '../../parts/type-infos.ts';
import { BulkEdit } from './bulk-edit.tsx';
import type { Row } from './rows.ts';

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

/** Entities that are changed at once. */
const MOST = 1000;

export interface Selection {
  readonly rows: readonly Row[];
  readonly column: Column<Row>;
  readonly clear: () => void;
}

export function useSelection(): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map());
  const clear = useCallback(() => {
    setChosen(new Map());
  }, []);
  const choose = useCallback((row: Row, isChosen: boolean) => {
    setChosen((before) => {
      const after = new Map(before);
      if (isChosen && after.size < MOST) after.set(row.id, row);
      else after.delete(row.id);
      return after;
    });
  }, []);
  const rows = useMemo(() => [...chosen.values()], [chosen]);
  const column: Column<Row> = {
    key: ' select',
    title: <span className="visually-hidden">selected</span>,
    cell: (row) => (
      <input
        type="checkbox"
        aria-label={`Select ${row.id}`}
        checked={chosen.has(row.id)}
        onChange={(event) => {
          choose(row, event.target.checked);
        }}
      />
    ),
  };
  return { rows, column, clear };
}

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
  selection: { rows, clear },
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
  if (rows.length === 0) return null;
  const only = `id in ${JSON.stringify(rows.map(({ id }) => id))}`;
  return (
    <div className="row" role="group" aria-label="With the selected">
      <strong role="status">{plural(rows.length, 'entity', 'entities')} selected</strong>
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
        <BulkEdit type={type} rows={rows} onDone={end} />
      </Dialog>
    </div>
  );
}
