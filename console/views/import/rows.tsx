// The rows of a sheet with what would become of each: bad cells with their reasons, changed ones with what is
// stored. Every cell can be corrected in place.
import { type KeyboardEvent, type ReactNode, useCallback, useMemo, useState } from 'react';
import { useAddress } from '../../address/address.tsx';
import type { Data } from '../../api/json.ts';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table.tsx';
import { fit, numberText } from '../../parts/text.ts';
import type { TypeInfo } from '../../parts/type-infos.ts';
import { VirtualTable } from '../../parts/virtual-table.tsx';
import type { Outcome, RowFault } from './check.ts';
import { cellText, cellValue, entityOf, type Matching, type Sheet } from './sheet.ts';
import { useStored } from './stored.ts';

/** Longest text of a cell that is not being edited. */
const MOST = 60;
/** Rows in sight whose stored entities are read. */
const IN_SIGHT = 200;

const SHOWS = ['all', 'refused', 'created', 'updated', 'unchanged'] as const;
type Show = (typeof SHOWS)[number];

interface Props {
  readonly sheet: Sheet;
  readonly type: TypeInfo;
  readonly matching: Matching;
  readonly outcomes: readonly Outcome[];
  /** Rows that were corrected since the check. */
  readonly corrected: ReadonlySet<number>;
  readonly onCorrect: (row: number, column: number, text: string) => void;
}

interface Shown {
  readonly at: number;
  readonly outcome: Outcome | undefined;
  readonly stored: Data | undefined;
}

/** A column of the sheet that is shown. */
interface Used {
  readonly i: number;
  /** The field that it becomes; empty where it is the id alone. */
  readonly to: string;
  readonly prefix: string;
  readonly isId: boolean;
}

const usedOf = ({ uses, id }: Matching): readonly Used[] =>
  uses
    .map(({ to, prefix }, i) => ({ i, to, prefix, isId: i === id?.column }))
    .filter(({ to, isId }) => to !== '' || isId);

const isAbout = ({ to, isId }: Used, field: string | undefined): boolean =>
  field !== undefined && (field === to || (field === 'id' && isId));

/** Faults of a row that no column shows. */
const restOf = (faults: readonly RowFault[], used: readonly Used[]): readonly RowFault[] =>
  faults.filter(({ field }) => !used.some((one) => isAbout(one, field)));

const reasonFor = (outcome: Outcome | undefined, used: Used): string | undefined =>
  outcome?.faults.find(({ field }) => isAbout(used, field))?.message;

function Input({
  label,
  text,
  onDone,
}: {
  readonly label: string;
  readonly text: string;
  readonly onDone: (text: string | undefined) => void;
}): ReactNode {
  const [typed, setTyped] = useState(text);
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation(); // arrows move within the text
    if (event.key === 'Enter') onDone(typed);
    if (event.key === 'Escape') onDone(undefined);
  };
  return (
    <input
      aria-label={label}
      value={typed}
      autoFocus
      autoComplete="off"
      onKeyDown={onKeyDown}
      onBlur={() => {
        onDone(typed);
      }}
      onChange={(event) => {
        setTyped(event.target.value);
      }}
    />
  );
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

const focusCell = (row: number, column: number): void =>
  document.querySelector<HTMLElement>(`[data-cell="${row}.${column}"]`)?.focus();

/** What is stored, where the row would change it. */
function changeOf({ outcome, stored }: Shown, cell: unknown, use: Used, type: TypeInfo): string | undefined {
  const field = type.allFields.find(({ name }) => name === use.to);
  if (outcome?.becomes !== 'updated' || stored === undefined || field === undefined) return undefined;
  const value = cellValue(cell, field, use.prefix);
  const before = stored[use.to];
  if (value === undefined || JSON.stringify(value) === JSON.stringify(before)) return undefined;
  return before === undefined || before === null ? 'nothing' : cellText(before);
}

interface Editing {
  readonly row: number;
  readonly column: number;
}

function useCells(
  { sheet, type, matching, corrected, onCorrect }: Props,
  shownAt: readonly number[],
): readonly Column<Shown>[] {
  const [editing, setEditing] = useState<Editing>();
  const used = usedOf(matching);
  const done = (at: Editing, text: string | undefined): void => {
    setEditing(undefined);
    if (text !== undefined && text !== cellText(sheet.rows[at.row]?.cells[at.column]))
      onCorrect(at.row, at.column, text);
    // the input gives its place back to the cell
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) focusCell(at.row, at.column);
    });
  };
  const onKeyDown = (event: KeyboardEvent, row: number, column: number): void => {
    const [down, right] = ARROWS[event.key] ?? [0, 0];
    if (down === 0 && right === 0) return;
    event.preventDefault();
    const next = shownAt[shownAt.indexOf(row) + down];
    const beside = used[used.findIndex(({ i }) => i === column) + right];
    if (next !== undefined && beside !== undefined) focusCell(next, beside.i);
  };
  const cellOf = (shown: Shown, use: Used): ReactNode => {
    const { at, outcome } = shown;
    const cell = sheet.rows[at]?.cells[use.i];
    const text = cellText(cell);
    const title = `${sheet.columns[use.i] ?? ''}, line ${sheet.rows[at]?.line ?? ''}`;
    const here = { row: at, column: use.i };
    if (editing?.row === at && editing.column === use.i)
      return (
        <Input
          label={title}
          text={text}
          onDone={(typed) => {
            done(here, typed);
          }}
        />
      );
    const reason = corrected.has(at) ? undefined : reasonFor(outcome, use);
    const before = corrected.has(at) ? undefined : changeOf(shown, cell, use, type);
    return (
      <button
        type="button"
        data-cell={`${at}.${use.i}`}
        className={`cell${reason === undefined ? '' : ' bad'}${before === undefined ? '' : ' changed'}`}
        title={reason ?? (before === undefined ? undefined : `stored: ${before}`)}
        onClick={() => {
          setEditing(here);
        }}
        onKeyDown={(event) => {
          onKeyDown(event, at, use.i);
        }}
      >
        {before !== undefined && (
          <>
            <del>
              <bdi>{fit(before, MOST)}</bdi>
            </del>{' '}
          </>
        )}
        {text === '' ? <span className="quiet">empty</span> : <bdi>{fit(text, MOST)}</bdi>}
        {reason !== undefined && <span className="reason">{` ${reason}`}</span>}
      </button>
    );
  };
  return used.map((use) => ({
    key: String(use.i),
    title: <bdi>{use.to === '' ? 'id' : use.to}</bdi>,
    cell: (shown: Shown) => cellOf(shown, use),
  }));
}

function useShow(outcomes: readonly Outcome[]): readonly [readonly number[], ReactNode] {
  const { params, set } = useAddress();
  const now: Show = SHOWS.find((one) => one === params.get('show')) ?? 'all';
  const rows = useMemo(
    () => outcomes.flatMap(({ becomes }, i) => (now === 'all' || becomes === now ? [i] : [])),
    [outcomes, now],
  );
  const counts = new Map<Show, number>([['all', outcomes.length]]);
  for (const { becomes } of outcomes) counts.set(becomes, (counts.get(becomes) ?? 0) + 1);
  const bar = (
    <div className="row" role="group" aria-label="Rows that are shown">
      {SHOWS.filter((one) => one === now || (counts.get(one) ?? 0) > 0).map((one) => (
        <button
          key={one}
          type="button"
          className="button"
          aria-pressed={one === now}
          onClick={() => {
            set({ show: one === 'all' ? undefined : one }, { replace: true });
          }}
        >
          {one === 'all' ? 'all rows' : one} {numberText(counts.get(one) ?? 0)}
        </button>
      ))}
    </div>
  );
  return [rows, bar];
}

export function Rows(props: Props): ReactNode {
  const { sheet, type, matching, outcomes, corrected } = props;
  const [shownAt, bar] = useShow(outcomes);
  const [[from, to], setSight] = useState<readonly [number, number]>([0, 0]);
  const onNeed = useCallback((first: number, last: number) => {
    setSight([first, Math.min(last, first + IN_SIGHT - 1)]);
  }, []);
  const idOf = (row: number): string | undefined => {
    const one = sheet.rows[row];
    return one === undefined ? undefined : entityOf(one, matching, type).id;
  };
  const changed = shownAt
    .slice(from, to + 1)
    .flatMap((row) => (outcomes[row]?.becomes === 'updated' ? (idOf(row) ?? []) : []));
  const stored = useStored(type.name, changed);
  const cells = useCells(props, shownAt);
  const rowAt = (index: number): Shown | undefined => {
    const at = shownAt[index];
    if (at === undefined) return undefined;
    const outcome = outcomes[at];
    const id = outcome?.becomes === 'updated' ? idOf(at) : undefined;
    return { at, outcome, stored: id === undefined ? undefined : stored.get(id) };
  };
  return (
    <div className="stack sheet">
      {bar}
      <VirtualTable
        key={shownAt.length}
        label="Rows of the sheet"
        count={shownAt.length}
        rowAt={rowAt}
        keyOf={({ at }) => String(at)}
        onNeed={onNeed}
        place={0}
        onPlace={() => undefined}
        start={0}
        columns={[
          {
            key: 'line',
            title: 'line',
            isNumber: true,
            cell: ({ at }) => numberText(sheet.rows[at]?.line ?? 0),
          },
          {
            key: 'becomes',
            title: 'would be',
            cell: ({ at, outcome }) =>
              corrected.has(at) ? (
                <span className="tag plain">corrected</span>
              ) : (
                <>
                  <Status of={outcome?.becomes ?? ''} />{' '}
                  {restOf(outcome?.faults ?? [], usedOf(matching)).map(({ message }) => (
                    <span key={message} className="fault">
                      {message}{' '}
                    </span>
                  ))}
                </>
              ),
          },
          ...cells,
        ]}
      />
    </div>
  );
}
