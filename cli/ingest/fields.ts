// The fields of entity types, as loads of tables need them.
import { isObject } from '../../platform/json-object.ts';
import type { Field } from '../../platform/tables/cell-values.ts';
import { type Api, type Json, member, route, rows } from '../api.ts';
import { ApiFailure } from '../api-failure.ts';

/** A field, and whether entities need it. */
export interface DeclaredField extends Field {
  readonly isRequired: boolean;
}
export type DeclaredFields = ReadonlyMap<string, DeclaredField>;

/** The fields of a definition, without inherited ones. */
const fieldsIn = (schema: Json): readonly DeclaredField[] =>
  rows(schema, 'fields').map((field) => ({
    name: String(field['name']),
    type: String(field['field_type']),
    isMany: field['many'] === true,
    isRequired: field['required'] === true,
  }));

/** The fields of a type, inherited ones included; null for a type without a schema. */
export async function fieldsOf(
  api: Api,
  type: string,
  seen: readonly string[] = [],
): Promise<DeclaredFields | null> {
  let schema: unknown;
  try {
    schema = member(await api.call({ path: route`/api/v1/metadata/schemas/${type}` }), 'data');
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null;
    throw error;
  }
  if (!isObject(schema)) return null;
  const { parent } = schema;
  const inherited =
    typeof parent === 'string' && !seen.includes(parent)
      ? await fieldsOf(api, parent, [...seen, type])
      : null;
  return new Map([...(inherited ?? []), ...fieldsIn(schema).map((field) => [field.name, field] as const)]);
}
