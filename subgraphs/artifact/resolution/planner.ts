// Plans how to have an entity and all that it requires, to any depth; reads only (contract 4 «GET /resolve»).
import { DomainError } from '../../../platform/errors.ts';
import type { KnownWorkflow } from '../cwl-source/read-workflow.ts';
import type { EntitySchema } from '../registration/entity-schema.ts';
import { ruleReference } from '../rules/rule-reference.ts';
import type { Candidate } from './candidates.store.ts';
import { bestRules, chooseRule } from './choose-rule.ts';
import { type Criteria, impossible, showCriteria, sorted } from './criteria.ts';
import { type Entities, projectsOf, type StoredEntity } from './entities.ts';
import { nearestMiss } from './nearest-miss.ts';
import type { PlanNode } from './plan.ts';
import { placeholderOf, readRequirement } from './requirement.ts';

export interface PlannerMeans {
  readonly entities: Entities;
  /** Rules that might make an entity of one of the types. */
  readonly candidates: (types: readonly string[], criteria: Criteria) => Promise<readonly Candidate[]>;
  /** Null for a type that does not exist. */
  readonly schema: (entityType: string) => Promise<EntitySchema | null>;
  /** What has to be known of how a workflow would be run; null where there is nothing to say. */
  readonly runNote: (workflow: KnownWorkflow) => string | null;
  /** Why stored entities cannot be used although they match, by their ids. `isWanted`: it is what was asked for itself, not something that is required. `rules`: those that would make it. */
  readonly refusals: (
    ids: readonly string[],
    isWanted: boolean,
    rules: readonly Candidate[],
  ) => Promise<ReadonlyMap<string, string>>;
}

export interface Planned {
  readonly plan: PlanNode;
  /** The stored entity, where the plan is to reuse one. */
  readonly entity: StoredEntity | null;
  /** The rules that would make it; several where they match equally well. */
  readonly rules: readonly Candidate[];
}

/** As many that match are looked at for one that may be used. */
const MOST_MATCHES = 50;
/** Most different entities in one plan. */
const MOST_NODES = 1000;

const describe = (entityType: string, criteria: Criteria): string =>
  criteria.size === 0 ? entityType : `${entityType} (${showCriteria(criteria)})`;

/** A workflow that needs nothing of ours and goes out to the network brings what exists elsewhere; any other makes it. */
const decisionOf = ({ definition, workflow }: Candidate): 'fetch' | 'build' =>
  (definition.requires ?? []).length === 0 && workflow?.demands.network === true ? 'fetch' : 'build';

export class Planner {
  readonly #means: PlannerMeans;
  readonly #known = new Map<string, Planned>();

  constructor(means: PlannerMeans) {
    this.#means = means;
  }

  /**
   * @param only the rules that may make the entity itself; all that are active unless given
   * @param above what this is required by, outermost first
   * @throws DomainError `not_found` where nothing is stored and no rule makes it, `conflict` for ties and circles
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
      throw new DomainError('conflict', `rules require each other in a circle: ${circle.join(' -> ')}`, {
        cycle: circle,
      });
    }
    const known = this.#known.get(key);
    if (known)
      return { ...known, plan: { ...known.plan, requires: [], rules_considered: [], repeated: true } };
    if (this.#known.size + above.length >= MOST_NODES)
      throw new DomainError('conflict', `the plan needs more than ${MOST_NODES} entities`);
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
    const { entities } = this.#means;
    const node = {
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
    };
    const schema = await this.#means.schema(entityType);
    const types = [entityType, ...(schema?.subtypes ?? [])];
    const [matching, candidates] = await Promise.all([
      entities.find(entityType, criteria, MOST_MATCHES),
      only ?? this.#means.candidates(types, criteria),
    ]);
    const never = schema && impossible(criteria, schema);
    const rules = never === null ? bestRules(candidates, types, criteria) : [];
    const refusals = await this.#means.refusals(
      matching.map(({ id }) => id),
      path.length === 1,
      rules,
    );
    const [entity, another] = matching.filter(({ id }) => !refusals.has(id));
    if (entity !== undefined) {
      const reason = `${entity.id} is stored, available and matches${another === undefined ? '' : '; it is the newest of several'}`;
      return {
        entity,
        rules,
        plan: { ...node, decision: 'reuse', entity_id: entity.id, projects: projectsOf([entity]), reason },
      };
    }

    const [refused] = refusals;
    const { text: miss, entity: near } = refused
      ? {
          text: `${refused[0]} matches but ${refused[1]}`,
          entity: matching.find(({ id }) => id === refused[0]) ?? null,
        }
      : await nearestMiss(entities, entityType, criteria);
    const { chosen, verdicts } =
      never === null ? chooseRule(candidates, types, criteria) : { chosen: null, verdicts: [] };
    if (chosen === null) {
      const within =
        path.length > 1 ? `, which is required by ${path.slice(0, -1).reverse().join(', by ')}` : '';
      throw new DomainError(
        'not_found',
        `no rule makes ${describe(entityType, criteria)}${within}${never === null ? '' : `: ${never}`}, and ${miss}`,
        { entity_type: entityType, criteria: node.criteria, path, reason: miss, rules_considered: verdicts },
      );
    }
    const { candidate, bindings, fixed } = chosen;
    const requires: PlanNode[] = [];
    for (const { ref } of candidate.definition.requires ?? []) {
      // one after the other: each may stand in the plan before the next
      const { entityType: required, criteria: wanted } = await this.#required(ref, criteria, bindings);
      requires.push((await this.plan(required, wanted, null, path)).plan);
    }
    const rule = ruleReference(candidate.name, candidate.version);
    const decision = decisionOf(candidate);
    const note =
      candidate.workflow === null
        ? 'but what its workflow consists of is not known any more: register it again'
        : this.#means.runNote(candidate.workflow);
    return {
      entity: null,
      rules,
      plan: {
        ...node,
        decision,
        entity_id: null,
        rule,
        cwl_hash: candidate.cwlHash,
        workflow_hash: candidate.workflowHash,
        bindings: Object.fromEntries(bindings),
        projects: projectsOf(near === null ? [] : [near]),
        requires,
        rules_considered: verdicts,
        reason: `${miss}; ${rule} makes it (${fixed} fixed identity fields)${note === null ? '' : `; ${note}`}`,
      },
    };
  }

  /** What a reference means for this entity: its placeholders are the rule's bindings, else the criteria of those names. */
  async #required(
    ref: string,
    criteria: Criteria,
    bindings: ReadonlyMap<string, string>,
  ): Promise<{ entityType: string; criteria: Criteria }> {
    const requirement = readRequirement(ref);
    if (requirement === null) throw new DomainError('conflict', `the reference ${ref} cannot be read`);
    const { entityType, conditions } = requirement;
    const values = new Map([...criteria, ...bindings]);
    const schema = await this.#means.schema(entityType);
    if (schema === null)
      throw new DomainError('not_found', `there is no entity type ${entityType}, which a rule requires`, {
        entity_type: entityType,
      });
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
