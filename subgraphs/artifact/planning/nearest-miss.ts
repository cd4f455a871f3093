// Explains why no stored entity can be used: the one nearest to the criteria, and the field in which it
// differs.
import { type Criteria } from './criteria.ts';
import { type Entities, fieldText, type StoredEntity } from './entities.ts';
import type { Parameters } from '../reuse/reuse.service.ts';

/** With more fields, omitting each in turn would cost more than the explanation is worth. */
const MAX_FIELDS = 6;

export interface Miss {
  /** One sentence for the plan. */
  readonly text: string;
  /** The entity it describes. */
  readonly entity: StoredEntity | null;
  /** Why it is stale, where that is the reason. */
  readonly staleReasons?: readonly string[];
  /** With which it was made, in that case. */
  readonly parameters?: Parameters;
}

export async function nearestMiss(entities: Entities, entityType: string, criteria: Criteria): Promise<Miss> {
  const [unavailable] = await entities.find(entityType, criteria, 1, true);
  if (unavailable !== undefined)
    return { entity: unavailable, text: `${unavailable.id} matches but is not available` };
  const fields = [...criteria.keys()].slice(0, MAX_FIELDS);
  const near = await Promise.all(
    fields.map(async (field) => {
      const rest = new Map([...criteria].filter(([name]) => name !== field));
      const [entity] = await entities.find(entityType, rest, 1);
      return entity === undefined ? null : { entity, field };
    }),
  );
  const found = near.find((one) => one !== null);
  if (found) {
    const { entity, field } = found;
    return {
      entity,
      text: `nothing stored matches; nearest is ${entity.id}, whose ${field} is ${fieldText(entity, field) ?? 'not set'}, not ${criteria.get(field)}`,
    };
  }
  const [any] = criteria.size > 1 ? await entities.find(entityType, new Map(), 1) : [];
  if (any === undefined) return { entity: null, text: `no ${entityType} is stored` };
  const differing = [...criteria]
    .filter(([field, value]) => fieldText(any, field) !== value)
    .map(([field]) => field);
  return { entity: any, text: `nothing stored matches; ${any.id} differs in ${differing.join(', ')}` };
}
