// The table of a listing.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { COMMAND } from '../../api/place.ts';
import { useQuery } from '../../api/use-api.ts';
import { useSession } from '../../frame/session.tsx';
import { isNumeric } from '../../parts/field-kind.ts';
import { PageSteps } from '../../parts/page-steps.tsx';
import { Status } from '../../parts/status.tsx';
import { Empty, Fault, Loading } from '../../parts/states.tsx';
import type { Column } from '../../parts/table.tsx';
import { numberText, plural } from '../../parts/text.ts';
import { EntityLink, Instant, Value } from '../../parts/value.tsx';
import { VirtualTable } from '../../parts/virtual-table.tsx';
import { type LiveChanges, useChanged } from './changed.ts';
import type { Listing } from './listing.ts';
import { HITS, MOST_RANKED, type Row } from './read-rows.ts';
import { STRETCH, useRows } from './rows.ts';
import { useSelection } from './selected-rows.tsx';
import { SelectionBar } from './selection.tsx';

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

function columnsOf(listing: Listing, changed: ReadonlySet<string>): readonly Column<Row>[] {
  const sorted = (key: string): Pick<Column<Row>, 'sort'> => {
    const sort = sortBy(listing, key);
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
          {changed.has(id) && <span className="tag good">new</span>}
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
          <Value
            value={(data as Readonly<Record<string, unknown>>)[field.name]} // an entity's data are an object
            field={field}
            most={MOST}
          />
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

/** What was written since the list was read. */
function News({
  of: { unread, onRead },
  onReload,
}: {
  readonly of: LiveChanges;
  readonly onReload: () => void;
}): ReactNode {
  return (
    <div className="row live" role="status">
      {unread > 0 && (
        <>
          <span className="tag good">{plural(unread, 'change')} just now</span>
          <button
            type="button"
            className="button"
            onClick={() => {
              onRead();
              onReload();
            }}
          >
            Read the list anew
          </button>
        </>
      )}
    </div>
  );
}

const Count = ({
  of,
  isRanked,
}: {
  readonly of: number | undefined;
  readonly isRanked: boolean;
}): ReactNode => (
  <p className="quiet" role="status">
    {of !== undefined && plural(of, 'entity', 'entities')}
    {isRanked &&
      `${of === undefined ? 'The' : ', the'} best matches first${of !== undefined && of > MOST_RANKED ? `, of which ${numberText(MOST_RANKED)} are ranked: add words or conditions, or choose an order` : ''}`}
  </p>
);

/** Where only unavailable ones are found, as after an eviction. */
const NotAvailable = ({ listing, of }: { readonly listing: Listing; readonly of: number }): ReactNode => (
  <Empty title={`None of ${plural(of, 'entity', 'entities')} is available`}>
    <p>They were made unavailable, or their files were evicted.</p>
    <button
      type="button"
      className="button"
      onClick={() => {
        listing.change({ gone: '1' });
      }}
    >
      Show unavailable ones, too
    </button>
  </Empty>
);

function Nothing({ listing }: { readonly listing: Listing }): ReactNode {
  const { at, project, set } = useAddress();
  const { is } = useSession();
  const { type, words, filter = null, showsGone, conditions, own } = listing;
  const isLater = listing.page > 1; // of a list that has become shorter
  const all = useQuery(
    HITS,
    { type: type.name, q: words, filter, gone: true, at },
    { skip: showsGone || isLater },
  );
  if (all.error) return <Fault error={all.error} onRetry={all.reload} />;
  if (all.isLoading) return <Loading what="unavailable entities" />;
  const unavailable = all.data?.aggregate.groups[0]?.count ?? 0;
  if (!showsGone && !isLater && unavailable > 0) return <NotAvailable listing={listing} of={unavailable} />;
  if (conditions.length > 0 || own !== '' || words !== '' || isLater)
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
  if (project !== undefined)
    return (
      <Empty title={`No ${type.name} in this project`}>
        <p>Shared entities belong to none.</p>
        <button
          type="button"
          className="button"
          onClick={() => {
            set({ project: undefined });
          }}
        >
          Show all projects
        </button>
      </Empty>
    );
  if (at !== undefined)
    return (
      <Empty title={`There was no ${type.name} then`}>
        <p>Choose a later time, or go back to the present.</p>
      </Empty>
    );
  if (!is('analyst'))
    return (
      <Empty title={`No ${type.name} yet`}>
        <p>Who has the role analyst creates entities, or imports a sheet.</p>
      </Empty>
    );
  return (
    <Empty title={`No ${type.name} yet`}>
      <p>
        <Link to="import" params={{ type: type.name }}>
          Import a sheet
        </Link>
        , or load a table in a terminal:
      </p>
      <pre className="code">
        {COMMAND} ingest table.csv --type {type.name}
      </pre>
    </Empty>
  );
}

export function Results({ listing }: { readonly listing: Listing }): ReactNode {
  const rows = useRows(listing);
  const { at, set } = useAddress();
  const { is } = useSession();
  const selection = useSelection(rows);
  const changed = useChanged(listing.type.name, at === undefined);
  const { error, isRead, count, total, isStale } = rows;
  const { type, words, filter, orderBy, showsGone, page, row } = listing;
  if (!isRead) return error ? <Fault error={error} onRetry={rows.reload} /> : <Loading what="entities" />;
  if (count === 0 && !error) return <Nothing listing={listing} />;
  const start = (page - 1) * STRETCH;
  const canSelect = at === undefined && is('analyst');
  return (
    <div className="stack">
      {error && <Fault error={error} onRetry={rows.reload} />}
      <News of={changed} onReload={rows.reload} />
      {canSelect && (
        <SelectionBar
          type={type}
          selection={selection}
          onOnly={(only) => {
            listing.change({ filter: only, f: undefined, q: undefined });
          }}
          onDone={rows.reload}
        />
      )}
      <VirtualTable
        // another listing begins at its own first row
        key={JSON.stringify([words, filter, orderBy, showsGone, page])}
        label={`Entities of type ${type.name}`}
        columns={[...(canSelect ? [selection.column] : []), ...columnsOf(listing, changed.ids)]}
        count={count}
        rowAt={rows.at}
        keyOf={({ id }) => id}
        onNeed={rows.need}
        place={row}
        onPlace={(first) => {
          set({ row: first === 0 ? undefined : String(first) }, { replace: true });
        }}
        start={start}
        isStale={isStale}
      />
      {total !== undefined && total > STRETCH ? (
        <PageSteps page={page} size={STRETCH} total={total} count={count} />
      ) : (
        <Count of={rows.found} isRanked={rows.isRanked} />
      )}
    </div>
  );
}
