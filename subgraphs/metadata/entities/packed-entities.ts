// Packs many entities into one value: in reads by id, each row of a result costs the client more than its
// entity.
import type { EntityRow } from './entity-record.ts';

/** These two characters occur in no JSON text, number, timestamp or type name. */
const UNIT = '\u001f';
export const RECORD = '\u001e';

/**
 * The column `packed` over `e` (entity), `c` and `u` (its first and last event), for a statement that ends in
 * {@link PACKS_SQL}.
 */
export const PACKED_ENTITIES_SQL = `string_agg(concat_ws(E'\\x1f', to_json(e.id), e.entity_type, e.data, e.version, c.timestamp AT TIME ZONE 'UTC', u.timestamp AT TIME ZONE 'UTC', e.is_available, to_json(e.project)), E'\\x1e') AS packed`;

/**
 * One row for all small entities; large ones have rows of their own, so that no value exceeds the maximum
 * size of a string.
 */
export const PACKS_SQL = 'GROUP BY CASE WHEN pg_column_size(e.data) > 4000 THEN e.id END';

export interface Pack {
  readonly packed: string;
}

/** The text of which `to_json` made this. */
export const unquoted = (json: string): string =>
  // A string, by the SQL that made it.
  json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);

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

/** Copies the string: a slice of a pack would keep the whole pack in memory. */
const detached = (slice: string): string => Buffer.from(slice).toString();

/** The packed entities, by id. */
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
