// Plans how to obtain an entity and its requirements, to any depth; read-only
// (docs/reference/artifact.md#plans).
import { DomainError } from '../../../platform/errors.ts';
import type { KnownWorkflow } from '../cwl-source/read-workflow.ts';
import type { EntitySchema } from '../registration/entity-schema.ts';
import { ruleReference } from '../rules/rule-reference.ts';
import type { Candidate } from './candidates.store.ts';
import { bestRules, type Choice, chooseRule } from './choose-rule.ts';
import { type Criteria, impossible, showCriteria, sorted } from './criteria.ts';
import { type Entities, projectsOf, type StoredEntity } from './entities.ts';
import { type Miss, nearestMiss } from './nearest-miss.ts';
import type { PlanNode } from './plan.ts';
import type { Parameters } from '../reuse/reuse.service.ts';
import { placeholderOf, readRequirement } from '../registration/requirement.ts';

/** Why a stored entity cannot be used. */
export interface Unusable {
  readonly text: string;
  /** What has changed since it was made, if it is stale. */
  readonly staleReasons?: readonly string[];
  /** With which it was made, if it is stale and required. */
  readonly parameters?: Parameters;
}

export interface PlannerDeps {
  readonly entities: Entities;
  /** Rules that may make an entity of one of the types. */
  readonly candidates: (types: readonly string[], criteria: Criteria) => Promise<readonly Candidate[]>;
  /** Null for a type that does not exist. */
  readonly schema: (entityType: string) => Promise<EntitySchema | null>;
  /** Remarks on how a workflow would be run; null for none. */
  readonly runNote: (workflow: KnownWorkflow) => string | null;
  /**
   * Why stored entities cannot be used although they match, by their ids. `isWanted`: it is the requested
   * entity itself, not a requirement. `rules`: those that would make it.
   */
  readonly refusals: (
    ids: readonly string[],
    isWanted: boolean,
    rules: readonly Candidate[],
  ) => Promise<ReadonlyMap<string, Unusable>>;
}

export interface Planned {
  readonly plan: PlanNode;
  /** The stored entity, if the plan is to reuse one. */
  readonly entity: StoredEntity | null;
  /** The rules that would make it; several if they match equally well. */
  readonly rules: readonly Candidate[];
}

/** Maximum matching entities that are examined. */
const MAX_MATCHES = 50;
/** Maximum different entities in one plan. */
const MAX_NODES = 1000;

const describe = (entityType: string, criteria: Criteria): string =>
  criteria.size === 0 ? entityType : `${entityType} (${showCriteria(criteria)})`;

/** A workflow without required entities that uses the network fetches existing data; any other builds. */
const decisionOf = ({ definition, workflow }: Candidate): 'fetch' | 'build' =>
  (definition.requires ?? []).length === 0 && workflow?.demands.network === true ? 'fetch' : 'build';

/** Those that the workflow has inputs for: others are no longer parameters of it. */
const takenBy = ({ workflow }: Candidate, parameters: Parameters): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).filter(
      ([name]) => workflow?.inputs.some((input) => input.name === name) === true,
    ),
  );

/** A node of a plan, before any decision. */
const nodeOf = (
  entityType: string,
  criteria: Criteria,
): Omit<PlanNode, 'decision' | 'entity_id' | 'reason'> => ({
  entity_type: entityType,
  criteria: Object.fromEntries(criteria),
  rule: null,
  cwl_hash: null,
  workflow_hash: null,
  bindings: {},
  projects: [],
  requires: [],
  rules_considered: [],
  repeated: false,
});

const reusing = (
  entityType: string,
  criteria: Criteria,
  entity: StoredEntity,
  isOneOfSeveral: boolean,
): PlanNode => ({
  ...nodeOf(entityType, criteria),
  decision: 'reuse',
  entity_id: entity.id,
  projects: projectsOf([entity]),
  reason: `${entity.id} is stored, available and matches${isOneOfSeveral ? '; it is the newest of several matches' : ''}`,
});

/** An entity that a rule is to make, and why. */
interface Making {
  readonly entityType: string;
  readonly criteria: Criteria;
  readonly chosen: NonNullable<Choice['chosen']>;
  readonly verdicts: Choice['verdicts'];
  readonly miss: Miss;
  /** The chain of requirements, outermost first, and itself. */
  readonly path: readonly string[];
}

const nearestOf = ({ entity }: Miss): { readonly nearest_id?: string } =>
  entity === null ? {} : { nearest_id: entity.id };

function noRule(
  entityType: string,
  criteria: Criteria,
  path: readonly string[],
  why: { readonly never: string | null; readonly miss: Miss; readonly verdicts: Choice['verdicts'] },
): DomainError {
  const above = path.slice(0, -1).reverse();
  const within = above.length > 0 ? `, which is required by ${above.join(', by ')}` : '';
  const never = why.never === null ? '' : `: ${why.never}`;
  return new DomainError(
    'not_found',
    `no rule produces ${describe(entityType, criteria)}${within}${never}, and ${why.miss.text}`,
    {
      entity_type: entityType,
      criteria: Object.fromEntries(criteria),
      path,
      reason: why.miss.text,
      ...nearestOf(why.miss),
      rules_considered: why.verdicts,
    },
  );
}

export class Planner {
  readonly #deps: PlannerDeps;
  readonly #known = new Map<string, Planned>();

  constructor(deps: PlannerDeps) {
    this.#deps = deps;
  }

  /**
   * @param only the rules that may make the entity itself; all active ones by default
   * @param above the entities that require this one, outermost first
   * @throws DomainError `not_found` if nothing is stored and no rule makes it, `conflict` for ties and
   * circles
   */
  async plan(
    entityType: string,
    given: Criteria,
    only: readonly Candidate[] | null = null,
    above: readonly string[] = [],
  ): Promise<Planned> {
    const criteria = sorted(given);
    const key = describe(entityType, criteria);
    if (above.includes(key)) {
      const circle = [...above.slice(above.indexOf(key)), key];
      throw new DomainError('conflict', `rules require each other in a cycle: ${circle.join(' -> ')}`, {
        cycle: circle,
      });
    }
    const known = this.#known.get(key);
    if (known)
      return { ...known, plan: { ...known.plan, requires: [], rules_considered: [], repeated: true } };
    if (this.#known.size + above.length >= MAX_NODES)
      throw new DomainError('conflict', `the plan needs more than ${MAX_NODES} entities`);
    const made = await this.#make(entityType, criteria, only, [...above, key]);
    this.#known.set(key, made);
    return made;
  }

  async #make(
    entityType: string,
    criteria: Criteria,
    only: readonly Candidate[] | null,
    path: readonly string[],
  ): Promise<Planned> {
    const { entities } = this.#deps;
    const schema = await this.#deps.schema(entityType);
    const types = [entityType, ...(schema?.subtypes ?? [])];
    const [matching, candidates] = await Promise.all([
      entities.find(entityType, criteria, MAX_MATCHES),
      only ?? this.#deps.candidates(types, criteria),
    ]);
    const never = schema && impossible(criteria, schema);
    const rules = never === null ? bestRules(candidates, types, criteria) : [];
    const refusals = await this.#deps.refusals(
      matching.map(({ id }) => id),
      path.length === 1,
      rules,
    );
    const [entity, another] = matching.filter(({ id }) => !refusals.has(id));
    if (entity !== undefined)
      return { entity, rules, plan: reusing(entityType, criteria, entity, another !== undefined) };
    const miss = await this.#missOf(entityType, criteria, matching, refusals);
    const { chosen, verdicts } =
      never === null ? chooseRule(candidates, types, criteria) : { chosen: null, verdicts: [] };
    if (chosen === null) throw noRule(entityType, criteria, path, { never, miss, verdicts });
    const making = { entityType, criteria, chosen, verdicts, miss, path };
    return { entity: null, rules, plan: await this.#making(making) };
  }

  /** Why no stored entity can be used, and the nearest one. */
  async #missOf(
    entityType: string,
    criteria: Criteria,
    matching: readonly StoredEntity[],
    refusals: ReadonlyMap<string, Unusable>,
  ): Promise<Miss> {
    const refused = matching.flatMap((entity) => {
      const why = refusals.get(entity.id);
      return why === undefined ? [] : [{ entity, why }];
    });
    // what would be reused if it were not stale
    const nearest = refused.find(({ why }) => why.staleReasons !== undefined) ?? refused[0];
    if (nearest === undefined) return nearestMiss(this.#deps.entities, entityType, criteria);
    const { entity, why } = nearest;
    return { ...why, text: `${entity.id} matches but ${why.text}`, entity };
  }

  /** The plan by the chosen rule, with the plans of its requirements. */
  async #making({ entityType, criteria, chosen, verdicts, miss, path }: Making): Promise<PlanNode> {
    const { candidate, bindings, fixed } = chosen;
    const requires: PlanNode[] = [];
    for (const { ref } of candidate.definition.requires ?? []) {
      // in sequence: each may occur in the plan before the next
      const { entityType: required, criteria: wanted } = await this.#required(ref, criteria, bindings);
      requires.push((await this.plan(required, wanted, null, path)).plan);
    }
    const rule = ruleReference(candidate.name, candidate.version);
    const parameters = takenBy(candidate, miss.parameters ?? {});
    const note =
      candidate.workflow === null
        ? 'but the documents of its workflow are not known: register the rule again'
        : this.#deps.runNote(candidate.workflow);
    return {
      ...nodeOf(entityType, criteria),
      decision: decisionOf(candidate),
      entity_id: null,
      rule,
      cwl_hash: candidate.cwlHash,
      workflow_hash: candidate.workflowHash,
      bindings: Object.fromEntries(bindings),
      projects: projectsOf(miss.entity === null ? [] : [miss.entity]),
      requires,
      rules_considered: verdicts,
      ...nearestOf(miss),
      ...(miss.staleReasons === undefined ? {} : { stale_reasons: miss.staleReasons }),
      ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
      reason: `${miss.text}; ${rule} produces it (${fixed} fixed identity fields)${note === null ? '' : `; ${note}`}`,
    };
  }

  /**
   * The criteria of a requirement for this entity: its placeholders are the rule's bindings, else the
   * criteria of those names.
   */
  async #required(
    ref: string,
    criteria: Criteria,
    bindings: ReadonlyMap<string, string>,
  ): Promise<{ entityType: string; criteria: Criteria }> {
    const requirement = readRequirement(ref);
    if (requirement === null) throw new DomainError('conflict', `the reference ${ref} cannot be read`);
    const { entityType, conditions } = requirement;
    const values = new Map([...criteria, ...bindings]);
    const schema = await this.#deps.schema(entityType);
    if (schema === null)
      throw new DomainError(
        'not_found',
        `a rule requires the entity type ${entityType}, which does not exist`,
        {
          entity_type: entityType,
        },
      );
    if (conditions === null)
      return { entityType, criteria: new Map([...values].filter(([name]) => schema.fields.has(name))) };
    return {
      entityType,
      criteria: new Map(
        [...conditions].map(([field, value]) => {
          const placeholder = placeholderOf(value);
          const bound = placeholder === null ? value : values.get(placeholder);
          if (bound === undefined)
            throw new DomainError(
              'conflict',
              `${ref}: {${placeholder}} is not bound by ${showCriteria(criteria)}`,
            );
          return [field, bound];
        }),
      ),
    };
  }
}
