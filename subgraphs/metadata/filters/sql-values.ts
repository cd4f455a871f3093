// The values of an expression as SQL text that is NULL exactly where CEL has an error.
import type { CelNode } from '../../../platform/cel/syntax.ts';
import type { CelValue } from '@bufbuild/cel';
import type { FilterColumns } from './columns.ts';
import { constantText } from '../reading/constants.ts';
import type { SqlType } from '../reading/parameters.ts';
import { unsupported } from './unsupported.ts';

interface Sql {
  readonly sql: string;
  /** Whether it can be NULL, which means an error. */
  readonly nullable: boolean;
}
/** jsonb */
export interface JsonSql extends Sql {
  readonly kind: 'json';
  /** The keys that lead from `data` to it, if it is reached that way. */
  readonly path: readonly string[] | null;
}
export interface BoolSql extends Sql {
  readonly kind: 'bool';
  /** Cheaper SQL where only TRUE matters: TRUE in the same rows, but FALSE or NULL in any others. */
  readonly whereTrue?: string;
}
export interface TextSql extends Sql {
  readonly kind: 'text';
}
/** numeric */
export interface NumberSql extends Sql {
  readonly kind: 'number';
}
/** timestamptz */
export interface TimeSql extends Sql {
  readonly kind: 'time';
}
/** interval */
export interface SpanSql extends Sql {
  readonly kind: 'span';
}
/** Constant for all rows. */
export interface ConstantSql {
  readonly kind: 'constant';
  readonly value: CelValue;
}
/** An error in every row. */
export interface ErrorSql {
  readonly kind: 'error';
}

export type ColumnSql = JsonSql | BoolSql | TextSql | NumberSql | TimeSql | SpanSql;
export type SqlValue = ColumnSql | ConstantSql | ErrorSql;

/** The parts of the compiler that its modules share. */
export interface SqlContext {
  readonly columns: FilterColumns;
  value(node: CelNode): SqlValue;
  param(value: string | readonly string[], type: SqlType): string;
  /** An unused name for a row of a subselect. */
  newAlias(): string;
  /** Runs `body` with a macro's variable bound. */
  withVariable<T>(name: string, value: JsonSql, body: () => T): T;
}

/**
 * Parts are repeated in the result (a type test and the value), so deep expressions would grow without bound.
 */
const MAX_TERM_LENGTH = 8000;
const sized = (sql: string): string =>
  sql.length > MAX_TERM_LENGTH ? unsupported('the SQL would be too long') : sql;

export const ERROR: ErrorSql = { kind: 'error' };
export const bool = (sql: string, whereTrue?: string): BoolSql =>
  whereTrue === undefined
    ? { kind: 'bool', sql: sized(sql), nullable: true }
    : { kind: 'bool', sql: sized(sql), nullable: true, whereTrue: sized(whereTrue) };
export const json = (sql: string, path: readonly string[] | null = null): JsonSql => ({
  kind: 'json',
  sql: sized(sql),
  nullable: true,
  path,
});
export const textSql = (sql: string): TextSql => ({ kind: 'text', sql: sized(sql), nullable: true });
export const number = (sql: string): NumberSql => ({ kind: 'number', sql: sized(sql), nullable: true });
export const time = (sql: string): TimeSql => ({ kind: 'time', sql: sized(sql), nullable: true });
export const span = (sql: string): SpanSql => ({ kind: 'span', sql: sized(sql), nullable: true });

/** `truth` if none of the values is an error. */
export function always(truth: boolean, ...values: readonly SqlValue[]): BoolSql | ErrorSql {
  if (values.some((value) => value.kind === 'error')) return ERROR;
  const conditions = values.flatMap((value) =>
    value.kind === 'constant' || value.kind === 'error' || !value.nullable
      ? []
      : [`(${value.sql}) IS NOT NULL`],
  );
  return bool(
    conditions.length === 0 ? String(truth) : `CASE WHEN ${conditions.join(' AND ')} THEN ${truth} END`,
  );
}

/** The value as a boolean: NULL for other types. */
export function asBool(value: SqlValue): string {
  switch (value.kind) {
    case 'bool':
      return value.sql;
    case 'constant':
      return typeof value.value === 'boolean' ? String(value.value) : 'NULL::boolean';
    case 'json':
      return sized(`CASE WHEN jsonb_typeof(${value.sql}) = 'boolean' THEN ${value.sql} = 'true'::jsonb END`);
    default:
      return 'NULL::boolean';
  }
}

/** The value as text, NULL for other types; null if it is never a string. */
export function asText(context: SqlContext, value: SqlValue): string | null {
  switch (value.kind) {
    case 'text':
      return value.sql;
    case 'json':
      return sized(`CASE WHEN jsonb_typeof(${value.sql}) = 'string' THEN ${value.sql} #>> '{}' END`);
    case 'constant':
      return typeof value.value === 'string' ? context.param(value.value, 'text') : null;
    default:
      return null;
  }
}

/** The value as numeric, NULL for other types. */
export const asNumber = (value: JsonSql | NumberSql): string =>
  value.kind === 'number'
    ? value.sql
    : sized(`CASE WHEN jsonb_typeof(${value.sql}) = 'number' THEN (${value.sql})::numeric END`);

/** The value as jsonb. */
export function asJson(context: SqlContext, value: SqlValue): string {
  switch (value.kind) {
    case 'json':
      return value.sql;
    case 'text':
    case 'bool':
    case 'number':
      return `to_jsonb(${value.sql})`;
    case 'constant': {
      const literal = constantText(value.value);
      return literal === null
        ? unsupported('a literal that JSON cannot hold')
        : context.param(literal, 'jsonb');
    }
    default:
      return unsupported('a timestamp or duration among JSON values');
  }
}
