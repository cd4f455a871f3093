// Which entities of a listing are selected, and what can be done with them.
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
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
import { numberText, plural } from '../../parts/text.ts';
import type { TypeInfo } from '../../parts/type-infos.ts';
import { BulkEdit } from './bulk-edit.tsx';
import type { Row, Rows } from './rows.ts';

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

/** Chooses the first rows of a list, as many as may be changed at once; reads those that are missing before. */
function useAll(
  { at, count, total, need, error }: Rows,
  onRead: (rows: readonly Row[]) => void,
): { readonly most: number; readonly isReading: boolean; readonly begin: () => void } {
  const [isReading, setReading] = useState(false);
  // a search counts one more than it has read as long as there are others
  const most = Math.min(count, MOST);
  useEffect(() => {
    if (!isReading) return;
    const rows = Array.from({ length: most }, (_, i) => at(i)).filter((row) => row !== undefined);
    if (rows.length === most) onRead(rows);
    else if (error === undefined) return need(0, most - 1);
    setReading(false);
  });
  return {
    most: total === undefined ? most : Math.min(total, most),
    isReading,
    begin: () => {
      setReading(true);
    },
  };
}

function AllBox({
  all: { most, isReading, begin },
  chosen,
  isWhole,
  clear,
}: {
  readonly all: ReturnType<typeof useAll>;
  readonly chosen: number;
  /** Whether these are all that the list has. */
  readonly isWhole: boolean;
  readonly clear: () => void;
}): ReactNode {
  return (
    <input
      type="checkbox"
      aria-label={isWhole ? 'Select all' : `Select the first ${numberText(most)}`}
      title={isWhole ? 'Select all' : `Select the first ${numberText(most)}`}
      disabled={isReading}
      checked={isReading || (chosen > 0 && chosen >= most)}
      ref={(box) => {
        if (box !== null) box.indeterminate = !isReading && chosen > 0 && chosen < most;
      }}
      onChange={(event) => {
        if (event.target.checked) begin();
        else clear();
      }}
    />
  );
}

export function useSelection(list: Rows): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map());
  const all = useAll(list, (rows) => {
    setChosen(new Map(rows.map((row) => [row.id, row])));
  });
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
    title: <AllBox all={all} chosen={chosen.size} isWhole={list.count <= MOST} clear={clear} />,
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
        <BulkEdit type={type} rows={rows} onDone={end} />
      </Dialog>
    </div>
  );
}
