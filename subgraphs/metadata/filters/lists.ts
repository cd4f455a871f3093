// Fields, positions and membership as SQL.
import {
  constantText,
  durationOf,
  isScalarText,
  isWellFormed,
  numberOf,
  timestampOf,
} from '../reading/constants.ts';
import { contained, inLiterals } from './equality.ts';
import { using } from '../reading/parameters.ts';
import { ERROR, asJson, bool, json } from './sql-values.ts';
import type { JsonSql, SqlContext, SqlValue } from './sql-values.ts';
import { unsupported } from './unsupported.ts';

/** `base.field` */
export function field(context: SqlContext, base: SqlValue, name: string): SqlValue {
  if (base.kind === 'constant') return unsupported('a field of a literal');
  if (base.kind !== 'json' || !isWellFormed(name)) return ERROR;
  return json(
    `(${base.sql} -> ${context.param(name, 'text')})`,
    base.path === null ? null : [...base.path, name],
  );
}

/** `has(base.field)`: false for an object without it, an error for anything but an object. */
export function hasField(context: SqlContext, base: SqlValue, name: string): SqlValue {
  if (base.kind === 'constant') return unsupported('has() on a literal');
  if (base.kind !== 'json') return ERROR;
  const present = isWellFormed(name)
    ? `(${base.sql} -> ${context.param(name, 'text')}) IS NOT NULL`
    : 'false';
  return bool(
    base.path?.length === 0 ? present : `CASE WHEN jsonb_typeof(${base.sql}) = 'object' THEN ${present} END`,
  );
}

/** `base[key]` with a literal key */
export function at(context: SqlContext, base: SqlValue, key: SqlValue): SqlValue {
  if (base.kind === 'error' || key.kind === 'error') return ERROR;
  if (base.kind === 'constant') return unsupported('an index into a literal');
  if (base.kind !== 'json') return ERROR;
  if (key.kind !== 'constant') return unsupported('a computed index');
  if (typeof key.value === 'string') return field(context, base, key.value);
  const index = numberOf(key.value);
  if (index === undefined || !Number.isInteger(index) || index < 0 || index > 2_147_483_647) return ERROR;
  return json(`(CASE WHEN jsonb_typeof(${base.sql}) = 'array' THEN ${base.sql} -> ${index} END)`);
}

const whereArray = (list: JsonSql, truth: string): string =>
  `CASE WHEN jsonb_typeof(${list.sql}) = 'array' THEN ${truth} END`;

function someItem(context: SqlContext, list: JsonSql, item: string): string {
  const alias = context.newAlias();
  return `EXISTS (SELECT 1 FROM jsonb_array_elements(${list.sql}) AS ${alias}(v) WHERE ${alias}.v = ${item})`;
}

/** `item in list`; objects are not lists (docs/reference/cel.md#lists-only). */
export function isIn(context: SqlContext, item: SqlValue, list: SqlValue): SqlValue {
  if (item.kind === 'error' || list.kind === 'error') return ERROR;
  if (list.kind === 'constant') return inLiterals(context, item, list.value);
  if (list.kind !== 'json' || list.path?.length === 0) return ERROR;
  if (item.kind !== 'constant') {
    if (item.kind !== 'json' && item.kind !== 'text') return unsupported('a computed value in a list');
    const value = asJson(context, item);
    return bool(
      `CASE WHEN (${item.sql}) IS NOT NULL THEN ${whereArray(list, someItem(context, list, value))} END`,
    );
  }
  if (timestampOf(item.value) !== undefined || durationOf(item.value) !== undefined)
    return bool(whereArray(list, 'false'));
  const literal = constantText(item.value);
  if (literal === null) return bool(whereArray(list, 'false'));
  if (!isScalarText(literal))
    return bool(whereArray(list, someItem(context, list, context.param(literal, 'jsonb'))));
  const contains = using('containment', `${list.sql} @> ${context.param(`[${literal}]`, 'jsonb')}`);
  const indexed = list.path === null ? undefined : contained(context, list.path, `[${literal}]`);
  return bool(whereArray(list, contains), indexed);
}
