// Which entities have changed since somebody looked last, of the types that results are made of.
import { DomainError } from '../../../platform/errors.ts';
import type { Transact } from '../../../platform/database/transaction.ts';
import { inGroups } from '../../../platform/in-groups.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { asService } from '../as-service.ts';
import { type AskPlatform, question } from '../platform-port.ts';
import { readRequirement } from '../registration/requirement.ts';
import { listRequirements } from './rule-staleness.store.ts';
import {
  findBeginning,
  findPositions,
  keepPosition,
  lockPositions,
  noteChanged,
  type Positions,
  type StaleBasis,
} from './stale-results.store.ts';

const CHANGED = `query ChangedInputs($entityType: String!, $filter: String, $orderBy: String!, $limit: Int!) {
  entities(entityType: $entityType, filter: $filter, orderBy: $orderBy, limit: $limit, includeUnavailable: true, count: NONE) { items { id updatedAt } }
}`;
const PAGE = 500;
/** Changes that are compared before they are noted: with one more, a page whose statement is planned once. */
const FEW = 49;
/** Where there is nothing yet, all that there will be is looked at. */
const BEFORE_ALL = '2000-01-01T00:00:00Z';
const TYPES_AT_ONCE = 4;

interface Changed {
  readonly id: string;
  readonly updatedAt: string;
}

/** Those of types that have changed, in the order of their last changes. */
export type ChangedEntities = ReadonlyMap<string, readonly Changed[]>;

/** What was asked from where somebody had come to. */
interface Asked {
  readonly after: string;
  readonly changed: Promise<readonly Changed[]>;
}

export interface FollowDeps {
  readonly db: Queryable;
  readonly transact: Transact;
  readonly ask: AskPlatform;
}

export class EntityFollower {
  readonly #deps: FollowDeps;
  /** Entity types, each with the texts by which rules require it. */
  #types: { readonly revision: string; readonly refs: ReadonlyMap<string, readonly string[]> } = {
    revision: '',
    refs: new Map(),
  };

  /** Where everybody had come to when this was known last. */
  #known: Positions = {};

  constructor(deps: FollowDeps) {
    this.#deps = deps;
  }

  /** Asks what has changed before it is known where everybody has come to: mostly it is where it was. */
  askAhead(): ReadonlyMap<string, Asked> {
    const types = [...this.#types.refs.keys()].filter((type) => Object.hasOwn(this.#known, type));
    return new Map(
      types.slice(0, TYPES_AT_ONCE).map((type) => [type, this.#ask(type, this.#known[type] ?? '')]),
    );
  }

  #ask(entityType: string, after: string): Asked {
    const changed = this.#changed(entityType, after, FEW + 1);
    changed.catch(() => undefined); // told where it is used
    return { after, changed };
  }

  /**
   * What has changed of all types, where it is few.
   * @param ahead what was asked already
   * @returns null where there is more, or where a type was not followed yet
   */
  async few(
    { positions, revision }: StaleBasis,
    ahead: ReadonlyMap<string, Asked>,
  ): Promise<ChangedEntities | null> {
    const types = [...(await this.#typesRequired(revision)).keys()];
    if (!types.every((type) => Object.hasOwn(positions, type))) return null;
    const found = new Map<string, readonly Changed[]>();
    await inGroups(types, TYPES_AT_ONCE, async (type) => {
      const [after, asked] = [positions[type] ?? '', ahead.get(type)];
      const changed = await (asked?.after === after ? asked : this.#ask(type, after)).changed;
      if (changed.length > 0) found.set(type, changed);
    });
    const count = [...found.values()].reduce((sum, { length }) => sum + length, 0);
    // where everybody comes to next, if nobody else does
    const until = [...found].map(([type, changed]) => [type, changed.at(-1)?.updatedAt ?? ''] as const);
    this.#known = { ...positions, ...Object.fromEntries(until) };
    return count > FEW ? null : found;
  }

  /**
   * Makes due what was made with entities that have changed. What is found is written only by who looked on from
   * where everybody had come to.
   * @returns whether anything had changed
   */
  async follow({ positions, revision }: StaleBasis, stop: AbortSignal): Promise<boolean> {
    const types = await this.#typesRequired(revision);
    let hasChanged = false;
    await inGroups([...types], TYPES_AT_ONCE, async ([entityType, refs]) => {
      let after = positions[entityType] ?? (await this.#begin(entityType, refs));
      for (;;) {
        stop.throwIfAborted();
        const changed = await this.#changed(entityType, after);
        const last = changed.at(-1);
        if (last === undefined) break;
        hasChanged = true;
        const isNoted = await this.#note(entityType, after, changed, last.updatedAt);
        if (isNoted && changed.length < PAGE) break;
        // who noted them instead may have read them before the last of ours was committed
        after = isNoted ? last.updatedAt : await this.#position(entityType, refs);
      }
    });
    return hasChanged;
  }

  /** @returns false where somebody else has looked on from there */
  #note(entityType: string, from: string, changed: readonly Changed[], until: string): Promise<boolean> {
    const ids = changed.map(({ id }) => id);
    return noteChanged(this.#deps.db, { entityType, from, until }, ids);
  }

  async #position(entityType: string, refs: readonly string[]): Promise<string> {
    return (await findPositions(this.#deps.db))[entityType] ?? (await this.#begin(entityType, refs));
  }

  /**
   * From when something of the type was first asked for: results are compared when they have been made, and what changed
   * before was seen by all of them.
   */
  async #begin(entityType: string, refs: readonly string[]): Promise<string> {
    // before the transaction: what changes from now on is later
    const newest = await this.#newest(entityType);
    return this.#deps.transact(async (db) => {
      const known = (await lockPositions(db))[entityType];
      if (known !== undefined) return known;
      const from = await findBeginning(db, refs, newest);
      await keepPosition(db, entityType, from);
      return from;
    });
  }

  /** None for a type that does not exist. */
  #changed(entityType: string, after: string, limit = PAGE): Promise<readonly Changed[]> {
    const filter = `updated_at > timestamp("${after}")`;
    return this.#entities({ entityType, filter, orderBy: 'updated_at', limit });
  }

  async #newest(entityType: string): Promise<string> {
    const [newest] = await this.#entities({ entityType, orderBy: '-updated_at', limit: 1 });
    return newest?.updatedAt ?? BEFORE_ALL;
  }

  async #entities(wanted: Readonly<Record<string, unknown>>): Promise<readonly Changed[]> {
    try {
      const { items } = await question<{ readonly items: readonly Changed[] }>(
        this.#deps.ask,
        CHANGED,
        'entities',
        wanted,
        asService(),
      );
      return items;
    } catch (fault) {
      if (fault instanceof DomainError && fault.code === 'not_found') return [];
      throw fault;
    }
  }

  /** What any version of a rule requires. */
  async #typesRequired(revision: string): Promise<ReadonlyMap<string, readonly string[]>> {
    if (revision !== this.#types.revision) {
      const refs = new Map<string, string[]>();
      for (const ref of await listRequirements(this.#deps.db)) {
        const type = readRequirement(ref)?.entityType;
        if (type !== undefined) refs.set(type, [...(refs.get(type) ?? []), ref]);
      }
      this.#types = { revision, refs };
    }
    return this.#types.refs;
  }
}
