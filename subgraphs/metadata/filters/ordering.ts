// `<`, `<=`, `>`, `>=` as SQL: strings by code points, numbers by value, other types are an error.
import { durationOf, isWellFormed, numberOf, timestampOf } from '../reading/constants.ts';
import { ERROR, always, asBool, asNumber, asText, bool } from './sql-values.ts';
import type { ColumnSql, ConstantSql, SqlContext, SqlValue } from './sql-values.ts';
import { isShorterThanKeys, keyOf, numberKeySql, textKeySql } from '../schema-model/field-index.ts';
import { compareTime, microseconds } from './times.ts';
import { unsupported } from './unsupported.ts';

export type Comparison = '<' | '<=' | '>' | '>=';
const MIRRORED: Readonly<Record<Comparison, Comparison>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

function comparesNumber(
  context: SqlContext,
  operator: Comparison,
  value: ColumnSql,
  literal: number,
): SqlValue {
  if (Number.isNaN(literal))
    return value.kind === 'json' || value.kind === 'number'
      ? bool(`CASE WHEN ${asNumber(value)} IS NOT NULL THEN false END`)
      : ERROR;
  if (!Number.isFinite(literal)) return unsupported('an infinite number');
  if (value.kind === 'number')
    return bool(`${value.sql} ${operator} ${context.param(String(literal), 'numeric')}`);
  if (value.kind !== 'json') return ERROR;
  // compared as jsonb, which never fails, unlike a cast; and as an index over the field stores it
  return bool(`${numberKeySql(value.sql)} ${operator} ${context.param(JSON.stringify(literal), 'jsonb')}`);
}

function comparesConstant(
  context: SqlContext,
  operator: Comparison,
  value: ColumnSql,
  { value: literal }: ConstantSql,
): SqlValue {
  const timestamp = timestampOf(literal);
  if (timestamp !== undefined)
    return value.kind === 'time' ? compareTime(context, operator, value, timestamp) : ERROR;
  const duration = durationOf(literal);
  if (duration !== undefined)
    return value.kind === 'span'
      ? bool(`${value.sql} ${operator} ${microseconds(context, duration)}`)
      : ERROR;
  const number = numberOf(literal);
  if (number !== undefined) return comparesNumber(context, operator, value, number);
  if (typeof literal === 'boolean')
    return value.kind === 'bool' || value.kind === 'json'
      ? bool(`(${asBool(value)}) ${operator} ${literal}`)
      : ERROR;
  if (typeof literal !== 'string') return ERROR;
  const text = asText(context, value);
  if (text === null) return ERROR;
  if (!isWellFormed(literal)) return unsupported('a string that PostgreSQL cannot hold');
  const compared = `(${text}) COLLATE "C" ${operator} ${context.param(literal, 'text')}`;
  if (value.kind !== 'json' || value.path?.length !== 1) return bool(compared);
  // the expression of an index over the field; it holds the beginning of a text, which decides where the
  // literal is shorter than that
  const key = `${textKeySql(value.sql)} COLLATE "C"`;
  return bool(
    compared,
    isShorterThanKeys(literal)
      ? `${key} ${operator} ${context.param(literal, 'text')}`
      : `(${key} ${operator.startsWith('<') ? '<=' : '>='} ${context.param(keyOf(literal), 'text')} AND ${compared})`,
  );
}

/** `a < b` and the like. */
export function compare(context: SqlContext, operator: Comparison, a: SqlValue, b: SqlValue): SqlValue {
  if (a.kind === 'error' || b.kind === 'error') return ERROR;
  if (a.kind === 'constant')
    return b.kind === 'constant'
      ? unsupported('two literals')
      : comparesConstant(context, MIRRORED[operator], b, a);
  if (b.kind === 'constant') return comparesConstant(context, operator, a, b);
  if (a.kind === 'json' && b.kind === 'json') {
    return bool(
      `CASE WHEN jsonb_typeof(${a.sql}) = jsonb_typeof(${b.sql}) THEN CASE jsonb_typeof(${a.sql}) ` +
        `WHEN 'number' THEN ${a.sql} ${operator} ${b.sql} WHEN 'boolean' THEN ${a.sql} ${operator} ${b.sql} ` +
        `WHEN 'string' THEN (${a.sql} #>> '{}') COLLATE "C" ${operator} (${b.sql} #>> '{}') END END`,
    );
  }
  const kind = a.kind === 'json' ? b.kind : a.kind;
  if (a.kind !== 'json' && b.kind !== 'json' && a.kind !== b.kind) return ERROR;
  switch (kind) {
    case 'text':
      return bool(`(${asText(context, a)}) COLLATE "C" ${operator} (${asText(context, b)})`);
    case 'bool':
      return bool(`(${asBool(a)}) ${operator} (${asBool(b)})`);
    case 'number':
      return compareNumbers(operator, a, b);
    default:
      // timestamps and durations
      return a.kind === b.kind ? bool(`(${a.sql}) ${operator} (${b.sql})`) : ERROR;
  }
}

const compareNumbers = (operator: Comparison, a: ColumnSql, b: ColumnSql): SqlValue =>
  (a.kind === 'json' || a.kind === 'number') && (b.kind === 'json' || b.kind === 'number')
    ? bool(`(${asNumber(a)}) ${operator} (${asNumber(b)})`)
    : always(false, a, b);
