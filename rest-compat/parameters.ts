// Query parameters as data: one value defines parsing, validation, and the OpenAPI description.
import { type DomainError, badRequest } from '../platform/errors.ts';
import { readFlag } from '../platform/flag.ts';
import { canonicalInstant } from '../platform/instant.ts';
import { withoutPrototype } from '../platform/without-prototype.ts';

export interface Parameter<Value> {
  /**
   * Parses the values of the parameter; none when it is absent.
   * @throws Error with a sentence for the caller
   */
  readonly read: (values: readonly string[], name: string) => Value;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly description: string;
  readonly required: boolean;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;
export type Values<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer Value> ? Value : never;
};

class ParameterFault extends Error {}
const only = (values: readonly string[], name: string): string | undefined => {
  if (values.length > 1) throw new ParameterFault(`${name} is given more than once`);
  return values[0];
};

export const text = (description: string): Parameter<string | null> => ({
  read: (values, name) => only(values, name) ?? null,
  schema: { type: 'string' },
  description,
  required: false,
});

export const requiredText = (description: string): Parameter<string> => ({
  read: (values, name) => {
    const value = only(values, name);
    if (value === undefined || value === '') throw new ParameterFault(`${name} is required`);
    return value;
  },
  schema: { type: 'string' },
  description,
  required: true,
});

export const choice = <const Names extends readonly string[]>(
  names: Names,
  fallback: Names[number],
  description: string,
): Parameter<Names[number]> => ({
  read: (values, name) => {
    const value = only(values, name) ?? fallback;
    if (!names.includes(value)) throw new ParameterFault(`${name} must be one of ${names.join(', ')}`);
    return value;
  },
  schema: { type: 'string', enum: [...names], default: fallback },
  description,
  required: false,
});

/** One of the names; null when absent. */
export const optionalChoice = <const Names extends readonly string[]>(
  names: Names,
  description: string,
): Parameter<Names[number] | null> => ({
  read: (values, name) => {
    const value = only(values, name) ?? null;
    if (value !== null && !names.includes(value))
      throw new ParameterFault(`${name} must be one of ${names.join(', ')}`);
    return value;
  },
  schema: { type: 'string', enum: [...names] },
  description,
  required: false,
});

export const flag = (fallback: boolean, description: string): Parameter<boolean> => ({
  read: (values, name) => {
    const value = only(values, name);
    if (value === undefined) return fallback;
    const read = readFlag(value);
    if (read === undefined) throw new ParameterFault(`${name} must be true or false`);
    return read;
  },
  schema: { type: 'boolean', default: fallback },
  description,
  required: false,
});

/** An instant, as its canonical text; null when absent. */
export const instant = (description: string): Parameter<string | null> => ({
  read: (values, name) => {
    const value = only(values, name);
    if (value === undefined) return null;
    const read = canonicalInstant(value);
    if (read === null)
      throw new ParameterFault(
        `${name} must be a point in time with an offset, for example 2026-01-31T09:30:00.123456Z`,
      );
    return read;
  },
  schema: { type: 'string', format: 'date-time' },
  description,
  required: false,
});

/** On reads: the moment. */
export const AS_OF = {
  as_of: instant('Answer as of this time: the answer that the same request would have had then.'),
};

export const requiredInstant = (description: string): Parameter<string> => {
  const optional = instant(description);
  return {
    ...optional,
    required: true,
    read: (values, name) => {
      const value = optional.read(values, name);
      if (value === null) throw new ParameterFault(`${name} is required`);
      return value;
    },
  };
};

/** Comma-separated or repeated; null when absent. */
export const list = (description: string): Parameter<readonly string[] | null> => ({
  read: (values) =>
    values.length === 0 ? null : values.flatMap((v) => v.split(',')).filter((v) => v !== ''),
  schema: { type: 'array', items: { type: 'string' } },
  description,
  required: false,
});

/** Repeated, commas included; empty when absent. */
export const texts = (description: string): Parameter<readonly string[]> => ({
  read: (values) => values,
  schema: { type: 'array', items: { type: 'string' } },
  description,
  required: false,
});

const INTEGER = /^[+-]?\d{1,15}$/;
/** The maximum Int of GraphQL, which no row's operation can exceed. */
export const GREATEST_INTEGER = 2 ** 31 - 1;
export const numbers = (description: string): Parameter<readonly number[]> => ({
  read: (values, name) =>
    values
      .flatMap((value) => value.split(','))
      .filter((value) => value !== '')
      .map((value) => {
        const number = Number(value);
        if (value.trim() === '' || !Number.isFinite(number))
          throw new ParameterFault(`${name} must be numbers, separated by commas`);
        return number;
      }),
  schema: { type: 'string', pattern: '^-?[0-9.eE+-]+(,-?[0-9.eE+-]+)*$' },
  description,
  required: false,
});

export const integer = (
  { min, max = GREATEST_INTEGER, ...rest }: { min: number; max?: number; default: number },
  description: string,
): Parameter<number> => ({
  read: (values, name) => {
    const value = only(values, name);
    if (value === undefined) return rest.default;
    const number = INTEGER.test(value) ? Number(value) : NaN;
    if (!(number >= min && number <= max))
      throw new ParameterFault(`${name} must be an integer from ${min} to ${max}`);
    return number;
  },
  schema: { type: 'integer', minimum: min, maximum: max, default: rest.default },
  description,
  required: false,
});

/** Null when absent. */
export const optionalInteger = (
  { min }: { readonly min: number },
  description: string,
): Parameter<number | null> => {
  const given = integer({ min, default: min }, description);
  return {
    ...given,
    read: (values, name) => (values.length === 0 ? null : given.read(values, name)),
    schema: { type: 'integer', minimum: min },
  };
};

/**
 * A page bound whose range the operation itself checks: a value beyond GraphQL's Int becomes the nearest one.
 */
export const pageNumber = (
  bounds: { readonly minimum: number; readonly maximum?: number; readonly default: number },
  description: string,
): Parameter<number> => ({
  read: (values, name) => {
    const value = only(values, name);
    if (value === undefined) return bounds.default;
    if (!INTEGER.test(value)) throw new ParameterFault(`${name} must be an integer`);
    return Math.max(-GREATEST_INTEGER, Math.min(GREATEST_INTEGER, Number(value)));
  },
  schema: { type: 'integer', ...bounds },
  description,
  required: false,
});

/** docs/reference/api-conventions.md#pages: the parameters of every listing. */
export const PAGE = {
  limit: integer({ min: 1, max: 1000, default: 100 }, 'The maximum number of items in the answer.'),
  offset: integer({ min: 0, default: 0 }, 'The number of items to skip.'),
  cursor: text(
    '`next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages.',
  ),
};

const FAULT: Readonly<Record<string, readonly string[]>> =
  Object.freeze(withoutPrototype<readonly string[]>());

function parse(search: string): Readonly<Record<string, readonly string[]>> {
  if (search === '') return FAULT;
  // no prototype: a parameter may have any name
  const found = withoutPrototype<string[]>();
  for (const [name, value] of new URLSearchParams(search)) (found[name] ??= []).push(value);
  return found;
}

/** docs/reference/api-conventions.md#strings: no string may contain U+0000. */
function refuseNul(
  sent: Readonly<Record<string, readonly string[]>>,
  refuse: (message: string) => DomainError,
): void {
  for (const name in sent)
    if ([name, ...(sent[name] ?? [])].some((text) => text.includes('\u0000')))
      throw refuse('a query parameter must not contain U+0000');
}

const HIGH_BYTE = /%[89a-f]/i;
const REPLACEMENT = '\ufffd';
const SENT_REPLACEMENT = /%ef%bf%bd/gi;

/** Bytes that are not UTF-8 become U+FFFD, which nobody sent. */
function refuseOtherBytes(search: string, refuse: (message: string) => DomainError): void {
  const sent = search.match(SENT_REPLACEMENT)?.length ?? 0;
  const found = [...new URLSearchParams(search)].flat().join('').split(REPLACEMENT).length - 1;
  if (found > sent) throw refuse('query parameters must be percent-encoded UTF-8');
}

/**
 * Parses a query string. Names that are not in the table are the `rest`: metadata uses them as field filters,
 * elsewhere they are ignored, as is `project` (the edge has checked it).
 * @throws the error that `refuse` creates from the first fault
 */
export function readParameters<P extends Parameters>(
  table: P,
  search: string,
  refuse: (message: string) => DomainError = badRequest,
): { values: Values<P>; rest: Readonly<Record<string, readonly string[]>> } {
  const sent = parse(search);
  if (search.includes('%00')) refuseNul(sent, refuse);
  if (HIGH_BYTE.test(search)) refuseOtherBytes(search, refuse);
  const values: Record<string, unknown> = {};
  try {
    for (const name in table) values[name] = table[name]?.read(sent[name] ?? [], name);
  } catch (fault) {
    if (fault instanceof ParameterFault) throw refuse(fault.message);
    throw fault;
  }
  const rest = withoutPrototype<readonly string[]>();
  for (const name in sent) if (!Object.hasOwn(table, name)) rest[name] = sent[name] ?? [];
  return { values: values as Values<P>, rest }; // Every name of the table was read above.
}
