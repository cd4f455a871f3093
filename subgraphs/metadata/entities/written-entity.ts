// An entity as a write returns it.
import type { EntityValues } from '../../../platform/entity-columns.ts';
import type { EntityState, Written } from '../log/write.ts';

/** An entity as a write leaves it. */
export type WrittenEntity = EntityValues;

/** The result of a write, with its timestamps. */
export function withTimestamps({ result, times }: Written<EntityState>): WrittenEntity {
  const time = times.get(result.id);
  if (!time) throw new Error(`the write of ${result.id} returned no timestamps`);
  return { ...result, ...time };
}
