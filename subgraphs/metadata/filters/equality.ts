// `==` and `in [literals]` as SQL; on a field of `data` they become containment, which uses the GIN index.
import { isCelList } from '@bufbuild/cel';
import type { CelValue } from '@bufbuild/cel';
import { durationOf, isScalarText, constantText, nested, timestampOf } from '../reading/constants.ts';
import { using } from '../reading/parameters.ts';
import { ERROR, always, asJson, bool } from './sql-values.ts';
import type { ColumnSql, ConstantSql, JsonSql, SqlContext, SqlValue } from './sql-values.ts';
import { compareTime, microseconds } from './times.ts';
import { unsupported } from './unsupported.ts';

/** `data @> {path: value}`: TRUE exactly if the scalar is at the path. */
export const contained = (context: SqlContext, path: readonly string[], text: string): string =>
  using('containment', `${context.columns.data} @> ${context.param(nested(path, text), 'jsonb')}`);

function equalsConstant(context: SqlContext, value: ColumnSql, { value: literal }: ConstantSql): SqlValue {
  const timestamp = timestampOf(literal);
  if (timestamp !== undefined)
    return value.kind === 'time' ? compareTime(context, '=', value, timestamp) : always(false, value);
  const duration = durationOf(literal);
  if (duration !== undefined)
    return value.kind === 'span'
      ? bool(`${value.sql} = ${microseconds(context, duration)}`)
      : always(false, value);
  const text = constantText(literal);
  if (text === null) return always(false, value);
  switch (value.kind) {
    case 'json': {
      const indexable = value.path !== null && value.path.length > 0 && isScalarText(text);
      return bool(
        `${value.sql} = ${context.param(text, 'jsonb')}`,
        indexable ? contained(context, value.path, text) : undefined,
      );
    }
    case 'text':
      return typeof literal === 'string'
        ? bool(`${value.sql} = ${context.param(literal, 'text')}`)
        : always(false, value);
    case 'bool':
      return typeof literal === 'boolean' ? bool(`(${value.sql}) = ${literal}`) : always(false, value);
    case 'number':
      return /^[-\d]/.test(text)
        ? bool(`${value.sql} = ${context.param(text, 'numeric')}`)
        : always(false, value);
    case 'time':
    case 'span':
      return always(false, value);
    default:
      return value satisfies never;
  }
}

/** `a == b`: values of different types are unequal, not an error. */
export function equal(context: SqlContext, a: SqlValue, b: SqlValue): SqlValue {
  if (a.kind === 'error' || b.kind === 'error') return ERROR;
  if (a.kind === 'constant')
    return b.kind === 'constant' ? unsupported('two literals') : equalsConstant(context, b, a);
  if (b.kind === 'constant') return equalsConstant(context, a, b);
  if (a.kind === b.kind) return bool(a.kind === 'bool' ? `(${a.sql}) = (${b.sql})` : `${a.sql} = ${b.sql}`);
  const [one, other] = a.kind === 'json' ? [a, b] : [b, a];
  if (one.kind !== 'json' || other.kind === 'time' || other.kind === 'span') return always(false, a, b);
  return bool(`${one.sql} = ${asJson(context, other)}`);
}

/** Beyond this number, a list of containments costs more to plan than it saves. */
const MAX_CONTAINMENTS = 20;

function anyOf(context: SqlContext, value: JsonSql, texts: readonly string[]): string | undefined {
  const { path } = value;
  if (path === null || path.length === 0 || texts.length > MAX_CONTAINMENTS || !texts.every(isScalarText))
    return undefined;
  return `(${texts.map((text) => contained(context, path, text)).join(' OR ')})`;
}

/** `x in [literals]` */
export function inLiterals(context: SqlContext, value: SqlValue, list: CelValue): SqlValue {
  if (!isCelList(list) || value.kind === 'error') return ERROR;
  const items = [...list];
  switch (value.kind) {
    case 'constant':
      return unsupported('two literals');
    case 'time':
    case 'span':
      return unsupported('a timestamp or duration in a list');
    case 'text': {
      const texts = items.flatMap((item) =>
        typeof item === 'string' && constantText(item) !== null ? [item] : [],
      );
      return texts.length === 0
        ? always(false, value)
        : bool(`${value.sql} = ANY(${context.param(texts, 'text[]')})`);
    }
    default: {
      const texts = items.map(constantText).filter((item) => item !== null);
      if (texts.length === 0) return always(false, value); // NULL = ANY('{}') is false, not NULL
      return bool(
        `${asJson(context, value)} = ANY(${context.param(texts, 'jsonb[]')})`,
        value.kind === 'json' ? anyOf(context, value, texts) : undefined,
      );
    }
  }
}
