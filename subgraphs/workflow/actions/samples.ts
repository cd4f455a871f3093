// The samples of a resolve: the entity that fired it, or every stored entity that matches its criteria
// (docs/reference/workflow.md#samples).
import { BOUND_ENTITY, type BoundEntity } from '../../../platform/cel/bindings.ts';
import { bindEntity, hasBindings } from '../polls/bind-entity.ts';
import type { Execute } from '../deps.ts';
import type { Wanted } from './ask-artifact.ts';

export interface Sample {
  /** The sample's entity; if none is stored yet, a description of the criteria. */
  readonly entityId: string;
  /** Null if it exists and nothing has to be requested. */
  readonly wanted: Wanted | null;
}

/** An unusable criterion or binding, with which the run fails. */
export class CriteriaError extends Error {
  override name = 'CriteriaError';
}

type Fields = Readonly<Record<string, unknown>>;

const MATCHED = `query MatchedEntities($type: String!, $filter: String, $cursor: String) {
  entities(entityType: $type, filter: $filter, limit: 500, cursor: $cursor, includeUnavailable: true) {
    items { ${BOUND_ENTITY} } nextCursor
  }
}`;

/** @throws CriteriaError for a value without a CEL literal */
function literal(field: string, value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new CriteriaError(`criteria.${field} must be a string, a number or a boolean`);
}

/** The criteria as a filter over entities, if there is no entity. */
function filterOf(criteria: Fields): string | null {
  const parts = Object.entries(criteria)
    .filter(([, value]) => !hasBindings(value))
    .map(([field, value]) => {
      if (!/^[A-Za-z_]\w*$/.test(field)) throw new CriteriaError(`criteria.${field} is not a field`);
      return `${field === 'id' ? 'id' : `data.${field}`} == ${literal(field, value)}`;
    });
  return parts.length === 0 ? null : parts.join(' && ');
}

const show = (entityType: string, criteria: Fields): string =>
  `${entityType} ${Object.entries(criteria)
    .map(([field, value]) => `${field}=${String(value)}`)
    .join(' ')}`.trim();

export interface ResolveAction {
  readonly entityType: string;
  readonly criteria: Fields;
  readonly parameters: Fields;
  readonly reuse: Wanted['reuse'];
  readonly asMade: readonly string[];
}

/**
 * Holds one page of entities in memory. @throws CriteriaError; errors of an unavailable metadata component
 */
export async function* samplesOf(
  { entityType, criteria, parameters, reuse, asMade }: ResolveAction,
  firedBy: string | null,
  execute: Execute,
  signal: AbortSignal,
): AsyncGenerator<Sample> {
  if (firedBy !== null) {
    // already bound: text that looks like a binding now comes from an entity
    yield { entityId: firedBy, wanted: { entityType, criteria, parameters, reuse, asMade } };
    return;
  }
  const open = hasBindings(criteria) || hasBindings(parameters);
  const filter = filterOf(criteria);
  let any = false;
  for (let cursor: string | null = null; ;) {
    const page = (await execute(MATCHED, { type: entityType, filter, cursor }, signal))['entities'] as {
      items: readonly BoundEntity[];
      nextCursor: string | null;
    }; // The document selects it.
    for (const entity of page.items) {
      any = true;
      yield entity.is_available && reuse === 'any'
        ? { entityId: entity.id, wanted: null }
        : {
            entityId: entity.id,
            wanted: {
              entityType,
              criteria: bindEntity(criteria, entity) as Fields,
              parameters: bindEntity(parameters, entity) as Fields,
              reuse,
            }, // Objects stay objects.
          };
    }
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  if (!any && !open && Object.keys(criteria).length > 0)
    yield { entityId: show(entityType, criteria), wanted: { entityType, criteria, parameters, reuse } };
}
