// A listing as a file: in which format, and with the fields of which referenced entities as columns.
import type { ReactNode } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { urlOf } from '../../api/place.ts';
import { useAddress } from '../../address/address.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Menu } from '../../parts/overlays.tsx';
import type { TypeInfo } from '../../parts/type-infos.ts';
import type { Listing } from './listing.ts';

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
  listing: { type, filter, orderBy, showsGone },
}: {
  readonly listing: Listing;
}): ReactNode {
  const { at, params } = useAddress();
  const references = referencesOf(type);
  const asked = params.get('expand')?.split(',') ?? [];
  const chosen = references.filter((name) => asked.includes(name));
  const query = new URLSearchParams({
    ...(filter === undefined ? {} : { filter }),
    ...(orderBy === undefined ? {} : { order_by: orderBy }),
    ...(showsGone ? { include_unavailable: 'true' } : {}),
    ...(chosen.length === 0 ? {} : { expand: chosen.join(',') }),
    ...(at === undefined ? {} : { as_of: at }),
  }).toString();
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
          href:
            urlOf(`api/v1/metadata/export/${encodeURIComponent(type.name)}.${format}`) +
            (query === '' ? '' : `?${query}`),
        }))}
      />
    </>
  );
}
