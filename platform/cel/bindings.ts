// Binds the variables of expressions to values, for each place where Cairn evaluates CEL
// (docs/reference/cel.md#where-expressions-are-evaluated).
import type { CelInput } from '@bufbuild/cel';
import {
  COLUMN_BY_NAME,
  type ColumnType,
  ENTITY_COLUMNS,
  type NamedEntity,
  selectionOf,
} from '../entity-columns.ts';
import { jsonValue } from './json-values.ts';
import type { CelKind, CelVariables } from './kinds.ts';
import { parseTimestamp } from './timestamps.ts';

/**
 * Looks up the value of a variable during the evaluation. Where it returns undefined, that part of the
 * expression is an error.
 */
export interface CelBindings {
  lookup(name: string): CelInput | undefined;
}

/** An entity under the names that CEL and REST have for its columns. */
export type BoundEntity = NamedEntity;
/** The selection that answers one. */
export const BOUND_ENTITY = selectionOf(ENTITY_COLUMNS);

const KIND: Readonly<Record<ColumnType, CelKind>> = {
  text: 'string',
  name: 'string',
  integer: 'int',
  boolean: 'bool',
  instant: 'timestamp',
  object: 'map',
};
/** For filters over entities: docs/reference/cel.md#entity-variables. */
export const ENTITY_VARIABLES: CelVariables = Object.fromEntries(
  ENTITY_COLUMNS.map(({ name, type, isNullable }) => [name, isNullable === true ? 'any' : KIND[type]]),
);
/** For rules of a schema: `previous` is null for a new entity. */
export const VALIDATOR_VARIABLES: CelVariables = { data: 'map', previous: 'any' };
/** For `map` of an adapter. */
export const ADAPTER_VARIABLES: CelVariables = { row: 'any' };

/** Of the value of a column that is not null. */
const CEL_VALUE: Readonly<Record<ColumnType, (value: never) => CelInput>> = {
  text: (value: string) => value,
  name: (value: string) => value,
  integer: (value: number) => BigInt(value),
  boolean: (value: boolean) => value,
  instant: parseTimestamp,
  object: jsonValue,
};

/** Returns a standard attribute of an entity by name; undefined for any other name. */
function entityAttribute(entity: BoundEntity, name: string): CelInput | undefined {
  const column = COLUMN_BY_NAME.get(name);
  if (column === undefined) return undefined;
  const value = entity[column.name] ?? null;
  return value === null ? null : CEL_VALUE[column.type](value as never); // of the column's type
}

const fieldOf = (object: unknown, name: string): CelInput | undefined =>
  typeof object === 'object' && object !== null && !Array.isArray(object) && Object.hasOwn(object, name)
    ? jsonValue((object as Readonly<Record<string, unknown>>)[name]) // an object with this own property
    : undefined;

/** For {@link ENTITY_VARIABLES}. */
export const entityBindings = (entity: BoundEntity): CelBindings => ({
  lookup: (name) => entityAttribute(entity, name),
});

/** For {@link VALIDATOR_VARIABLES}. */
export const validatorBindings = (
  data: Readonly<Record<string, unknown>>,
  previous: Readonly<Record<string, unknown>> | null,
): CelBindings => ({
  lookup(name) {
    if (name === 'data') return jsonValue(data);
    return name === 'previous' ? jsonValue(previous) : undefined;
  },
});

/** For {@link ADAPTER_VARIABLES}. */
export const rowBindings = (row: unknown): CelBindings => ({
  lookup: (name) => (name === 'row' ? jsonValue(row) : undefined),
});

/**
 * For `when` of a webhook, compiled with `variables: 'any'`: `event` is the payload. If the payload is an
 * object, its top-level keys are variables too.
 */
export const webhookBindings = (payload: unknown): CelBindings => ({
  lookup: (name) => (name === 'event' ? jsonValue(payload) : fieldOf(payload, name)),
});

/**
 * For `poll.filter`, compiled with `variables: 'any'`: the names of entity filters keep their meaning, every
 * other name is a field of `data`, and `entity.x` is the same as `x`.
 */
export const pollBindings = (entity: BoundEntity): CelBindings => ({
  lookup(name) {
    if (name === 'entity') return entityMap(entity);
    const isAttribute = Object.hasOwn(ENTITY_VARIABLES, name);
    return isAttribute ? entityAttribute(entity, name) : fieldOf(entity.data, name);
  },
});

function entityMap(entity: BoundEntity): CelInput {
  const fields = new Map<string, CelInput>();
  for (const [name, value] of Object.entries(entity.data)) fields.set(name, jsonValue(value));
  for (const name of Object.keys(ENTITY_VARIABLES)) {
    const value = entityAttribute(entity, name);
    if (value !== undefined) fields.set(name, value);
  }
  return fields;
}
