// Many entities as one value: read by id, each row of a result costs the client more than the entity in it.
import type { EntityRow } from './entity-record.ts';

/** No JSON text holds these two, and no number, time or name of a type. */
const UNIT = '\u001f';
export const RECORD = '\u001e';

/**
 * The column `packed` over `e` (entity), `c` and `u` (its first and last event), for a statement that ends in
 * {@link PACKS_SQL}.
 */
export const PACKED_ENTITIES_SQL = `string_agg(concat_ws(E'\\x1f', to_json(e.id), e.entity_type, e.data, e.version, c.timestamp AT TIME ZONE 'UTC', u.timestamp AT TIME ZONE 'UTC', e.is_available, to_json(e.project)), E'\\x1e') AS packed`;

/**
 * One row for all small entities; large ones stand in rows of their own, so that no value outgrows what a
 * string may be.
 */
export const PACKS_SQL = 'GROUP BY CASE WHEN pg_column_size(e.data) > 4000 THEN e.id END';

export interface Pack {
  readonly packed: string;
}

/** The text of which `to_json` made this. */
export const unquoted = (json: string): string =>
  json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1); // a string, by how it was made

function unpack(record: string): EntityRow {
  const [id = '', type = '', data = '', version = '', created = '', updated = '', available = '', project] =
    record.split(UNIT);
  return {
    id: unquoted(id),
    entity_type: type,
    data,
    version,
    created_at: created,
    updated_at: updated,
    is_available: available,
    project: project === undefined ? null : unquoted(project),
  };
}

/** A string of its own: a slice of a pack would hold the whole pack in memory. */
const detached = (slice: string): string => Buffer.from(slice).toString();

/** What was packed, by id. */
export function unpackEntities(packs: readonly Pack[]): ReadonlyMap<string, EntityRow> {
  const byId = new Map<string, EntityRow>();
  for (const { packed } of packs) {
    for (const record of packed.split(RECORD)) {
      const row = unpack(detached(record));
      byId.set(row.id, row);
    }
  }
  return byId;
}
