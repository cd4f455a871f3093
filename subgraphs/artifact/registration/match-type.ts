// The CWL types of entity field types: exact, without coercion (docs/reference/artifact.md#type-mapping).
import { type CwlType, isOptional, withoutNull } from '../cwl/cwl-type.ts';
import type { EntityField } from './entity-schema.ts';

type Single = Pick<EntityField, 'type' | 'values'>;

function isSame(type: CwlType, { type: expected, values }: Single): boolean {
  switch (type.kind) {
    case 'string':
      return expected === 'string';
    case 'int':
    case 'long':
      return expected === 'int';
    case 'float':
    case 'double':
      return expected === 'float';
    case 'boolean':
      return expected === 'bool';
    case 'File':
    case 'Directory':
      return expected === 'uri';
    case 'record':
    case 'Any':
      return expected === 'json';
    case 'enum':
      return (
        expected === 'enum' &&
        type.symbols.length === values.length &&
        type.symbols.every((symbol) => values.includes(symbol))
      );
    case 'array':
    case 'union':
    case 'null':
      return false;
    default:
      return type satisfies never;
  }
}

/** The required type of a field's value as text: `int`, `string[]`, `enum (a | b)`. */
export const showFieldType = ({ type, many, values }: EntityField): string =>
  `${type === 'enum' ? `enum (${values.join(' | ')})` : type}${many ? '[]' : ''}`;

/** Why a CWL output does not fit a field; null if it does. */
export function typeFault(type: CwlType, field: EntityField): string | null {
  const value = withoutNull(type);
  const fits = field.many ? value.kind === 'array' && isSame(value.items, field) : isSame(value, field);
  if (!fits) return `must be ${showFieldType(field)}`;
  return isOptional(type) && field.required
    ? `is required, but the output may be null: the output must be ${showFieldType(field)}`
    : null;
}
