// Cache of entities that were read by id. It is validated with every read: PostgreSQL reports what the log
// contains after the position at which the entities are known to be current
// (docs/decisions/0040-entities-are-kept.md).
import { LRUCache } from 'lru-cache';
import { cacheCounts } from '../../../platform/metrics/cache-metrics.ts';
import type { EntityRow } from '../reading/entity-record.ts';
import { LOG_SERVER } from '../reading/log-server.ts';
import { RECORD, unquoted } from './packed-entities.ts';

/** Maximum number of characters; each entity counts with its data and overhead. */
const MAX_CHARACTERS = 32 * 1024 * 1024;
const ABOUT = 600;
/** Larger entities are not cached, because they would evict too many others. */
const MAX_ENTITY_CHARACTERS = 256 * 1024;

/** With more changes than this they are not listed, and the cache is cleared. */
const MAX_CHANGES = 200;

const counted = cacheCounts('entities');

/** The columns {@link changeSetSql}, which a statement returns beside entities. */
export interface ChangeSet {
  /** Ids of entities with events after the position, newest first; null for none. */
  readonly changes: string | null;
  /** {@link LOG_SERVER}. */
  readonly server: string;
}

/**
 * The columns of {@link ChangeSet} after the position in parameter `$n`. The position is wrapped in a
 * subquery: if the planner knew its value it would plan anew each time (like `listed` of prepared.ts).
 */
export const changeSetSql = (
  n: number,
): string => `string_agg(x.position || coalesce(to_json(x.entity_id)::text, '""'), E'\\x1e') AS changes, ${LOG_SERVER} AS server
  FROM (SELECT p.position, p.entity_id FROM metadata.provenance p WHERE p.position > (SELECT $${n}::bigint) ORDER BY p.position DESC LIMIT ${MAX_CHANGES}) x`;

function readChanges(changes: string): { position: number; entityId: string }[] {
  return changes.split(RECORD).map((change) => {
    const quote = change.indexOf('"');
    return { position: Number(change.slice(0, quote)), entityId: unquoted(change.slice(quote)) };
  });
}

export class EntityCache {
  readonly #rows = new LRUCache<string, EntityRow>({
    maxSize: MAX_CHARACTERS,
    maxEntrySize: MAX_ENTITY_CHARACTERS,
    sizeCalculation: ({ data }) => data.length + ABOUT,
  });
  #position = 0;
  #server: string | undefined;

  /** The log position at which all cached entities were current. */
  get position(): number {
    return this.#position;
  }

  get(id: string): EntityRow | undefined {
    const row = this.#rows.get(id);
    if (row === undefined) counted.misses++;
    else counted.hits++;
    return row;
  }

  /**
   * Applies the result of one snapshot: the changes since a known position, and entities as they were.
   * Returns false, and applies nothing, if another server answered than the one of the cached entities: it
   * may lack commits of that one. Positions are committed in order, so a snapshot that contains one contains
   * all before it. Statements may be answered out of order; entities of an older snapshot may have changed
   * since and are skipped.
   */
  take(since: number, { changes, server }: ChangeSet, rows: Iterable<EntityRow>): boolean {
    this.#server ??= server;
    if (server !== this.#server) return false;
    const changed = changes === null ? [] : readChanges(changes);
    const seen = changed[0]?.position ?? since;
    if (seen < this.#position) return true;
    if (changed.length === MAX_CHANGES) this.#rows.clear();
    for (const { entityId } of changed) this.#rows.delete(entityId);
    this.#position = seen;
    for (const row of rows) this.#rows.set(row.id, row);
    return true;
  }
}
