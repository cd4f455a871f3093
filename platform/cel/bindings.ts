// What the names of an expression stand for, in each place where Cairn evaluates one (contract 2 and 3).
import type { CelInput } from '@bufbuild/cel';
import { jsonValue } from './json-values.ts';
import type { CelVariables } from './kinds.ts';
import { parseTimestamp } from './timestamps.ts';

/** Gives the value of a name when the expression wants it; undefined: there is none, which is an error of that part. */
export interface CelBindings {
  lookup(name: string): CelInput | undefined;
}

/** An entity as the platform returns it; timestamps are RFC 3339 with microseconds. */
export interface BoundEntity {
  readonly id: string;
  readonly entity_type: string;
  readonly version: number;
  readonly is_available: boolean;
  readonly project?: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Filters over entities: spec 2 «GET /entities», contract 2. */
export const ENTITY_VARIABLES: CelVariables = {
  data: 'map',
  id: 'string',
  entity_type: 'string',
  version: 'int',
  is_available: 'bool',
  project: 'any',
  created_at: 'timestamp',
  updated_at: 'timestamp',
};
/** Rules of a schema: `previous` is null for a new entity. */
export const VALIDATOR_VARIABLES: CelVariables = { data: 'map', previous: 'any' };
/** `map` of an adapter. */
export const ADAPTER_VARIABLES: CelVariables = { row: 'any' };

/** A standard attribute of an entity by name; undefined for any other name. */
function entityAttribute(entity: BoundEntity, name: string): CelInput | undefined {
  switch (name) {
    case 'data':
      return jsonValue(entity.data);
    case 'id':
    case 'entity_type':
    case 'is_available':
      return entity[name];
    case 'version':
      return BigInt(entity.version);
    case 'project':
      return entity.project ?? null;
    case 'created_at':
    case 'updated_at':
      return parseTimestamp(entity[name]);
    default:
      return undefined;
  }
}

const fieldOf = (object: unknown, name: string): CelInput | undefined =>
  typeof object === 'object' && object !== null && !Array.isArray(object) && Object.hasOwn(object, name)
    ? jsonValue((object as Readonly<Record<string, unknown>>)[name]) // an object with that key of its own
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
  lookup: (name) =>
    name === 'data' ? jsonValue(data) : name === 'previous' ? jsonValue(previous) : undefined,
});

/** For {@link ADAPTER_VARIABLES}. */
export const rowBindings = (row: unknown): CelBindings => ({
  lookup: (name) => (name === 'row' ? jsonValue(row) : undefined),
});

/** `when` of a webhook, compiled with `variables: 'any'`: `event` is the payload, and where that is an object, so are its top-level keys. */
export const webhookBindings = (payload: unknown): CelBindings => ({
  lookup: (name) => (name === 'event' ? jsonValue(payload) : fieldOf(payload, name)),
});

/**
 * `poll.filter`, compiled with `variables: 'any'`: the names of a filter over entities mean what they mean there,
 * every other name is a field of `data`, and `entity.x` is what `x` alone is.
 */
export const pollBindings = (entity: BoundEntity): CelBindings => ({
  lookup: (name) =>
    name === 'entity'
      ? entityMap(entity)
      : Object.hasOwn(ENTITY_VARIABLES, name)
        ? entityAttribute(entity, name)
        : fieldOf(entity.data, name),
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
