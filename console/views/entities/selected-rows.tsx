// Which entities of a listing are selected: one by one, or its first ones at once.
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type ApiError, asApiError } from '../../api/api-error.ts';
import type { Column } from '../../parts/table.tsx';
import { numberText } from '../../parts/text.ts';
import type { Row } from './read-rows.ts';
import type { Rows } from './rows.ts';

/** Entities that are changed at once. */
export const MOST = 1000;

export interface Selection {
  readonly rows: readonly Row[];
  readonly column: Column<Row>;
  readonly clear: () => void;
  readonly leaveOut: (ids: readonly string[]) => void;
  /** What is under way to select all. */
  readonly all: All;
}

interface All {
  /** How many it selects, at most. */
  readonly most: number;
  readonly isReading: boolean;
  readonly error: ApiError | undefined;
  /** The ids of those that it stands for, as far as they are known. */
  readonly ids: readonly (string | undefined)[];
  readonly begin: () => void;
}

/** Reads the first rows of a list, as many as may be changed at once, and chooses them: not once there is another list. */
function useAll(
  { key, count, total, isWhole, at, readFirst }: Rows,
  onRead: (rows: readonly Row[]) => void,
): All {
  const [isReading, setReading] = useState(false);
  const [error, setError] = useState<ApiError>();
  const [read, setRead] = useState<{ readonly key: string; readonly ids: readonly string[] }>();
  const work = useRef<AbortController>();
  useEffect(
    () => () => {
      work.current?.abort();
      setReading(false);
      setError(undefined);
    },
    [key],
  );
  const begin = (): void => {
    const gone = new AbortController();
    work.current = gone;
    setReading(true);
    setError(undefined);
    readFirst(MOST, gone.signal).then(
      (rows) => {
        if (gone.signal.aborted) return;
        setReading(false);
        setRead({ key, ids: rows.map(({ id }) => id) });
        onRead(rows);
      },
      (thrown: unknown) => {
        if (gone.signal.aborted) return;
        setReading(false);
        setError(asApiError(thrown));
      },
    );
  };
  // a search does not count
  const most = total === undefined && !isWhole ? MOST : Math.min(count, MOST);
  const there = read?.key === key ? read.ids : [];
  const ids = Array.from({ length: there.length || most }, (_, i) => at(i)?.id ?? there[i]);
  return { most, isReading, error, ids, begin };
}

function AllBox({
  all: { most, isReading, ids, begin },
  list: { isStale, isWhole, count },
  chosen,
  clear,
}: {
  readonly all: All;
  readonly list: Rows;
  readonly chosen: ReadonlyMap<string, Row>;
  readonly clear: () => void;
}): ReactNode {
  const isChosen = (id: string | undefined): boolean => id !== undefined && chosen.has(id);
  const isAll = isReading || (ids.length > 0 && ids.every(isChosen));
  const isSome = !isAll && ids.some(isChosen);
  const label = isWhole && count <= MOST ? 'Select all' : `Select the first ${numberText(most)}`;
  return (
    <input
      type="checkbox"
      aria-label={label}
      title={label}
      // not `disabled`, which takes the focus away
      aria-disabled={isReading || isStale}
      checked={isAll}
      ref={(box) => {
        if (box !== null) box.indeterminate = isSome;
      }}
      onChange={(event) => {
        if (isReading || isStale) return;
        if (event.target.checked) begin();
        else clear();
      }}
    />
  );
}

/** Those of `pages` that are newer than what was chosen take its place. */
function withNewer(chosen: ReadonlyMap<string, Row>, pages: Rows['pages']): ReadonlyMap<string, Row> {
  const newer = [...pages.values()]
    .flatMap(({ rows }) => rows)
    .filter((row) => row.version > (chosen.get(row.id)?.version ?? Infinity));
  return newer.length === 0 ? chosen : new Map([...chosen, ...newer.map((row) => [row.id, row] as const)]);
}

export function useSelection(list: Rows): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map());
  const { pages } = list;
  useEffect(() => {
    setChosen((before) => withNewer(before, pages));
  }, [pages]);
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
    title: <AllBox all={all} list={list} chosen={chosen} clear={clear} />,
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
  const leaveOut = useCallback((ids: readonly string[]) => {
    setChosen((before) => {
      const after = new Map(before);
      for (const id of ids) after.delete(id);
      return after;
    });
  }, []);
  return { rows, column, clear, leaveOut, all };
}
