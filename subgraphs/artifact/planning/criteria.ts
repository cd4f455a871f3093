// Criteria: identity fields with their values, compared in text form as in listings
// (docs/reference/artifact.md#criteria).
import { invalid } from '../../../platform/errors.ts';
import type { EntityField, EntitySchema } from '../registration/entity-schema.ts';

/** Field → the text form of its value. */
export type Criteria = ReadonlyMap<string, string>;

const MAX_FIELDS = 100;

/** The text form of a value; null for values without one. */
export function textForm(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? JSON.stringify(value) : null;
}

/** @param name the argument's name: `criteria`, `partial_spec` @throws DomainError `validation_failed` */
export function readCriteria(sent: unknown, name: string): Criteria {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    throw invalid(`${name} must be an object`);
  const fields = Object.entries(sent);
  if (fields.length > MAX_FIELDS) throw invalid(`${name} may have at most ${MAX_FIELDS} fields`);
  return new Map(
    fields.map(([field, value]) => {
      const text = textForm(value);
      if (text === null) throw invalid(`${name}.${field} must be a string, a number or a boolean`, { field });
      return [field, text];
    }),
  );
}

function canBe(field: EntityField, text: string): boolean {
  switch (field.type) {
    case 'int':
      return /^-?\d+$/.test(text);
    case 'float':
      return text.trim() !== '' && Number.isFinite(Number(text));
    case 'bool':
      return text === 'true' || text === 'false';
    case 'enum':
      return field.values.includes(text);
    default:
      return true;
  }
}

/**
 * Why no entity can have a value: a text that no value of the field's type has; null if one may. Lists and
 * types without a canonical form are not checked.
 */
export function impossible(criteria: Criteria, { fields }: EntitySchema): string | null {
  for (const [name, text] of criteria) {
    const field = fields.get(name);
    if (field === undefined || field.many) continue;
    if (canBe(field, text)) continue;
    const wanted =
      field.type === 'enum' ? `one of ${field.values.join(', ')}` : `a value of type ${field.type}`;
    return `${name} must be ${wanted}, not ${text}`;
  }
  return null;
}

export const showCriteria = (criteria: Criteria): string =>
  [...criteria].map(([field, value]) => `${field} = ${value}`).join(', ');

/** Sorted by field name, so that equal criteria are equal texts. */
export const sorted = (criteria: Criteria): Criteria =>
  new Map([...criteria].sort(([a], [b]) => (a < b ? -1 : 1)));
