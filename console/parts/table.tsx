// A table: scrolls sideways by itself, sorts by its address. On a phone, rows of many columns are cards.
import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly key: string;
  readonly title: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** Sorts by this column: the order in force, and what a click asks for. */
  readonly sort?: { readonly now: 'ascending' | 'descending' | undefined; readonly toggle: () => void };
}

interface Props<Row> {
  /** What the table holds, for those who do not see it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly isStale?: boolean;
  /** Rows that have just changed, by their keys. */
  readonly changed?: ReadonlySet<string>;
}

const ARROWS = { ascending: '↑', descending: '↓' } as const;

export const Heading = <Row,>({
  column: { title, sort, isNumber },
}: {
  readonly column: Column<Row>;
}): ReactNode => (
  <th
    scope="col"
    className={isNumber === true ? 'number' : undefined}
    {...(sort?.now === undefined ? {} : { 'aria-sort': sort.now })}
  >
    {sort === undefined ? (
      title
    ) : (
      <button type="button" onClick={sort.toggle}>
        {title}
        <span aria-hidden="true">{sort.now === undefined ? '' : ARROWS[sort.now]}</span>
      </button>
    )}
  </th>
);

/** Columns that fit beside each other on a phone. */
const NARROW = 3;

export function Table<Row>({ label, columns, rows, keyOf, isStale = false, changed }: Props<Row>): ReactNode {
  return (
    <div
      className={['tablebox', isStale && 'stale', columns.length > NARROW && 'rowcards']
        .filter(Boolean)
        .join(' ')}
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <table aria-busy={isStale}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.key} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ key, title, cell, isNumber }, i) => (
                <td
                  key={key}
                  className={isNumber === true ? 'number' : undefined}
                  data-title={typeof title === 'string' ? title : undefined}
                >
                  {cell(row)}
                  {i === 0 && changed?.has(keyOf(row)) === true && (
                    <>
                      {' '}
                      <span className="tag good">new</span>
                    </>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
