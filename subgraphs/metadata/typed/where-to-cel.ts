// Translates a typed `where` to an equivalent CEL expression, so that it is evaluated, bounded and explained
// like any filter.
import { invalid } from '../../../platform/errors.ts';
import { canonicalInstant } from '../../../platform/instant.ts';
import type { FieldDefinition } from '../schema-model/field-definition.ts';
import type { TypedType } from './typed-types.ts';

type Conditions = Readonly<Record<string, unknown>>;

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const RESERVED: ReadonlySet<string> = new Set(
  'as break const continue else false for function if import in let loop namespace null package return true var void while'.split(
    ' ',
  ),
);
const COMPARISONS: Readonly<Record<string, string>> = {
  eq: '==',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
};
const TESTS: ReadonlySet<string> = new Set(['startsWith', 'endsWith', 'contains']);

/**
 * CEL and JSON have the same syntax for strings, numbers and booleans; but what JSON writes in digits only is an
 * integer in CEL, of 64 bits.
 */
const literal = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  const text = JSON.stringify(value);
  const isLarge = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isLarge && /^-?\d+$/.test(text) ? `${text}.0` : text;
};
const isSimple = (name: string): boolean => IDENTIFIER.test(name) && !RESERVED.has(name);
const both = (terms: readonly string[], operator: '&&' | '||', none: string): string =>
  terms.length === 0 ? none : terms.map((term) => `(${term})`).join(` ${operator} `);

/**
 * A value compared with an instant must be one; it is converted to the stored form, whose texts sort as the
 * instants do.
 */
const OF_INSTANTS: ReadonlySet<string> = new Set(['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'in', 'has', 'hasAny']);
function asInstant(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => asInstant(name, one));
  const instant = typeof value === 'string' ? canonicalInstant(value) : null;
  if (instant === null)
    throw invalid(
      `where: ${name} must be compared with a date and time with an offset, for example 2026-01-31T09:30:00Z`,
      { field: name },
    );
  return instant;
}

const listed = (value: unknown): readonly unknown[] => value as readonly unknown[]; // the SDL ensures a list

function condition(operand: string, name: string, [operation, value]: [string, unknown]): string[] {
  if (value === null || value === undefined) return [];
  const comparison = COMPARISONS[operation];
  if (operation === 'ne') {
    const differs = `${operand} != ${literal(value)}`;
    // as in SQL: a comparison with null is not true
    return [operand === 'id' ? differs : `${operand} != null && ${differs}`];
  }
  if (comparison !== undefined) return [`${operand} ${comparison} ${literal(value)}`];
  if (TESTS.has(operation)) return [`${operand}.${operation}(${literal(value)})`];
  switch (operation) {
    case 'in':
      return [`${operand} in ${literal(value)}`];
    case 'has':
      return [`${literal(value)} in ${operand}`];
    case 'hasAny':
      return [
        both(
          listed(value).map((one) => `${literal(one)} in ${operand}`),
          '||',
          'false',
        ),
      ];
    case 'present': {
      if (operand !== 'id' && !isSimple(name))
        throw invalid(`where: \`present\` is not supported for the field name ${JSON.stringify(name)}`, {
          field: name,
        });
      if (operand === 'id') return [value === true ? 'true' : 'false'];
      return [
        value === true ? `has(${operand}) && ${operand} != null` : `!has(${operand}) || ${operand} == null`,
      ];
    }
    default:
      throw new Error(`unknown condition: ${operation}`);
  }
}

function terms(type: TypedType, names: ReadonlyMap<string, FieldDefinition>, where: Conditions): string[] {
  return Object.entries(where).flatMap(([key, value]) => {
    if (value === null || value === undefined) return [];
    // The SDL ensures an input object, and so for the values below.
    const nested = (one: unknown): string => both(terms(type, names, one as Conditions), '&&', 'true');
    if (key === 'and') return [both(listed(value).map(nested), '&&', 'true')];
    if (key === 'or') return [both(listed(value).map(nested), '||', 'false')];
    if (key === 'not') return [`!(${nested(value)})`];
    const field = key === 'id' ? undefined : names.get(key);
    const name = field?.name ?? key;
    const member = isSimple(name) ? `data.${name}` : `data[${literal(name)}]`;
    const operand = key === 'id' ? 'id' : member;
    const isInstant = field?.type === 'datetime';
    // an input object, by the SDL
    return Object.entries(value as Conditions).flatMap(([operation, given]) =>
      condition(operand, name, [
        operation,
        isInstant && given !== null && given !== undefined && OF_INSTANTS.has(operation)
          ? asInstant(name, given)
          : given,
      ]),
    );
  });
}

/** Null without conditions. @throws DomainError `validation_failed` */
export function whereToCel(type: TypedType, where: Conditions | null | undefined): string | null {
  if (where === null || where === undefined) return null;
  const all = terms(type, new Map(type.fields.map((field) => [field.name, field.definition])), where);
  return all.length === 0 ? null : both(all, '&&', 'true');
}
