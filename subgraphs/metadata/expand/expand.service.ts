// Entities around an entity, level by level: a statement for each level and kind, whatever the number of
// entities (docs/reference/metadata.md#expand).
import { ENTITY_COLUMNS } from '../../../platform/entity-columns.ts';
import { invalid } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/identity.ts';
import type { Moment } from '../reading/timeline.ts';
import type { EntityRecord } from '../reading/entity-record.ts';
import { type EntityData, ownValue } from '../schema-model/entity-type.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { readPaths, type Step } from './expand-paths.ts';
import type { ExpandedField } from './expanded-fields.ts';
import type { From, Target } from './expand.store.ts';

/** The expanded entity: a record, or the result of a write. */
export interface ExpandSource {
  readonly id: string;
  readonly entityType: string;
  readonly data: EntityData;
  readonly at?: Moment;
}

export interface ExpandDeps {
  readonly catalogue: () => SchemaCatalogue;
  readonly records: (
    ids: readonly string[],
    identity: Identity,
    at: Moment,
  ) => Promise<ReadonlyMap<string, EntityRecord>>;
  readonly targets: (
    from: readonly From[],
    limit: number,
    identity: Identity,
    at: Moment,
  ) => Promise<readonly Target[]>;
}

/** An entity with REST's field names and its expansion. */
export interface ExpandedEntity extends Readonly<Record<string, unknown>> {
  readonly id: string;
}
export type Expansion = Readonly<Record<string, ExpandedEntity | null | readonly ExpandedEntity[]>>;
export interface Expanded {
  /** Results by position of the sources. */
  readonly expansions: readonly Expansion[];
  readonly warnings: readonly string[];
}

/** Maximum number of expanded entities in the answer of one request, each counted as often as it is shown. */
const MAX_SHOWN = 20_000;
const MAX_WARNINGS = 20;
/** What is told of an entity. */
const FIELDS = ENTITY_COLUMNS.length;

/** Ids that a step leads to from an entity; at most one if the step is not a list. */
type Links = readonly string[] | string | null;

/** The state of one request: the targets of each step, and all entities that were found. */
class Journey {
  readonly links = new Map<Step, Map<string, Links>>();
  readonly found = new Map<string, EntityRecord>();
  readonly warnings: string[] = [];
  cuts = 0;

  cut(step: Step, id: string, limit: number): void {
    if (++this.cuts <= MAX_WARNINGS)
      this.warnings.push(`expanded ${step.path} of entity ${id} was cut at ${limit}`);
  }
}

export class ExpandService {
  readonly #deps: ExpandDeps;
  readonly #limit: number;

  /** @param limit maximum number of entities in one list (docs/reference/metadata.md#expand-limits) */
  constructor(deps: ExpandDeps, limit: number) {
    this.#deps = deps;
    this.#limit = limit;
  }

  /**
   * Expands each of the sources, all of one moment.
   * @throws DomainError `validation_failed` for unknown paths and answers that are too large
   */
  async expand(
    sources: readonly ExpandSource[],
    paths: string,
    at: Moment,
    identity: Identity,
  ): Promise<Expanded> {
    const steps = readPaths(
      paths,
      [...new Set(sources.map((source) => source.entityType))],
      this.#deps.catalogue(),
    );
    const journey = new Journey();
    let level = steps.map((step) => ({ step, sources }));
    while (level.length > 0) {
      const reached = await this.#reach(level, journey, at, identity);
      level = level.flatMap(({ step }) =>
        step.next.map((next) => ({ step: next, sources: reached.get(step) ?? [] })),
      );
      level = level.filter((one) => one.sources.length > 0);
    }
    const shown = checkMeasure(sources, steps, journey);
    if (identity.budget?.show(shown, FIELDS) === false) throw identity.budget.reason;
    if (journey.cuts > MAX_WARNINGS)
      journey.warnings.push(`${journey.cuts - MAX_WARNINGS} more expanded lists were cut at ${this.#limit}`);
    return {
      expansions: sources.map((source) => expansionOf(source.id, steps, journey)),
      warnings: journey.warnings,
    };
  }

  /** Finds the targets of the steps, and returns the entities that each step has reached. */
  async #reach(
    level: readonly { step: Step; sources: readonly ExpandSource[] }[],
    journey: Journey,
    at: Moment,
    identity: Identity,
  ): Promise<Map<Step, EntityRecord[]>> {
    for (const { step, sources } of level)
      if (step.kind === 'reference') journey.links.set(step, this.#referred(step, sources, journey));
    await this.#follow(
      level.filter(({ step }) => step.kind === 'relationship'),
      journey,
      at,
      identity,
    );

    const wanted = new Map(
      level.map(({ step }): [Step, Set<string>] => [
        step,
        new Set([...(journey.links.get(step)?.values() ?? [])].flatMap((links) => links ?? [])),
      ]),
    );
    const missing = [...new Set([...wanted.values()].flatMap((ids) => [...ids]))].filter(
      (id) => !journey.found.has(id),
    );
    if (missing.length > MAX_SHOWN) throw tooMuch();
    if (missing.length > 0)
      for (const [id, record] of await this.#deps.records(missing, identity, at))
        journey.found.set(id, record);
    return new Map(
      [...wanted].map(([step, ids]) => [step, [...ids].flatMap((id) => journey.found.get(id) ?? [])]),
    );
  }

  #referred(step: Step, sources: readonly ExpandSource[], journey: Journey): Map<string, Links> {
    const links = new Map<string, Links>();
    const catalogue = this.#deps.catalogue();
    for (const { id, entityType, data } of sources) {
      if (links.has(id)) continue;
      // another type of its family has the field
      if (catalogue.get(entityType)?.fields.get(step.name)?.type !== 'ref') continue;
      const value = ownValue(data, step.name);
      const ids = (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');
      const isList = step.isList || Array.isArray(value);
      if (ids.length > this.#limit) journey.cut(step, id, this.#limit);
      links.set(id, isList ? ids.slice(0, this.#limit) : (ids[0] ?? null));
    }
    return links;
  }

  async #follow(
    level: readonly { step: Step; sources: readonly ExpandSource[] }[],
    journey: Journey,
    at: Moment,
    identity: Identity,
  ): Promise<void> {
    if (level.length === 0) return;
    const from = level.flatMap(({ step, sources }) => sources.map(({ id }) => ({ id, type: step.name })));
    const pairs = [...new Map(from.map((f) => [JSON.stringify([f.id, f.type]), f])).values()];
    const targets = await this.#deps.targets(pairs, this.#limit + 1, identity, at);
    const byPair = new Map<string, string[]>();
    for (const { source_id, relationship_type, target_id } of targets) {
      const key = JSON.stringify([source_id, relationship_type]);
      const ids = byPair.get(key);
      if (ids) ids.push(target_id);
      else byPair.set(key, [target_id]);
    }
    for (const { step, sources } of level) {
      journey.links.set(
        step,
        new Map(
          sources.map(({ id }): [string, Links] => {
            const ids = byPair.get(JSON.stringify([id, step.name])) ?? [];
            if (ids.length > this.#limit) journey.cut(step, id, this.#limit);
            return [id, ids.slice(0, this.#limit)];
          }),
        ),
      );
    }
  }
}

const tooMuch = (): Error =>
  invalid(
    `expand would return more than ${MAX_SHOWN} entities: expand fewer paths, or request a smaller page`,
    {
      field: 'expand',
    },
  );

/**
 * The number of entities shown, counted before they are serialised; one that several lead to counts as often
 * as it is shown.
 */
function checkMeasure(sources: readonly ExpandSource[], steps: readonly Step[], journey: Journey): number {
  const known = new Map<Step, Map<string, number>>();
  const below = (id: string, next: readonly Step[]): number => {
    let shown = 0;
    for (const step of next) {
      const counts = known.get(step) ?? new Map<string, number>();
      known.set(step, counts);
      let count = counts.get(id);
      if (count === undefined) {
        count = 0;
        for (const target of [journey.links.get(step)?.get(id) ?? []].flat())
          if (journey.found.has(target)) count += 1 + below(target, step.next);
        counts.set(id, count);
      }
      shown += count;
    }
    return shown;
  };
  let shown = 0;
  for (const { id } of sources) if ((shown += below(id, steps)) > MAX_SHOWN) throw tooMuch();
  return shown;
}

function expansionOf(id: string, steps: readonly Step[], journey: Journey): Expansion {
  const expansion: Record<string, ExpandedEntity | null | readonly ExpandedEntity[]> = Object.create(
    null,
  ) as Record<string, ExpandedEntity | null>; // a field may have any name
  for (const step of steps) {
    const links = journey.links.get(step)?.get(id);
    if (links === undefined) continue;
    const show = (target: string): ExpandedEntity[] => {
      const entity = journey.found.get(target);
      return entity ? [shownEntity(entity, step.next, journey)] : [];
    };
    expansion[step.name] =
      typeof links === 'string' ? (show(links)[0] ?? null) : (links?.flatMap(show) ?? null);
  }
  return expansion;
}

/** Data and nested entities are read while they are serialised, because both may be large. */
function shownEntity(entity: EntityRecord, next: readonly Step[], journey: Journey): ExpandedEntity {
  const shown = ownFields(entity);
  return next.length === 0
    ? shown
    : Object.defineProperty(shown, 'expanded', {
        enumerable: true,
        get: () => expansionOf(entity.id, next, journey),
      });
}

const IN_REST = ENTITY_COLUMNS.filter(({ inRest }) => inRest);

function ownFields(entity: EntityRecord): ExpandedEntity {
  const shown: Record<string, unknown> = {};
  for (const { field, name } of IN_REST) {
    if (field !== 'data') shown[name] = entity[field];
    else Object.defineProperty(shown, name, { enumerable: true, get: () => entity.data });
  }
  return shown as ExpandedEntity; // the id is a column
}

/** The slice of the resolvers' context. */
export interface ExpandSlice {
  /** The expansion of an entity, batched. */
  readonly expandedOf: (source: ExpandSource, paths: string) => Promise<unknown>;
  /** @throws DomainError `validation_failed` for unknown paths */
  readonly expandedFieldsOf: (entityType: string, paths: string) => readonly ExpandedField[];
}
