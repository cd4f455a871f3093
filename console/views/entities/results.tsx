// The table of a listing, and its pages.
import type { ReactNode } from 'react';
import { useAddress } from '../../address/address.tsx';
import { isNumeric } from '../../parts/field-kind.ts';
import { Status } from '../../parts/status.tsx';
import { Empty, Fault, Loading } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { numberText } from '../../parts/text.ts';
import { EntityLink, Instant, Value } from '../../parts/value.tsx';
import { type Listing, PAGE_SIZE, type Row, useRows } from './listing.ts';

type Order = 'ascending' | 'descending' | undefined;

function sortBy({ orderBy, change }: Listing, key: string): Column<Row>['sort'] {
  const orders: Readonly<Record<string, Order>> = { [key]: 'ascending', [`-${key}`]: 'descending' };
  const now = orderBy === undefined ? undefined : orders[orderBy];
  const next = now === 'ascending' ? `-${key}` : key;
  return {
    now,
    toggle: () => {
      change({ sort: now === 'descending' ? undefined : next });
    },
  };
}

/** Longest text of a value in a cell. */
const MOST = 160;

function columnsOf(listing: Listing, isSearch: boolean): readonly Column<Row>[] {
  const sorted = (key: string): Pick<Column<Row>, 'sort'> => {
    const sort = isSearch ? undefined : sortBy(listing, key);
    return sort === undefined ? {} : { sort };
  };
  return [
    {
      key: ' id',
      title: 'id',
      ...sorted('id'),
      cell: ({ id, isAvailable }) => (
        <>
          <EntityLink id={id} /> {!isAvailable && <Status of="unavailable" />}
        </>
      ),
    },
    ...listing.type.allFields
      .filter(({ name }) => listing.columns.includes(name))
      .map((field) => ({
        key: field.name,
        title: <bdi>{field.name}</bdi>,
        isNumber: isNumeric(field) && !field.many,
        ...(field.many || field.type === 'json' ? {} : sorted(`data.${field.name}`)),
        cell: ({ data }: Row) => (
          <span className="clip">
            <Value
              value={(data as Readonly<Record<string, unknown>>)[field.name]} // an entity's data are an object
              field={field}
              most={MOST}
            />
          </span>
        ),
      })),
    {
      key: ' updated',
      title: 'changed',
      ...sorted('updatedAt'),
      cell: ({ updatedAt }) => <Instant iso={updatedAt} />,
    },
  ];
}

function Pages({
  page,
  total,
  next,
  count,
}: {
  readonly page: number;
  readonly total: number | undefined;
  readonly next: string | undefined;
  readonly count: number;
}): ReactNode {
  const { set } = useAddress();
  const from = (page - 1) * PAGE_SIZE + 1;
  const last = total === undefined ? undefined : Math.max(1, Math.ceil(total / PAGE_SIZE));
  const to = (changes: { page?: string | undefined; cursor?: string | undefined }): (() => void) => {
    return () => {
      set(changes);
    };
  };
  const goOn = total === undefined ? to({ cursor: next }) : to({ page: String(page + 1) });
  const hasMore = total === undefined ? next !== undefined : last !== undefined && page < last;
  return (
    <nav aria-label="Pages" className="row apart">
      <p className="quiet" role="status">
        {total === undefined
          ? `${numberText(count)} best matches${next === undefined ? '' : ' on this page'}`
          : `${numberText(from)} to ${numberText(from + count - 1)} of ${numberText(total)}`}
      </p>
      <div className="row">
        <button
          type="button"
          className="button"
          disabled={total === undefined || page === 1}
          onClick={to({ page: page === 2 ? undefined : String(page - 1) })}
        >
          Previous
        </button>
        <button type="button" className="button" disabled={!hasMore} onClick={goOn}>
          Next
        </button>
      </div>
    </nav>
  );
}

function Nothing({ listing }: { readonly listing: Listing }): ReactNode {
  const isNarrowed = listing.filter !== undefined || listing.words !== '' || listing.page > 1;
  if (isNarrowed)
    return (
      <Empty title="Nothing matches">
        <p>Remove a condition, or search for fewer words.</p>
        <button
          type="button"
          className="button"
          onClick={() => {
            listing.change({ f: undefined, filter: undefined, q: undefined });
          }}
        >
          Show all
        </button>
      </Empty>
    );
  return (
    <Empty title={`No ${listing.type.name} yet`}>
      <p>Load a table of them in a terminal:</p>
      <pre className="code">npx cairn ingest table.csv --type {listing.type.name}</pre>
    </Empty>
  );
}

export function Results({ listing }: { readonly listing: Listing }): ReactNode {
  const { answer, rows, total, next } = useRows(listing);
  if (answer.error && (rows === undefined || !answer.isLoading))
    return <Fault error={answer.error} onRetry={answer.reload} />;
  if (rows === undefined) return <Loading what="entities" />;
  if (rows.length === 0) return <Nothing listing={listing} />;
  return (
    <div className="stack">
      <Table
        label={`Entities of type ${listing.type.name}`}
        columns={columnsOf(listing, listing.words !== '')}
        rows={rows}
        keyOf={({ id }) => id}
        isStale={answer.isLoading}
      />
      <Pages page={listing.page} total={total} next={next} count={rows.length} />
    </div>
  );
}
