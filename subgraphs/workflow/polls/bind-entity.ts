// Fills `{entity.<field>}` of an action with the entity that fired it
// (docs/reference/workflow.md#entity-bindings).
import type { BoundEntity } from '../../../platform/cel/bindings.ts';
import { COLUMN_BY_NAME } from '../../../platform/entity-columns.ts';

function fieldOf(entity: BoundEntity, path: string): unknown {
  const name = path.startsWith('data.') ? path.slice(5) : path;
  const own = name === path ? COLUMN_BY_NAME.get(name) : undefined;
  if (own !== undefined && own.name !== 'data') return entity[own.name] ?? null;
  return Object.hasOwn(entity.data, name) ? entity.data[name] : null;
}

const ONE = /^\{entity\.([\w.]+)\}$/;
const ANY = /\{entity\.([\w.]+)\}/g;

function asText(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * A text that is exactly one binding becomes the field's value with its type; bindings within a text become
 * text. A missing field is null.
 */
export function bindEntity(value: unknown, entity: BoundEntity): unknown {
  if (typeof value === 'string') {
    const whole = ONE.exec(value)?.[1];
    return whole === undefined
      ? value.replace(ANY, (_, path: string) => asText(fieldOf(entity, path)))
      : fieldOf(entity, whole);
  }
  if (Array.isArray(value)) return value.map((one: unknown) => bindEntity(one, entity));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, bindEntity(one, entity)]));
}

/** Whether the value contains bindings. */
export function hasBindings(value: unknown): boolean {
  if (typeof value === 'string') return value.search(ANY) >= 0;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasBindings);
}
