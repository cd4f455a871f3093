// What was added to a listing, removed from it and changed in it between two times.
import { type ReactNode, useEffect } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import { Missing, Page } from '../../frame/page.tsx';
import type { EntitiesDiffQuery, EntitiesDiffQueryVariables } from '../../generated/api.ts';
import { ShownPage } from '../../parts/page-steps.tsx';
import { Empty, Loading, Shown } from '../../parts/states.tsx';
import { Status } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import { plural } from '../../parts/text.ts';
import { TYPE_INFOS, type TypeInfo } from '../../parts/type-infos.ts';
import { Given } from '../../parts/value.tsx';
import { When } from '../../parts/when.tsx';
import { Diff, statesOf } from '../entity/diff.tsx';
import { type Listing, useListing } from './listing.ts';
import { Chips } from './toolbar.tsx';

const ENTITIES_DIFF = operation<EntitiesDiffQuery, EntitiesDiffQueryVariables>(/* GraphQL */ `
  query EntitiesDiff(
    $type: String!
    $filter: String
    $q: String
    $gone: Boolean
    $from: DateTime!
    $to: DateTime
    $after: String
  ) {
    entitiesDiff(
      entityType: $type
      filter: $filter
      q: $q
      includeUnavailable: $gone
      from: $from
      to: $to
      first: 50
      after: $after
    ) {
      nextCursor
      items {
        entityId
        kind
        before {
          version
          isAvailable
        }
        after {
          version
          isAvailable
        }
        differences {
          field
          kind
          before
          after
        }
      }
    }
  }
`);
type Item = EntitiesDiffQuery['entitiesDiff']['items'][number];

/** Fields of an entity that are shown here; its own page compares all of them. */
const MOST = 8;

function What({ item, type }: { readonly item: Item; readonly type: TypeInfo }): ReactNode {
  const { kind, before, after, differences } = item;
  if (kind !== 'CHANGED') return <span className="quiet">{plural(differences.length, 'field')}</span>;
  return (
    <>
      {before?.isAvailable !== after?.isAvailable && (
        <p>
          <Status of={after?.isAvailable === true ? 'available' : 'unavailable'} />
        </p>
      )}
      {differences.length > 0 && <Diff {...statesOf(differences.slice(0, MOST))} type={type} />}
      {differences.length > MOST && (
        <p className="quiet small">and {plural(differences.length - MOST, 'field')} more</p>
      )}
    </>
  );
}

function Results({ listing, from }: { readonly listing: Listing; readonly from: string }): ReactNode {
  const { params, at } = useAddress();
  const { type, filter, words, showsGone } = listing;
  const to = params.get('to') ?? at ?? null;
  const answer = useQuery(
    ENTITIES_DIFF,
    {
      type: type.name,
      filter: filter ?? null,
      q: words,
      gone: showsGone,
      from,
      to,
      after: params.get('cursor'),
    },
    { of: `${from} ${to}` },
  );
  return (
    <ShownPage
      answer={answer}
      what="the differences"
      pageOf={({ entitiesDiff: { items, nextCursor } }) => ({ rows: items, nextCursor })}
      empty={
        <Empty title="Nothing differs">
          <p>No entity of it was added, removed or changed between the two times.</p>
        </Empty>
      }
    >
      {(items) => (
        <Table
          label="Entities that differ"
          rows={items}
          keyOf={({ entityId }) => entityId}
          isStale={answer.isLoading}
          columns={[
            {
              key: 'kind',
              title: 'how',
              cell: ({ kind }) => <Status of={kind.toLowerCase()} />,
            },
            {
              key: 'entity',
              title: 'entity',
              cell: ({ entityId }) => (
                <Link to="entity" params={{ id: entityId, tab: 'compare', from, to: to ?? undefined }}>
                  <Given text={entityId} />
                </Link>
              ),
            },
            { key: 'what', title: 'what', cell: (item) => <What item={item} type={type} /> },
          ]}
        />
      )}
    </ShownPage>
  );
}

const AGO = [
  ['The last hour', 3_600_000],
  ['The last day', 86_400_000],
  ['The last week', 604_800_000],
] as const;

/** Where the address says no first time, it is a day ago. */
function useFrom(): string | undefined {
  const { params, at, set } = useAddress();
  const from = params.get('from') ?? undefined;
  useEffect(() => {
    if (from !== undefined) return;
    const now = at === undefined ? Date.now() : Date.parse(at);
    set({ from: new Date(now - 86_400_000).toISOString() }, { replace: true });
  }, [from, at, set]);
  return from;
}

function Times({ from }: { readonly from: string }): ReactNode {
  const { params, at, set } = useAddress();
  const to = params.get('to') ?? at;
  return (
    <div className="card">
      <div className="columns">
        <When
          id="differences-from"
          label="Before"
          iso={from}
          onChoose={(iso) => {
            if (iso !== undefined) set({ from: iso, cursor: undefined }, { replace: true });
          }}
        />
        <When
          id="differences-to"
          label={to === undefined ? 'After (the present)' : 'After'}
          iso={to}
          onChoose={(iso) => {
            set({ to: iso, cursor: undefined }, { replace: true });
          }}
        />
      </div>
      <div className="row">
        {AGO.map(([text, ms]) => (
          <button
            key={text}
            type="button"
            className="button"
            onClick={() => {
              const now = at === undefined ? Date.now() : Date.parse(at);
              set({ from: new Date(now - ms).toISOString(), to: undefined, cursor: undefined });
            }}
          >
            {text}
          </button>
        ))}
      </div>
    </div>
  );
}

function Compared({ type }: { readonly type: TypeInfo }): ReactNode {
  const { params } = useAddress();
  const listing = useListing(type);
  const from = useFrom();
  const kept = Object.fromEntries(
    ['q', 'filter', 'gone'].map((name) => [name, params.get(name) ?? undefined] as const),
  );
  return (
    <Page
      crumb={
        <Link to="entities" params={{ type: type.name, f: params.getAll('f'), ...kept }}>
          <Given text={type.name} />
        </Link>
      }
      title="What changed"
      about="What was added, removed and changed between two times. The set is what the list showed then."
    >
      {from === undefined ? (
        <Loading what="the differences" />
      ) : (
        <>
          <Times from={from} />
          <Chips listing={listing} withWords />
          <Results listing={listing} from={from} />
        </>
      )}
    </Page>
  );
}

export default function EntitiesDifferences(): ReactNode {
  const { params } = useAddress();
  const answer = useQuery(TYPE_INFOS, {});
  return (
    <Shown answer={answer} what="the types">
      {({ schemas }) => {
        const type = schemas.find(({ name }) => name === params.get('type'));
        if (type !== undefined) return <Compared key={type.name} type={type} />;
        return (
          <Missing title="What changed">
            <p>
              Choose a type among the <Link to="entities">entities</Link>, then “What changed”.
            </p>
          </Missing>
        );
      }}
    </Shown>
  );
}
