// Entities that were read by id, kept in memory. They are never believed without asking: every read has
// PostgreSQL tell what the log holds beyond the position that they are known for
// (docs/decisions/0040-entities-are-kept.md).
import { LRUCache } from 'lru-cache';
import type { EntityRow } from './entity-record.ts';
import { RECORD, unquoted } from './packed-entities.ts';

/** So many characters at most; each entity counts for its data and what is about it. */
const MAX_CHARACTERS = 32 * 1024 * 1024;
const ABOUT = 600;
/** Larger ones would push out too many others. */
const MAX_ENTITY_CHARACTERS = 256 * 1024;

/** Of more changes than this, a read does not hear each: then everything is forgotten. */
const MAX_CHANGES = 200;

/** What a statement tells beside entities, in the columns {@link changeSetSql}. */
export interface ChangeSet {
  /** What was written after a position, newest first; null for nothing. */
  readonly changes: string | null;
  /**
   * Since when the server runs, and where it has the log: no two are the same, and a backup that takes the
   * place of the log is another.
   */
  readonly server: string;
}

/**
 * The columns of {@link ChangeSet} after the position in parameter `$n`. The position is asked of a subquery:
 * knowing it, the planner would plan anew each time (like `listed` of prepared.ts).
 */
export const changeSetSql = (
  n: number,
): string => `string_agg(x.position || coalesce(to_json(x.entity_id)::text, '""'), E'\\x1e') AS changes, pg_postmaster_start_time() || pg_relation_filepath('metadata.provenance') AS server
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

  /** The position of the log at which everything here was as it is here. */
  get position(): number {
    return this.#position;
  }

  get(id: string): EntityRow | undefined {
    return this.#rows.get(id);
  }

  /**
   * Takes in what one statement saw at one time: the news since a position that was known before, and
   * entities as they were. False, and nothing is taken, where another server answered than the one that all
   * here is from: it may lack what that one had committed.
   * Positions are committed in their order: who sees one sees all before it. Statements may answer out of
   * order; what an older one saw may have changed since and is left.
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
