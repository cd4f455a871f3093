// Reads production rules: the versions that a caller may see, in pages, by name, and batched for lists of
// productions.
import type { Caller } from '../../../platform/identity.ts';
import { type Batched, keyedLoader } from '../../../platform/keyed-loader.ts';
import {
  checkPage,
  offsetOf,
  integerPart,
  type PageBounds,
  pageOf,
  textPart,
} from '../../../platform/paging.ts';
import { Past } from '../../../platform/past/past.ts';
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
  /** As of which time; null for that of the operation. */
  readonly asOf: string | null;
}

/** A page, and the filter for its total. */
export interface RulePage {
  readonly rules: readonly Rule[];
  readonly nextCursor: string | null;
  /** With the instant as of which it was read. */
  readonly filter: RuleFilter & { readonly asOf: string | null };
}

const ORDER = [textPart, integerPart];
const cannotMatch = ({ name, scope, project }: RuleFilter): boolean =>
  [name, scope, project].some(isUnstorable);

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
  readonly #past: Past;
  readonly #versions: Batched<string | null, Rule | null>;

  constructor(db: Queryable, caller: Pick<Caller, 'actor' | 'roles' | 'asOf'>) {
    this.#db = db;
    this.#past = new Past(db, 'artifact', caller);
    this.#viewer = viewerOf(caller);
    this.#versions = keyedLoader<string | null, Rule | null>(async (references, asOf) => {
      const wanted = references
        .map(readRuleReference)
        .flatMap(({ name, version }) => (version === null ? [] : [{ name, version }]));
      const found = await findRules(db, this.#viewer, wanted, asOf);
      return new Map(found.map((rule) => [ruleReference(rule.name, rule.version), rule]));
    }, null);
  }

  /**
   * A page of the rules' versions, by name and version.
   * @throws DomainError `invalid_request` for invalid bounds or cursor; as {@link Past.instant}
   */
  async page({ limit, offset, cursor, ...asked }: RulePageArguments): Promise<RulePage> {
    checkPage({ limit, offset });
    const { after, asOf, end } = await this.#past.place(cursor, ORDER, asked.asOf);
    const filter = { ...asked, asOf };
    const rows = cannotMatch(filter)
      ? []
      : await listRules(this.#db, this.#viewer, filter, {
          limit: limit + 1,
          offset: offsetOf({ offset }, after),
          after,
        });
    const { items, nextCursor } = pageOf(rows, limit, (rule) => [rule.name, rule.version, ...end]);
    return { rules: items, nextCursor, filter };
  }

  /** The total number of versions for a page's filter. */
  async total({ filter }: RulePage): Promise<number> {
    return cannotMatch(filter) ? 0 : countRules(this.#db, this.#viewer, filter);
  }

  /**
   * By `name@n` exactly that version, by plain name the active one, else the newest; null if there is none.
   */
  async get(reference: string, asOf: string | null = null): Promise<Rule | null> {
    const at = await this.#past.instant(asOf);
    if (isUnstorable(reference)) return null;
    const { name, version } = readRuleReference(reference);
    return version === null
      ? findCurrentRule(this.#db, this.#viewer, name, at)
      : this.#versions(ruleReference(name, version), at);
  }

  /** The version of `name@n`, as productions record it; null if it is invisible. */
  async version(reference: string, asOf: string | null = null): Promise<Rule | null> {
    return this.#versions(reference, await this.#past.instant(asOf));
  }
}

/** The slice of the resolvers' context. */
export interface RuleSlice {
  readonly rules: RuleService;
}
