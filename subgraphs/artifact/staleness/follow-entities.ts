// Which entities have changed since somebody looked last, of the types that results are made of.
import { DomainError } from '../../../platform/errors.ts';
import type { Transact } from '../../../platform/database/transaction.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { asService } from '../as-service.ts';
import { findRuleRevision } from '../planning/candidates.store.ts';
import { type AskPlatform, question } from '../platform-port.ts';
import { readRequirement } from '../registration/requirement.ts';
import { listRequirements } from './rule-staleness.store.ts';
import {
  findPositions,
  keepPosition,
  lockPositions,
  makeDependantsDue,
  makeRequiringDue,
} from './stale-results.store.ts';

const CHANGED = `query ChangedInputs($entityType: String!, $filter: String, $orderBy: String!, $limit: Int!) {
  entities(entityType: $entityType, filter: $filter, orderBy: $orderBy, limit: $limit, includeUnavailable: true, count: NONE) { items { id updatedAt } }
}`;
const PAGE = 500;
/** Where there is no entity of a type yet. */
const BEGINNING = '1970-01-01T00:00:00.000000Z';

interface Changed {
  readonly id: string;
  readonly updatedAt: string;
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

  constructor(deps: FollowDeps) {
    this.#deps = deps;
  }

  /**
   * Makes due what was made with entities that have changed. What is found is written only by who looked on from
   * where everybody had come to.
   */
  async follow(stop: AbortSignal): Promise<void> {
    const positions = await findPositions(this.#deps.db);
    for (const [entityType, refs] of await this.#typesRequired()) {
      let after = positions[entityType];
      if (after === undefined) after = await this.#begin(entityType, refs);
      for (;;) {
        stop.throwIfAborted();
        const changed = await this.#changed(
          entityType,
          `updated_at > timestamp("${after}")`,
          'updated_at',
          PAGE,
        );
        const last = changed.at(-1);
        if (last === undefined) break;
        after = await this.#note(entityType, after, changed, last.updatedAt);
        if (changed.length < PAGE) break;
      }
    }
  }

  async #note(type: string, from: string, changed: readonly Changed[], until: string): Promise<string> {
    return this.#deps.transact(async (db) => {
      const now = (await lockPositions(db))[type];
      if (now !== from) return now ?? from; // somebody else has looked at them
      await makeDependantsDue(
        db,
        changed.map(({ id }) => id),
      );
      await keepPosition(db, type, until);
      return until;
    });
  }

  /**
   * What is made of a type later is compared when it has been made. What has been made of it already may have been compared
   * before a change that nobody follows yet, and is due.
   */
  async #begin(entityType: string, refs: readonly string[]): Promise<string> {
    const [latest] = await this.#changed(entityType, null, '-updated_at', 1);
    return this.#deps.transact(async (db) => {
      const known = (await lockPositions(db))[entityType];
      if (known !== undefined) return known;
      const from = latest?.updatedAt ?? BEGINNING;
      await keepPosition(db, entityType, from);
      await makeRequiringDue(db, refs);
      return from;
    });
  }

  /** None for a type that does not exist. */
  async #changed(
    entityType: string,
    filter: string | null,
    orderBy: string,
    limit: number,
  ): Promise<readonly Changed[]> {
    try {
      const { items } = await question<{ readonly items: readonly Changed[] }>(
        this.#deps.ask,
        CHANGED,
        'entities',
        { entityType, filter, orderBy, limit },
        asService(),
      );
      return items;
    } catch (fault) {
      if (fault instanceof DomainError && fault.code === 'not_found') return [];
      throw fault;
    }
  }

  /** What any version of a rule requires. */
  async #typesRequired(): Promise<ReadonlyMap<string, readonly string[]>> {
    const revision = await findRuleRevision(this.#deps.db);
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
