// A table of any length, of which only the rows in sight are in the page.
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Column, Heading } from './table.tsx';

/** Height of a row in pixels, as the style sheet has it. */
const ROW = 36;
/** Rows beside those in sight, so that the keyboard finds the next one. */
const BESIDE = 12;
/** Milliseconds without scrolling after which the place is told. */
const SETTLES_MS = 300;

interface Props<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly count: number;
  /** Undefined for a row that is not there yet. */
  readonly rowAt: (index: number) => Row | undefined;
  readonly keyOf: (row: Row) => string;
  /** Called with the rows that are wanted. */
  readonly onNeed: (from: number, to: number) => void;
  /** The row that is first in sight: at the beginning, and whenever the scrolling has ended elsewhere. */
  readonly place: number;
  readonly onPlace: (row: number) => void;
  /** The position of the first row among all, from 0. */
  readonly start: number;
  readonly isStale?: boolean;
}

interface Widths {
  readonly of: string;
  readonly px: readonly number[];
}

/** The widths that the browser gives to the first rows, kept while others scroll by. */
function useWidths(key: string, isReady: boolean): readonly [React.RefObject<HTMLTableElement>, Widths?] {
  const table = useRef<HTMLTableElement>(null);
  const [widths, setWidths] = useState<Widths>();
  useLayoutEffect(() => {
    if (!isReady || table.current === null) return;
    const px = [...table.current.querySelectorAll('thead th')].map(
      (cell) => cell.getBoundingClientRect().width,
    );
    setWidths({ of: key, px });
  }, [key, isReady]);
  return widths?.of === key ? [table, widths] : [table];
}

const Spacer = ({ height, columns }: { readonly height: number; readonly columns: number }): ReactNode =>
  height > 0 && (
    <tr aria-hidden="true" className="spacer">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );

function useWindow({
  count,
  place,
  onPlace,
  onNeed,
}: Pick<Props<unknown>, 'count' | 'place' | 'onPlace' | 'onNeed'>) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: BESIDE,
    initialOffset: place * ROW,
    useFlushSync: false,
  });
  const items = virtual.getVirtualItems();
  const [from, to] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => {
    if (count > 0) onNeed(from, to);
  }, [from, to, count, onNeed]);
  const first = Math.round((virtual.scrollOffset ?? 0) / ROW);
  useEffect(() => {
    if (first === place) return undefined;
    const timer = setTimeout(() => {
      onPlace(first);
    }, SETTLES_MS);
    return () => {
      clearTimeout(timer);
    };
    // `onPlace` is another function each time, and does the same
  }, [first, place]);
  return { box, items, size: virtual.getTotalSize(), first };
}

export function VirtualTable<Row>(props: Props<Row>): ReactNode {
  const { label, columns, count, rowAt, keyOf, start, isStale = false } = props;
  const { box, items, size } = useWindow(props);
  const key = columns.map((column) => column.key).join('\n');
  const isReady = items.some(({ index }) => rowAt(index) !== undefined);
  const [table, widths] = useWidths(key, isReady);
  const before = items[0]?.start ?? 0;
  const after = size - (items.at(-1)?.end ?? 0);
  return (
    <div
      className={`tablebox tall${isStale ? ' stale' : ''}`}
      role="region"
      aria-label={label}
      tabIndex={0}
      ref={box}
    >
      <table
        ref={table}
        aria-busy={isStale}
        aria-rowcount={start + count + 1}
        {...(widths && {
          style: { width: widths.px.reduce((sum, px) => sum + px, 0), tableLayout: 'fixed' },
        })}
      >
        {widths && (
          <colgroup>
            {widths.px.map((width, i) => (
              <col key={columns[i]?.key} style={{ width }} />
            ))}
          </colgroup>
        )}
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Heading key={column.key} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={before} columns={columns.length} />
          {items.map(({ index }) => {
            const row = rowAt(index);
            return (
              <tr key={row === undefined ? index : keyOf(row)} aria-rowindex={start + index + 2}>
                {row === undefined ? (
                  <td colSpan={columns.length} className="quiet">
                    …
                  </td>
                ) : (
                  columns.map(({ key: name, cell, isNumber }) => (
                    <td key={name} className={isNumber === true ? 'number' : undefined}>
                      {cell(row)}
                    </td>
                  ))
                )}
              </tr>
            );
          })}
          <Spacer height={after} columns={columns.length} />
        </tbody>
      </table>
    </div>
  );
}
