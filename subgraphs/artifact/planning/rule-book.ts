// Caches the active rules of each type until a rule changes, so that choosing one does not take longer with
// many rules.
import { LRUCache } from 'lru-cache';
import { shareEqual } from '../../../platform/coalesce.ts';
import type { Caller } from '../../../platform/identity.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { outputsOf, type RuleOutput } from '../rules/rule-definition.ts';
import { type ActiveRule, type Candidate, findRuleRevision, listActiveRules } from './candidates.store.ts';
import { type Criteria, textForm } from './criteria.ts';
import { placeholderOf } from '../registration/requirement.ts';

/** Maximum candidates: those that fix most of the criteria come first. */
const MAX_CANDIDATES = 200;
/** Maximum contradicting rules, which are only explained, so that a plan stays readable. */
const MAX_EXPLAINED = 50;
const MAX_REMEMBERED = 50_000;

interface Fixed {
  readonly field: string;
  readonly value: string | null;
}

/** A rule with the values that its outputs of one type fix, which decide before anything else. */
interface Known {
  readonly rule: ActiveRule;
  readonly fixed: readonly (readonly Fixed[])[];
}

const fixedBy = ({ match }: RuleOutput): readonly Fixed[] =>
  Object.entries(match ?? {})
    .filter(([, value]) => placeholderOf(value) === null)
    .map(([field, value]) => ({ field, value: textForm(value) }));

const CONTRADICTS = -1;

/** The number of criteria that an output fixes; negative if it fixes one to another value. */
function fitOf(fixed: readonly Fixed[], criteria: Criteria): number {
  for (const { field, value } of fixed) {
    const wanted = criteria.get(field);
    if (wanted !== undefined && wanted !== value) return CONTRADICTS;
  }
  return fixed.length;
}

/** The highest number over the rule's outputs. */
function bestFit(outputs: Known['fixed'], criteria: Criteria): number {
  let best = CONTRADICTS;
  for (const fixed of outputs) best = Math.max(best, fitOf(fixed, criteria));
  return best;
}

const isFor = ({ scope }: ActiveRule, actor: string): boolean => scope === 'global' || scope === actor;

/** Those that may make an entity: the best fitting ones, and some that are only explained; by name. */
function chosenOf(known: readonly Known[], criteria: Criteria, actor: string): readonly Candidate[] {
  // one version of each is active
  const fitting = new Map<string, { readonly rule: ActiveRule; readonly fit: number }>();
  const others = new Map<string, ActiveRule>();
  for (const { rule, fixed } of known) {
    if (!isFor(rule, actor)) continue;
    const fit = bestFit(fixed, criteria);
    if (fit === CONTRADICTS) {
      if (others.size < MAX_EXPLAINED) others.set(rule.name, rule);
    } else if (fit > (fitting.get(rule.name)?.fit ?? CONTRADICTS)) fitting.set(rule.name, { rule, fit });
  }
  const chosen = [...fitting.values()]
    .sort((a, b) => b.fit - a.fit)
    .slice(0, MAX_CANDIDATES)
    .map(({ rule }) => rule);
  const explained = [...others.values()]
    .filter(({ name }) => !fitting.has(name))
    .slice(0, Math.max(0, MAX_EXPLAINED - chosen.length));
  return [...chosen, ...explained].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const knownOf = (rules: readonly ActiveRule[], type: string): readonly Known[] =>
  rules.map((rule) => ({
    rule,
    fixed: outputsOf(rule.definition)
      .filter((output) => output.entity_type === type)
      .map(fixedBy),
  }));

/** The candidates for one caller. */
export type CallersRules = (types: readonly string[], criteria: Criteria) => Promise<readonly Candidate[]>;

/** Every active rule of one caller that makes the type, however many there are. */
export type RulesOfType = (type: string) => Promise<readonly ActiveRule[]>;

/** The rules of a deployment as cached by one process. */
export class RuleBook {
  readonly #db: Queryable;
  readonly #known = new LRUCache<string, readonly Known[]>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: (rules) => rules.length + 1,
  });
  readonly #reading = new Map<string, Promise<readonly Known[]>>();
  readonly #share = shareEqual();
  #revision = '';

  constructor(db: Queryable) {
    this.#db = db;
  }

  /**
   * The active rules that may make an entity of one of the types, by name: global ones and the actor's own,
   * nobody else's, not even for administrators (docs/reference/artifact.md#rule-scope).
   */
  async candidates(
    types: readonly string[],
    criteria: Criteria,
    actor: string,
  ): Promise<readonly Candidate[]> {
    return chosenOf(await this.#ofTypes(types), criteria, actor);
  }

  /** The rules that were active at an instant: they are read for each request. */
  async candidatesAt(
    asOf: string,
    types: readonly string[],
    criteria: Criteria,
    actor: string,
  ): Promise<readonly Candidate[]> {
    const known = await Promise.all(
      types.map(async (type) => knownOf(await listActiveRules(this.#db, type, asOf), type)),
    );
    return chosenOf(known.flat(), criteria, actor);
  }

  /** All of a type: what is looked for among them need not fit best. */
  ofType({ actor, asOf }: Pick<Caller, 'actor' | 'asOf'>): RulesOfType {
    return async (type) => {
      const rules =
        asOf === undefined
          ? (await this.#ofTypes([type])).map(({ rule }) => rule)
          : await listActiveRules(this.#db, type, asOf);
      return rules.filter((rule) => isFor(rule, actor));
    };
  }

  /** What both give the caller: as of the instant of its operation, if it has one. */
  as({ actor, asOf }: Pick<Caller, 'actor' | 'asOf'>): CallersRules {
    return (types, criteria) =>
      asOf === undefined
        ? this.candidates(types, criteria, actor)
        : this.candidatesAt(asOf, types, criteria, actor);
  }

  async #ofTypes(types: readonly string[]): Promise<readonly Known[]> {
    // read before the rules: they may be newer than the revision, never older
    const revision = await this.#share('revision', () => findRuleRevision(this.#db));
    return (await Promise.all(types.map((type) => this.#ofType(type, revision)))).flat();
  }

  async #ofType(type: string, revision: string): Promise<readonly Known[]> {
    if (revision !== this.#revision) {
      this.#known.clear();
      this.#reading.clear();
      this.#revision = revision;
    }
    const known = this.#known.get(type) ?? this.#reading.get(type);
    if (known) return known;
    const reading = this.#read(type, revision);
    this.#reading.set(type, reading);
    return reading;
  }

  /** Concurrent calls share one read; cached unless a rule has changed meanwhile. */
  async #read(type: string, revision: string): Promise<readonly Known[]> {
    try {
      const known = knownOf(await listActiveRules(this.#db, type), type);
      if (revision === this.#revision) this.#known.set(type, known);
      return known;
    } finally {
      if (revision === this.#revision) this.#reading.delete(type);
    }
  }
}
