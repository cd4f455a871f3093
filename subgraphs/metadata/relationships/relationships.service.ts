// Relationships: create, remove, list, find, follow (docs/reference/metadata.md#relationships).
import { invalid } from '../../../platform/errors.ts';
import { grouped } from '../../../platform/grouped.ts';
import type { Identity } from '../../../platform/identity.ts';
import type { Batched } from '../../../platform/keyed-loader.ts';
import { checkPage } from '../../../platform/paging.ts';
import { readMomentCursor, writeMomentCursor } from '../reading/moment-cursor.ts';
import type { Moment } from '../reading/timeline.ts';
import { type Cut, cut } from '../cut-list.ts';
import type { Author, RelationshipKey, Write, Written } from '../log/write.ts';
import { relate, unrelate, unrelateById } from './relationship-writes.ts';
import {
  checkMetadata,
  checkRelationshipType,
  type Direction,
  type Relationship,
  relationshipOf,
} from './relationship.ts';
import type {
  AskedRow,
  OfEntities,
  RelationshipRow,
  Sought,
  TraversalStep,
  StepRow,
} from './relationships.store.ts';

/** The methods of its stores that the service uses. */
export interface RelationshipDeps {
  readonly isVisible: (entityId: string, identity: Identity, at: Moment) => Promise<boolean>;
  readonly ofEntities: (
    ids: readonly string[],
    bounds: OfEntities,
    identity: Identity,
  ) => Promise<AskedRow[]>;
  readonly find: (sought: Sought, identity: Identity) => Promise<RelationshipRow[]>;
  readonly step: (step: TraversalStep, identity: Identity) => Promise<StepRow[]>;
  write<Result>(write: Write<Result>): Promise<Written<Result>>;
}

export interface RelationshipPage {
  readonly items: readonly Relationship[];
  readonly limit: number;
  readonly nextCursor: string | null;
}
export interface TraversalNode {
  readonly entityId: string;
  readonly depth: number;
  readonly path: readonly string[];
  readonly relationship: Relationship;
}
export interface Traversal {
  readonly nodes: readonly TraversalNode[];
  readonly isComplete: boolean;
}
export interface TraversalRequest {
  readonly sourceId: string;
  readonly relationshipType: string | null;
  readonly maxDepth: number;
  readonly direction: Direction;
  readonly limit: number;
  readonly at: Moment;
}

const MAX_DEPTH = 100;
const MAX_NODES = 10_000;

/**
 * The requested relationships of one entity; a cursor, the end of an earlier page, carries its moment with
 * it.
 */
export type OfEntity = Omit<OfEntities, 'after'> & { readonly cursor: string | null };

function rangeOf({ cursor, ...bounds }: OfEntity): OfEntities {
  checkPage(bounds, invalid);
  return {
    ...bounds,
    ...readMomentCursor(cursor, bounds.at),
    limit: bounds.limit + 1,
    offset: cursor === null ? bounds.offset : 0,
  };
}

const shown = (rows: readonly AskedRow[], { limit }: OfEntity, { at }: OfEntities): Cut<Relationship> => {
  const { items, nextCursor } = cut(rows, limit, (last) => writeMomentCursor(last.created_event, at));
  return { items: items.map(reading(at)), nextCursor };
};

const reading =
  (at: Moment) =>
  (row: RelationshipRow): Relationship =>
    relationshipOf(
      { sourceId: row.source_id, targetId: row.target_id, type: row.relationship_type },
      { metadata: row.metadata, createdAt: row.created_at, createdBy: row.created_by, at },
    );

export class RelationshipService {
  readonly #deps: RelationshipDeps;
  constructor(deps: RelationshipDeps) {
    this.#deps = deps;
  }

  /** @throws DomainError `not_found` for either end, `validation_failed` (reason `relationship_exists`) */
  async relate(key: RelationshipKey, metadata: unknown, author: Author): Promise<Relationship> {
    checkRelationshipType(key.type);
    checkMetadata(metadata);
    const { times } = await this.#deps.write(relate({ key, metadata, author }));
    const createdAt = times.get(key.sourceId)?.updatedAt; // its event is the source's latest in this write
    if (createdAt === undefined) throw new Error('a relationship was made without an event');
    return relationshipOf(key, { metadata, createdAt, createdBy: author.actor });
  }

  /** @throws DomainError `not_found`, for the relationship with reason `relationship_not_found` */
  async unrelate(key: RelationshipKey, reason: string | null, author: Author): Promise<RelationshipKey> {
    return (await this.#deps.write(unrelate({ key, reason, author }))).result;
  }

  /** @throws like {@link unrelate} */
  async unrelateById(
    entityId: string,
    id: string,
    reason: string | null,
    author: Author,
  ): Promise<RelationshipKey> {
    return (await this.#deps.write(unrelateById({ entityId, id, reason, author }))).result;
  }

  /**
   * In order of creation; null if the caller can see no such entity.
   * @throws DomainError `validation_failed` for bounds and cursors
   */
  async of(entityId: string, bounds: OfEntity, identity: Identity): Promise<Cut<Relationship> | null> {
    const range = rangeOf(bounds);
    if (!(await this.#deps.isVisible(entityId, identity, range.at))) return null;
    return shown(await this.#deps.ofEntities([entityId], range, identity), bounds, range);
  }

  /** The same for many entities whose visibility has been checked, by their ids. */
  async ofMany(
    ids: readonly string[],
    bounds: OfEntity,
    identity: Identity,
  ): Promise<ReadonlyMap<string, Cut<Relationship>>> {
    const range = rangeOf(bounds);
    const byId = grouped(
      await this.#deps.ofEntities(ids, range, identity),
      (row) => row.asked_id,
      (row) => row,
    );
    return new Map([...byId].map(([id, rows]) => [id, shown(rows, bounds, range)]));
  }

  /** @throws DomainError `validation_failed` for invalid bounds and cursors */
  async find(
    sought: Omit<Sought, 'after'> & { cursor: string | null },
    identity: Identity,
  ): Promise<RelationshipPage> {
    const { cursor, limit } = sought;
    checkPage({ limit, offset: 0 }, invalid);
    const { after, at } = readMomentCursor(cursor, sought.at);
    const rows = await this.#deps.find({ ...sought, at, after, limit: limit + 1 }, identity);
    const { items, nextCursor } = cut(rows, limit, (last) => writeMomentCursor(last.created_event, at));
    return { items: items.map(reading(at)), limit, nextCursor };
  }

  /**
   * Breadth first, one statement per level: every entity once, at its least depth, also with cycles. Null if
   * the caller can see no such entity.
   * @throws DomainError `validation_failed` for bounds
   */
  async traverse(
    { sourceId, relationshipType, maxDepth, direction, limit, at }: TraversalRequest,
    identity: Identity,
  ): Promise<Traversal | null> {
    if (!Number.isInteger(maxDepth) || maxDepth < 1 || maxDepth > MAX_DEPTH)
      throw invalid(`max_depth must be an integer from 1 to ${MAX_DEPTH}`);
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_NODES)
      throw invalid(`limit must be an integer from 1 to ${MAX_NODES}`);
    if (!(await this.#deps.isVisible(sourceId, identity, at))) return null;
    const paths = new Map<string, readonly string[]>([[sourceId, [sourceId]]]);
    const nodes: TraversalNode[] = [];
    let from: readonly string[] = [sourceId];
    for (let depth = 1; depth <= maxDepth && from.length > 0; depth++) {
      const room = limit - nodes.length;
      const rows = await this.#deps.step(
        { from, known: [...paths.keys()], direction, relationshipType, limit: room + 1, at },
        identity,
      );
      for (const row of rows.slice(0, room)) {
        const path = [...(paths.get(row.from_id) ?? []), row.neighbour];
        paths.set(row.neighbour, path);
        nodes.push({ entityId: row.neighbour, depth, path, relationship: reading(at)(row) });
      }
      if (rows.length > room) return { nodes, isComplete: false };
      from = rows.map((row) => row.neighbour);
    }
    return { nodes, isComplete: true };
  }
}

/** The slice of the resolvers' context. */
export interface RelationshipSlice {
  readonly relationships: RelationshipService;
  /** Relationships of the operation's entities, batched. */
  readonly relationshipsOf: Batched<OfEntity, Cut<Relationship>>;
}
