// SQL that counts what is in the store, and what an eviction would take of it.
import type { Queryable } from '../../../platform/queryable.ts';
import { COUNTS, EVICTABLE, type EvictionFilter, UPLOADED } from './stored-objects.store.ts';

/** Of files in the store: how many they are, and their bytes. */
export interface StorePart {
  readonly files: number;
  readonly bytes: number;
}

export interface StoreUsage {
  readonly stored: StorePart;
  /** What an eviction with the filter would take now. */
  readonly evictable: StorePart;
  /** What is only evicted by its hash. */
  readonly uploaded: StorePart;
  /** What productions under way need, or have made. */
  readonly held: StorePart;
  /** What was evicted, and not made again since. */
  readonly evicted: StorePart;
}

type UsageRow = {
  readonly [Part in keyof StoreUsage as `${Part}Files` | `${Part}Bytes`]: number;
};

const partSql = (name: keyof StoreUsage, condition: string): string =>
  `count(*) FILTER (WHERE ${condition})::int AS "${name}Files", coalesce(sum(size) FILTER (WHERE ${condition}), 0)::float8 AS "${name}Bytes"`;

/** What is in the store, and what an eviction would take of it. */
export async function countUsage(
  db: Queryable,
  { unusedSeconds, entityType }: Omit<EvictionFilter, 'hash'>,
): Promise<StoreUsage> {
  const { rows } = await db.query<UsageRow>(
    `SELECT ${partSql('stored', 'NOT gone')}, ${partSql('evictable', 'evictable')}, ${partSql('uploaded', 'uploaded')}, ${partSql('held', 'held')}, ${partSql('evicted', 'gone')}
     FROM (SELECT o.size, o.evicted_at IS NOT NULL AS gone, (${EVICTABLE}) AS evictable, (o.evicted_at IS NULL AND ${UPLOADED}) AS uploaded,
       (o.evicted_at IS NULL AND EXISTS (SELECT 1 FROM artifact.held_object h WHERE h.hash = o.hash AND ${COUNTS})) AS held FROM artifact.stored_object o) AS f`,
    [null, unusedSeconds, entityType],
  );
  const row = rows[0];
  const part = (name: keyof StoreUsage): StorePart => ({
    files: row?.[`${name}Files`] ?? 0,
    bytes: row?.[`${name}Bytes`] ?? 0,
  });
  return {
    stored: part('stored'),
    evictable: part('evictable'),
    uploaded: part('uploaded'),
    held: part('held'),
    evicted: part('evicted'),
  };
}

export interface TypeUsage extends StorePart {
  /** Empty for entities whose type is not known. */
  readonly entityType: string;
}

/** Types whose entities hold most, at most this many. */
const TYPE_LIMIT = 100;

/** What the entities of each type hold; content that several types hold counts for each. */
export async function usageByType(db: Queryable): Promise<TypeUsage[]> {
  const { rows } = await db.query<TypeUsage>(
    `SELECT d.entity_type AS "entityType", count(*)::int AS files, sum(o.size)::float8 AS bytes
     FROM (SELECT DISTINCT coalesce(x.entity_type, '') AS entity_type, x.hash FROM artifact.artifact_entity x) d
     JOIN artifact.stored_object o ON o.hash = d.hash WHERE o.evicted_at IS NULL GROUP BY 1 ORDER BY 3 DESC, 1 LIMIT ${TYPE_LIMIT}`,
  );
  return rows;
}
