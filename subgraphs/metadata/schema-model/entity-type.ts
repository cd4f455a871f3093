// A schema prepared for use: its inherited fields, its subtypes, and the validation of an entity's data.
import type { SchemaDefinition, SchemaRule } from './definition.ts';
import type { FieldDefinition } from './field-definition.ts';
import { valueFault } from './value.ts';
import { withoutPrototype } from '../../../platform/without-prototype.ts';

export type EntityData = Readonly<Record<string, unknown>>;

export interface EntityType {
  readonly name: string;
  readonly definition: SchemaDefinition;
  /** The deployment's schema revision at which this version was registered. */
  readonly revision: number;
  /** The latest revision that changed it or an ancestor. */
  readonly changedAt: number;
  /** Own and inherited fields, by name; the parent's first. */
  readonly fields: ReadonlyMap<string, FieldDefinition>;
  /** Own and inherited rules; the parent's first. */
  readonly rules: readonly SchemaRule[];
  /** This type and its descendants: the types that a query for it includes. */
  readonly selfAndSubtypes: readonly string[];
  /** This type and its ancestors. */
  readonly selfAndAncestors: readonly string[];
  /**
   * Its unique fields, each with the type within which it is unique: the highest ancestor that declares it.
   */
  readonly uniqueFields: readonly { readonly field: string; readonly scope: string }[];
  /** Its enum fields, each with the type that says its words: the nearest that declares it. */
  readonly enums: readonly { readonly field: string; readonly declaredBy: string }[];
  /** Its reference fields whose targets must exist. */
  readonly mustExist: readonly string[];
  /** Its `datetime` fields. */
  readonly instants: readonly string[];
  /** Whether its entities belong to projects (docs/reference/metadata.md#projects). */
  readonly hasProject: boolean;
}

export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

/** Own keys of JSON data, whatever their names; safe against `__proto__`. */
export const ownValue = (data: EntityData, key: string): unknown =>
  Object.hasOwn(data, key) ? data[key] : undefined;

/** All faults of complete data of a type, field by field in the schema's order, unknown fields last. */
export function dataFaults(type: EntityType, data: EntityData): FieldFault[] {
  const faults: FieldFault[] = [];
  for (const field of type.fields.values()) {
    if (field.name === 'id') continue; // refers to the entity itself
    const value = ownValue(data, field.name);
    if (value === undefined || value === null) {
      if (field.required) faults.push({ field: field.name, message: `field ${field.name} is required` });
      continue;
    }
    const fault = valueFault(field, value);
    if (fault) faults.push({ field: field.name, message: `field ${field.name} ${fault}` });
  }
  for (const key of Object.keys(data)) {
    if (!type.fields.has(key) || key === 'id')
      faults.push({ field: key, message: `unknown field ${key} of type ${type.name}` });
  }
  return faults;
}

/**
 * New data, not yet validated: the supplied fields over the defaults. null is a value of an optional field
 * and is stored (`has()` of it is true).
 */
export function initialData(type: EntityType, supplied: EntityData): EntityData {
  const data = withoutPrototype<unknown>();
  for (const field of type.fields.values())
    if (field.default !== undefined && field.default !== null) data[field.name] = field.default;
  return over(data, supplied);
}

/** Data after a partial update, not yet validated: only supplied fields change, null clears a field. */
export function mergedData(current: EntityData, supplied: EntityData): EntityData {
  const data = withoutPrototype<unknown>();
  for (const key of Object.keys(current)) data[key] = current[key];
  return over(data, supplied);
}

function over(data: Record<string, unknown>, supplied: EntityData): EntityData {
  for (const key of Object.keys(supplied)) data[key] = supplied[key];
  return data;
}
