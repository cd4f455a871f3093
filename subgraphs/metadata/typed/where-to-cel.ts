// A typed `where` as the CEL expression that says the same: it is decided, bounded and explained as any filter is.
import { invalid } from '../../../platform/errors.ts';
import type { TypedType } from './typed-types.ts';

type Conditions = Readonly<Record<string, unknown>>;

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const RESERVED: ReadonlySet<string> = new Set('as break const continue else false for function if import in let loop namespace null package return true var void while'.split(' '));
const COMPARISONS: Readonly<Record<string, string>> = { eq: '==', ne: '!=', lt: '<', le: '<=', gt: '>', ge: '>=' };
const TESTS: ReadonlySet<string> = new Set(['startsWith', 'endsWith', 'contains']);

/** Strings, numbers and truth values are written in CEL as in JSON. */
const literal = (value: unknown): string => JSON.stringify(value);
const isSimple = (name: string): boolean => IDENTIFIER.test(name) && !RESERVED.has(name);
const both = (terms: readonly string[], operator: '&&' | '||', none: string): string => (terms.length === 0 ? none : terms.map((term) => `(${term})`).join(` ${operator} `));

function condition(operand: string, name: string, [operation, value]: [string, unknown]): string[] {
  if (value === null || value === undefined) return [];
  const comparison = COMPARISONS[operation];
  if (comparison !== undefined) return [`${operand} ${comparison} ${literal(value)}`];
  if (TESTS.has(operation)) return [`${operand}.${operation}(${literal(value)})`];
  switch (operation) {
    case 'in': return [`${operand} in ${literal(value)}`];
    case 'has': return [`${literal(value)} in ${operand}`];
    case 'hasAny': return [both((value as readonly unknown[]).map((one) => `${literal(one)} in ${operand}`), '||', 'false')]; // a list, by the SDL
    case 'present': {
      if (operand !== 'id' && !isSimple(name)) throw invalid(`where: whether ${JSON.stringify(name)} is present cannot be asked, for its name`, { field: name });
      if (operand === 'id') return [value === true ? 'true' : 'false'];
      return [value === true ? `has(${operand}) && ${operand} != null` : `!has(${operand}) || ${operand} == null`];
    }
    default: throw new Error(`a condition that the SDL does not have: ${operation}`);
  }
}

function terms(type: TypedType, names: ReadonlyMap<string, string>, where: Conditions): string[] {
  return Object.entries(where).flatMap(([key, value]) => {
    if (value === null || value === undefined) return [];
    const nested = (one: unknown): string => both(terms(type, names, one as Conditions), '&&', 'true'); // an input object, by the SDL; so are the values below
    if (key === 'and') return [both((value as readonly unknown[]).map(nested), '&&', 'true')];
    if (key === 'or') return [both((value as readonly unknown[]).map(nested), '||', 'false')];
    if (key === 'not') return [`!(${nested(value)})`];
    const name = key === 'id' ? 'id' : names.get(key) ?? key;
    const operand = key === 'id' ? 'id' : isSimple(name) ? `data.${name}` : `data[${literal(name)}]`;
    return Object.entries(value as Conditions).flatMap((one) => condition(operand, name, one));
  });
}

/** Null where nothing is asked. @throws DomainError `validation_failed` */
export function whereToCel(type: TypedType, where: Conditions | null | undefined): string | null {
  if (where === null || where === undefined) return null;
  const all = terms(type, new Map(type.fields.map((field) => [field.name, field.definition.name])), where);
  return all.length === 0 ? null : both(all, '&&', 'true');
}
