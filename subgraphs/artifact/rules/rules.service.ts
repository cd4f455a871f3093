// Reads production rules: the versions that a caller may see, in pages, by name, and batched for lists of
// productions.
import DataLoader from 'dataloader';
import type { Caller } from '../../../platform/identity.ts';
import {
  checkPage,
  offsetOf,
  decodeCursor,
  integerPart,
  type PageBounds,
  pageOf,
  textPart,
} from '../../../platform/paging.ts';
import { isUnstorable, type Queryable } from '../../../platform/queryable.ts';
import { readRuleReference, ruleReference } from './rule-reference.ts';
import {
  countRules,
  findCurrentRule,
  findRules,
  listRules,
  type Rule,
  type RuleFilter,
  type Viewer,
} from './rules.store.ts';

export interface RulePageArguments extends PageBounds, RuleFilter {
  readonly cursor: string | null;
}

/** A page, and the filter for its total. */
export interface RulePage {
  readonly rules: readonly Rule[];
  readonly nextCursor: string | null;
  readonly filter: RuleFilter;
}

const ORDER = [textPart, integerPart];
const cannotMatch = ({ name, scope }: RuleFilter): boolean => isUnstorable(name) || isUnstorable(scope);

export const viewerOf = ({ actor, roles }: Pick<Caller, 'actor' | 'roles'>): Viewer => ({
  actor,
  seesAll: roles.includes('admin'),
});

/**
 * The rules as one operation's caller sees them: other users' own rules do not exist
 * (docs/reference/artifact.md#who-sees-a-rule).
 */
export class RuleService {
  readonly #db: Queryable;
  readonly #viewer: Viewer;
  readonly #versions: DataLoader<string, Rule | null>;

  constructor(db: Queryable, { actor, roles }: Caller) {
    this.#db = db;
    this.#viewer = viewerOf({ actor, roles });
    this.#versions = new DataLoader(async (references) => {
      const wanted = references
        .map(readRuleReference)
        .flatMap(({ name, version }) => (version === null ? [] : [{ name, version }]));
      const found = await findRules(db, this.#viewer, wanted);
      const rules = new Map(found.map((rule) => [ruleReference(rule.name, rule.version), rule]));
      return references.map((reference) => rules.get(reference) ?? null);
    });
  }

  /**
   * A page of the rules' versions, by name and version.
   * @throws DomainError `invalid_request` for invalid bounds or cursor
   */
  async page({ limit, offset, cursor, ...filter }: RulePageArguments): Promise<RulePage> {
    checkPage({ limit, offset });
    const after = decodeCursor(cursor, ORDER);
    const rows = cannotMatch(filter)
      ? []
      : await listRules(this.#db, this.#viewer, filter, {
          limit: limit + 1,
          offset: offsetOf({ offset }, after),
          after,
        });
    const { items, nextCursor } = pageOf(rows, limit, (rule) => [rule.name, rule.version]);
    return { rules: items, nextCursor, filter };
  }

  /** The total number of versions for a page's filter. */
  async total({ filter }: RulePage): Promise<number> {
    return cannotMatch(filter) ? 0 : countRules(this.#db, this.#viewer, filter);
  }

  /**
   * By `name@n` exactly that version, by plain name the active one, else the newest; null if there is none.
   */
  async get(reference: string): Promise<Rule | null> {
    if (isUnstorable(reference)) return null;
    const { name, version } = readRuleReference(reference);
    return version === null
      ? findCurrentRule(this.#db, this.#viewer, name)
      : this.#versions.load(ruleReference(name, version));
  }

  /** The version of `name@n`, as productions record it; null if it is invisible. */
  async version(reference: string): Promise<Rule | null> {
    return this.#versions.load(reference);
  }
}

/** The slice of the resolvers' context. */
export interface RuleSlice {
  readonly rules: RuleService;
}
