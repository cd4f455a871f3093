// Which samples a resolve is about: the entity that fired it, or every stored entity that its criteria match
// (docs/reference/workflow.md#samples).
import { BOUND_ENTITY, type BoundEntity } from '../../../platform/cel/bindings.ts';
import { bindEntity, hasBindings } from '../polls/bind-entity.ts';
import type { Execute } from '../deps.ts';
import type { Wanted } from './ask-artifact.ts';

export interface Sample {
  /** The entity that it is about; where none is stored yet, what is looked for, in words. */
  readonly entityId: string;
  /** Null where it is there and nothing has to be asked. */
  readonly wanted: Wanted | null;
}

/** A criterion or binding that cannot be used: the run fails with it. */
export class CriteriaError extends Error {
  override name = 'CriteriaError';
}

type Fields = Readonly<Record<string, unknown>>;

const MATCHED = `query MatchedEntities($type: String!, $filter: String, $cursor: String) {
  entities(entityType: $type, filter: $filter, limit: 500, cursor: $cursor, includeUnavailable: true) {
    items { ${BOUND_ENTITY} } nextCursor
  }
}`;

/** @throws CriteriaError for a value that CEL has no literal for */
function literal(field: string, value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new CriteriaError(`criteria.${field} must be a string, a number or a boolean`);
}

/** What the criteria say without an entity, as a filter over entities. */
function filterOf(criteria: Fields): string | null {
  const parts = Object.entries(criteria)
    .filter(([, value]) => !hasBindings(value))
    .map(([field, value]) => {
      if (!/^[A-Za-z_]\w*$/.test(field)) throw new CriteriaError(`criteria.${field} is no field`);
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
}

/** One page of entities in memory at a time. @throws CriteriaError; where the metadata does not answer */
export async function* samplesOf(
  { entityType, criteria, parameters }: ResolveAction,
  firedBy: string | null,
  execute: Execute,
  signal: AbortSignal,
): AsyncGenerator<Sample> {
  if (firedBy !== null) {
    // bound already: what looks like a binding now is an entity's own text
    yield { entityId: firedBy, wanted: { entityType, criteria, parameters } };
    return;
  }
  const open = hasBindings(criteria) || hasBindings(parameters);
  const filter = filterOf(criteria);
  let any = false;
  for (let cursor: string | null = null; ;) {
    const page = (await execute(MATCHED, { type: entityType, filter, cursor }, signal))['entities'] as {
      items: readonly BoundEntity[];
      nextCursor: string | null;
    }; // as the document asks
    for (const entity of page.items) {
      any = true;
      yield entity.is_available
        ? { entityId: entity.id, wanted: null }
        : {
            entityId: entity.id,
            wanted: {
              entityType,
              criteria: bindEntity(criteria, entity) as Fields,
              parameters: bindEntity(parameters, entity) as Fields,
            }, // objects stay objects
          };
    }
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  if (!any && !open && Object.keys(criteria).length > 0)
    yield { entityId: show(entityType, criteria), wanted: { entityType, criteria, parameters } };
}
