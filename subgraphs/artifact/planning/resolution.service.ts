// Answers how an entity can be obtained, and which exist; never makes one
// (docs/reference/artifact.md#resolve, docs/reference/artifact.md#resolve_all).
import { DomainError, invalid, notFound } from '../../../platform/errors.ts';
import { badRequest } from '../../../platform/errors.ts';
import type { Caller } from '../../../platform/identity.ts';
import { checkPage, decodeCursor, encodeCursor, textPart } from '../../../platform/paging.ts';
import { Past } from '../../../platform/past/past.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { KnownWorkflow } from '../cwl-source/read-workflow.ts';
import type { AskPlatform } from '../platform-port.ts';
import { strayParameters } from './bind-inputs.ts';
import { type EntitySchema, findSchema, noSuchType } from '../registration/entity-schema.ts';
import { type Parameters, type ReadRefusals, refusalsAt, refusalsOf } from '../reuse/reuse.service.ts';
import { findParameters } from '../reuse/reuse.store.ts';
import { ruleReference } from '../rules/rule-reference.ts';
import type { RuleService } from '../rules/rules.service.ts';
import { type Candidate, findCandidate } from './candidates.store.ts';
import { type Criteria, readCriteria } from './criteria.ts';
import { Entities, type StoredEntity, uriOf } from './entities.ts';
import { type PlanNode, planHash, type Reuse } from './plan.ts';
import { Planner, type Unusable } from './planner.ts';
import type { RuleBook } from './rule-book.ts';

export interface Resolution {
  readonly entity: StoredEntity | null;
  readonly uri: string | null;
  readonly plan: PlanNode;
  readonly planHash: string;
  /** For the rules that would make it: all that match equally well. */
  readonly rules: readonly Candidate[];
}

export interface Collection {
  readonly entityType: string;
  readonly partialSpec: unknown;
  readonly entities: readonly StoredEntity[];
  readonly cursor: string | null;
  readonly total: number;
}

export interface ResolutionDeps {
  readonly db: Queryable;
  readonly ask: AskPlatform;
  readonly book: RuleBook;
  readonly refusals: ReadRefusals;
  /** What has changed since each of the entities was made, by its id, for a caller; absent for those that are not stale. */
  readonly staleReasons: (
    ids: readonly string[],
    caller: Caller,
  ) => Promise<ReadonlyMap<string, readonly string[]>>;
  /** Whether what a production that has not ended has made is stale for the caller; null unless its workflow has run. */
  readonly isMadeOfStale: (production: string, caller: Caller) => Promise<boolean | null>;
  /** The server's public address, without a trailing slash. */
  readonly publicUrl: () => string;
  /** Remarks on how a workflow would be run, for readers of a plan; null for none. */
  readonly runNote: (workflow: KnownWorkflow) => string | null;
}

/** `project` is both a scope and a field: if the type has no such field it is not a criterion. */
const ofType = (criteria: Criteria, { fields }: EntitySchema): Criteria =>
  new Map([...criteria].filter(([name]) => name !== 'project' || fields.has(name)));

/** @throws DomainError `validation_failed` for parameters that no input of the rule has */
function checkParameters(rules: readonly Candidate[], parameters: Parameters): void {
  const workflows = rules.flatMap(({ workflow }) => workflow ?? []);
  if (workflows.length < rules.length || rules.length === 0) return; // its inputs are not known
  const stray = Object.keys(parameters).filter((name) =>
    workflows.every(({ inputs }) => strayParameters(inputs, { [name]: null }).length > 0),
  );
  const [first] = rules;
  if (stray.length > 0)
    throw invalid(
      `${first === undefined ? '' : ruleReference(first.name, first.version)} has no input ${stray.join(', ')}; it has ${workflows[0]?.inputs.map((input) => input.name).join(', ') ?? 'none'}`,
      { parameters: stray },
    );
}

/**
 * Resolution for one caller: what others may see, or have registered for themselves, is not considered. For a caller
 * that reads as of an instant it tells what would have been planned then.
 */
export class ResolutionService {
  readonly #deps: ResolutionDeps;
  readonly #caller: Caller;
  readonly #rules: RuleService;
  readonly #entities: Entities;
  readonly #past: Past;

  constructor(deps: ResolutionDeps, caller: Caller, rules: RuleService) {
    this.#deps = deps;
    this.#caller = caller;
    this.#rules = rules;
    this.#entities = new Entities(deps.ask, caller);
    this.#past = new Past(deps.db, 'artifact', caller);
  }

  /**
   * How an entity with exactly these values can be obtained, with reasons.
   * @param rule `name` or `name@n`: the only rule that may make it
   * @param parameters that it must have been made with, as far as its rule takes them and a production made
   * it
   * @param reuse whether stale results may be reused
   * @param gone stored entities that cannot be used, each with the reason
   * @throws DomainError `not_found` if nothing is stored and no rule makes it, `conflict` for ties and
   * circles, `validation_failed`
   */
  async resolve(
    entityType: string,
    sent: unknown,
    rule: string | null,
    parameters: Parameters = {},
    reuse: Reuse = 'any',
    gone: ReadonlyMap<string, string> = new Map(),
  ): Promise<Resolution> {
    const schemas = new Map<string, Promise<EntitySchema | null>>();
    const schema = (type: string): Promise<EntitySchema | null> => {
      const known = schemas.get(type) ?? findSchema(this.#deps.ask, type, this.#caller);
      schemas.set(type, known);
      return known;
    };
    const criteria = ofType(readCriteria(sent, 'criteria'), await this.#schemaOf(entityType, schema));
    const asOf = await this.#past.instant(null);
    const refusals = asOf === null ? this.#deps.refusals : refusalsAt(this.#deps.db, asOf);
    const planner = new Planner({
      entities: this.#entities,
      schema,
      runNote: this.#deps.runNote,
      candidates: this.#deps.book.as(this.#caller),
      refusals: async (ids, isWanted, rules) => {
        const { db, staleReasons: listStale } = this.#deps;
        const refused = await refusalsOf(db, refusals, ids, isWanted ? parameters : {}, rules, asOf);
        const stale =
          reuse === 'fresh' ? await listStale(ids, this.#caller) : new Map<string, readonly string[]>();
        // what is required is made again as it was made; what is asked for, as it is asked for
        const made =
          isWanted || stale.size === 0
            ? new Map<string, Parameters>()
            : await findParameters(db, [...stale.keys()], asOf);
        return new Map<string, Unusable>([
          ...[...stale].map(
            ([id, staleReasons]) =>
              [id, { text: 'is stale', staleReasons, parameters: made.get(id) ?? {} }] as const,
          ),
          ...[...refused].map(([id, text]) => [id, { text }] as const),
          ...ids.flatMap((id) => {
            const text = gone.get(id);
            return text === undefined ? [] : [[id, { text }] as const];
          }),
        ]);
      },
    });
    const only = rule === null ? null : [await this.#named(rule, asOf)];
    const { plan, entity, rules } = await planner.plan(entityType, criteria, only);
    checkParameters(rules, parameters);
    const uri = entity && this.uriOf(entity);
    return { plan, entity, rules, uri, planHash: planHash(plan) };
  }

  /** The address of an entity's file. */
  uriOf(entity: StoredEntity): string | null {
    return uriOf(entity, this.#deps.publicUrl());
  }

  /**
   * A page of the stored, available entities with these values; possibly empty. Where only fresh ones are wanted, those
   * that are stale are left out of the page.
   * @throws DomainError `not_found`, `validation_failed`, `invalid_request`
   */
  async collection(
    entityType: string,
    partialSpec: unknown,
    reuse: Reuse,
    limit: number,
    cursor: string | null,
  ): Promise<Collection> {
    checkPage({ limit, offset: 0 });
    const position = decodeCursor(cursor, [textPart])?.[0] ?? null;
    const criteria = ofType(
      readCriteria(partialSpec, 'partial_spec'),
      await this.#schemaOf(entityType, (type) => findSchema(this.#deps.ask, type, this.#caller)),
    );
    const page = await this.#entities
      .list(entityType, criteria, limit, position === null ? null : String(position))
      .catch((fault: unknown) => {
        throw fault instanceof DomainError && position !== null && fault.message.startsWith('cursor')
          ? badRequest('cursor does not come from this list')
          : fault;
      });
    const ids = page.items.map(({ id }) => id);
    const stale = reuse === 'fresh' ? await this.#deps.staleReasons(ids, this.#caller) : null;
    return {
      entityType,
      partialSpec,
      entities: page.items.filter(({ id }) => stale?.has(id) !== true),
      total: page.total,
      cursor: page.nextCursor === null ? null : encodeCursor([page.nextCursor]),
    };
  }

  async #schemaOf(
    entityType: string,
    schema: (type: string) => Promise<EntitySchema | null>,
  ): Promise<EntitySchema> {
    if (entityType === '') throw invalid('entity_type is required');
    const found = await schema(entityType);
    if (found === null) throw await noSuchType(this.#deps.ask, entityType, this.#caller);
    return found;
  }

  async #named(reference: string, asOf: string | null): Promise<Candidate> {
    const rule = await this.#rules.get(reference);
    const candidate =
      rule && (await findCandidate(this.#deps.db, rule.name, rule.version, this.#caller.actor, asOf));
    if (candidate === null) throw notFound('rule', reference);
    return candidate;
  }
}

/** The slice of the resolvers' context. */
export interface ResolutionSlice {
  readonly resolution: ResolutionService;
  /** The same as of an instant. */
  readonly resolutionAt: (asOf: string) => ResolutionService;
}
