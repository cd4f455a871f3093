// What somebody looks for: identity fields with their values, compared in their text form as listings compare them (contract 2).
import { invalid } from '../../../platform/errors.ts';
import type { EntitySchema } from '../registration/entity-schema.ts';

/** Field → the text form of its value. */
export type Criteria = ReadonlyMap<string, string>;

const MOST_FIELDS = 100;

/** The text form of a value; null for what has none. */
export function textForm(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? JSON.stringify(value) : null;
}

/** @param name what it was sent as: `criteria`, `partial_spec` @throws DomainError `validation_failed` */
export function readCriteria(sent: unknown, name: string): Criteria {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    throw invalid(`${name} must be an object`);
  const fields = Object.entries(sent);
  if (fields.length > MOST_FIELDS) throw invalid(`${name} may have ${MOST_FIELDS} fields at most`);
  return new Map(
    fields.map(([field, value]) => {
      const text = textForm(value);
      if (text === null) throw invalid(`${name}.${field} must be a string, a number or a boolean`, { field });
      return [field, text];
    }),
  );
}

/** Why no entity can have a value: a text that no value of the field's type has; null where one may. Lists and what has no fixed form are not looked at. */
export function impossible(criteria: Criteria, { fields }: EntitySchema): string | null {
  for (const [name, text] of criteria) {
    const field = fields.get(name);
    if (field === undefined || field.many) continue;
    const fits =
      field.type === 'int'
        ? /^-?\d+$/.test(text)
        : field.type === 'float'
          ? text.trim() !== '' && Number.isFinite(Number(text))
          : field.type === 'bool'
            ? text === 'true' || text === 'false'
            : field.type !== 'enum' || field.values.includes(text);
    if (!fits)
      return `${name} is ${field.type === 'enum' ? `one of ${field.values.join(', ')}` : `a value of type ${field.type}`}, which ${text} is not`;
  }
  return null;
}

export const showCriteria = (criteria: Criteria): string =>
  [...criteria].map(([field, value]) => `${field} = ${value}`).join(', ');

/** By field name, so that equal criteria are equal texts. */
export const sorted = (criteria: Criteria): Criteria =>
  new Map([...criteria].sort(([a], [b]) => (a < b ? -1 : 1)));
