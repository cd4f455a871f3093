// A listing as a file: in which format, and with the fields of which referenced entities as columns.
import type { ReactNode } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { operation, requestOf } from '../../api/operation.ts';
import { urlOf } from '../../api/place.ts';
import { useShownRequest } from '../../api/shown-requests.tsx';
import { useAddress } from '../../address/address.tsx';
import type { ExportSubscription, ExportSubscriptionVariables } from '../../generated/api.ts';
import { Icon } from '../../parts/icons.tsx';
import { Menu } from '../../parts/overlays.tsx';
import type { TypeInfo } from '../../parts/type-infos.ts';
import type { Listing } from './listing.ts';

const EXPORT = operation<ExportSubscription, ExportSubscriptionVariables>(/* GraphQL */ `
  subscription Export(
    $type: String!
    $filter: String
    $q: String
    $orderBy: String
    $gone: Boolean
    $expand: String
    $at: DateTime
  ) {
    exportEntities(
      entityType: $type
      filter: $filter
      q: $q
      orderBy: $orderBy
      includeUnavailable: $gone
      expand: $expand
      asOf: $at
    ) {
      lines
    }
  }
`);

const FORMATS = {
  csv: 'CSV',
  xlsx: 'Excel',
  ndjson: 'NDJSON',
  parquet: 'Parquet',
  arrow: 'Arrow',
} as const;

/** References of which each entity has one: others would be rows. */
const referencesOf = ({ allFields }: TypeInfo): readonly string[] =>
  allFields.filter(({ type, many }) => type === 'ref' && !many).map(({ name }) => name);

function ReferenceColumns({
  references,
  chosen,
}: {
  readonly references: readonly string[];
  readonly chosen: readonly string[];
}): ReactNode {
  const { set } = useAddress();
  return (
    <DialogTrigger>
      <Button className="button">
        {chosen.length === 0 ? 'References' : `References: ${chosen.length}`}
        <Icon name="down" />
      </Button>
      <Popover className="popover roomy">
        <Dialog aria-label="References in exports" className="stack">
          <p className="hint">Exports have the fields of these as columns, too.</p>
          {references.map((name) => (
            <label key={name} className="check">
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                onChange={(event) => {
                  const next = references.filter((one) =>
                    one === name ? event.target.checked : chosen.includes(one),
                  );
                  set({ expand: next.length === 0 ? undefined : next.join(',') });
                }}
              />
              <bdi>{name}</bdi>
            </label>
          ))}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

export function Exports({
  listing: { type, filter, words, orderBy, showsGone },
}: {
  readonly listing: Listing;
}): ReactNode {
  const { at, params } = useAddress();
  const references = referencesOf(type);
  const asked = params.get('expand')?.split(',') ?? [];
  const chosen = references.filter((name) => asked.includes(name));
  const expand = chosen.length === 0 ? undefined : chosen.join(',');
  const query = new URLSearchParams({
    ...(words === '' ? {} : { q: words }),
    ...(filter === undefined ? {} : { filter }),
    ...(orderBy === undefined ? {} : { order_by: orderBy }),
    ...(showsGone ? { include_unavailable: 'true' } : {}),
    ...(expand === undefined ? {} : { expand }),
    ...(at === undefined ? {} : { as_of: at }),
  }).toString();
  const pathOf = (format: string): string =>
    `api/v1/metadata/${words === '' ? 'export' : 'search'}/${encodeURIComponent(type.name)}.${format}${query === '' ? '' : `?${query}`}`;
  const name = `${type.name}.csv`;
  useShownRequest({
    ...requestOf(EXPORT, {
      type: type.name,
      filter: filter ?? null,
      q: words,
      orderBy: orderBy ?? null,
      gone: showsGone,
      expand: expand ?? null,
      at: at ?? null,
    }),
    file: {
      path: pathOf('csv'),
      name,
      command: [
        'export',
        type.name,
        ...(words === '' ? [] : ['--words', words]),
        ...(filter === undefined ? [] : ['--filter', filter]),
        ...(orderBy === undefined ? [] : ['--order-by', orderBy]),
        ...(showsGone ? ['--include-unavailable'] : []),
        ...(expand === undefined ? [] : ['--expand', expand]),
        ...(at === undefined ? [] : ['--as-of', at]),
        '-o',
        name,
      ],
    },
  });
  return (
    <>
      {references.length > 0 && <ReferenceColumns references={references} chosen={chosen} />}
      <Menu
        label="Export"
        icon="download"
        choices={Object.entries(FORMATS).map(([format, text]) => ({
          key: format,
          text,
          isDownload: true,
          href: urlOf(pathOf(format)),
        }))}
      />
    </>
  );
}
