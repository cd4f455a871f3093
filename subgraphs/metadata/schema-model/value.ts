// Validates a JSON value against a field's type: exactly, without coercion
// (docs/reference/metadata.md#field-types).
import { exactInstant, isDay } from '../../../platform/instant.ts';
import type { FieldDefinition } from './field-definition.ts';

// RFC 3986: a scheme, a colon, and characters that are valid in a URI.
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s"<>\\^`{|}]+$/u;
/** Invisible characters are excluded, except joiners in scripts that need them. */
const TEXT = /^[^/\s\p{Cc}\p{Cf}\p{Cs}](?:[\u200c\u200d]?[^/\s\p{Cc}\p{Cf}\p{Cs}]){0,199}$/u;

/**
 * Whether a string can refer to an entity: 1 to 200 visible characters without `/`. Existing entities may
 * have ids that new ones cannot have.
 */
const isReference = (value: unknown): value is string =>
  typeof value === 'string' && TEXT.test(value) && [...value].length <= 200;

/** The rules for an id, as the end of a sentence. */
export const AN_ID = '1 to 200 visible characters without `/` and `\\`, and neither `.` nor `..`';
/**
 * Whether a string can be an entity's id (docs/reference/metadata.md#entity-ids), so that it can be part of a
 * path.
 */
export const isEntityId = (value: unknown): value is string =>
  isReference(value) && !value.includes('\\') && value !== '.' && value !== '..';

function scalarFault(field: FieldDefinition, value: unknown): string | null {
  switch (field.type) {
    case 'string':
      return typeof value === 'string' ? null : 'must be a string';
    case 'int':
      return Number.isSafeInteger(value) ? null : 'must be an integer';
    case 'float':
      return typeof value === 'number' && Number.isFinite(value) ? null : 'must be a number';
    case 'bool':
      return typeof value === 'boolean' ? null : 'must be true or false';
    case 'date':
      return typeof value === 'string' && isDay(value) ? null : 'must be a date, for example 2026-01-31';
    case 'datetime':
      return typeof value === 'string' && exactInstant(value) !== null
        ? null
        : 'must be a date and time with an offset, for example 2026-01-31T09:30:00Z';
    case 'enum':
      return typeof value === 'string' && field.values.includes(value)
        ? null
        : `must be one of ${field.values.join(', ')}`;
    case 'uri':
      return typeof value === 'string' && URI.test(value) ? null : 'must be a URI with a scheme';
    case 'ref':
      return isReference(value) ? null : 'must be the id of an entity';
    case 'json':
      return value === undefined ? 'must be a JSON value' : null;
    default:
      return field.type satisfies never;
  }
}

/** The fault of a value that is not null, as the end of a sentence; null if there is none. */
export function valueFault(field: FieldDefinition, value: unknown): string | null {
  if (!field.many) return scalarFault(field, value);
  if (!Array.isArray(value)) return 'must be a list';
  for (const [i, item] of value.entries()) {
    const fault = item === null && field.type !== 'json' ? 'must not be null' : scalarFault(field, item);
    if (fault) return `[${i}] ${fault}`;
  }
  return null;
}
