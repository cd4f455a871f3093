// String functions as SQL, on code points and independent of the locale.
import { isWellFormed } from '../reading/constants.ts';
import { regularPattern } from './regular-pattern.ts';
import { ERROR, asText, bool, number, textSql } from './sql-values.ts';
import type { SqlContext, SqlValue } from './sql-values.ts';
import { unsupported } from './unsupported.ts';

type Test = 'contains' | 'startsWith' | 'endsWith';

function test(name: Test, subject: string, part: string, length: string): string {
  switch (name) {
    case 'contains':
      return `strpos((${subject}) COLLATE "C", ${part}) > 0`;
    case 'startsWith':
      return `starts_with((${subject}), ${part})`;
    case 'endsWith':
      return `right((${subject}), ${length}) COLLATE "C" = (${part})`;
    default:
      return name satisfies never;
  }
}

/**
 * Maximum characters of a text that PostgreSQL may search for: in the worst case its search takes the product
 * of both lengths.
 */
const MAX_PART_LENGTH = 64;

/** `a.contains(b)`, `a.startsWith(b)`, `a.endsWith(b)` */
export function stringTest(context: SqlContext, name: Test, a: SqlValue, b: SqlValue): SqlValue {
  if (a.kind === 'error' || b.kind === 'error') return ERROR;
  if (a.kind === 'constant' && typeof a.value === 'string' && !isWellFormed(a.value))
    return unsupported('a string that PostgreSQL cannot hold');
  const subject = asText(context, a);
  if (subject === null) return ERROR;
  if (b.kind === 'constant' && typeof b.value === 'string') {
    if (!isWellFormed(b.value)) return bool(`CASE WHEN (${subject}) IS NOT NULL THEN false END`);
    if (name === 'contains' && b.value.length > MAX_PART_LENGTH)
      return unsupported('a long text to look for');
    return bool(test(name, subject, context.param(b.value, 'text'), String([...b.value].length)));
  }
  if (name === 'contains') return unsupported('a computed text to look for');
  const part = asText(context, b);
  return part === null ? ERROR : bool(test(name, subject, `(${part})`, `char_length(${part})`));
}

/** Literal letters of a regular expression, between optional anchors. */
const PLAIN_PATTERN = /^(\^?)([\p{L}\p{N}_ \-:@/=,;<>'"!%&#~`]*)(\$?)$/u;

/**
 * `a.matches(pattern)`: patterns that are a plain part, beginning, end or whole, and others that PostgreSQL
 * interprets identically.
 */
export function patternTest(context: SqlContext, a: SqlValue, pattern: SqlValue): SqlValue {
  if (pattern.kind !== 'constant' || typeof pattern.value !== 'string') return unsupported('matches');
  const match = PLAIN_PATTERN.exec(pattern.value);
  if (match === null) return regularTest(context, a, pattern.value);
  const literal: SqlValue = { kind: 'constant', value: match[2] ?? '' };
  const [begins, ends] = [match[1] === '^', match[3] === '$'];
  if (!begins || !ends) {
    const unanchored = ends ? 'endsWith' : 'contains';
    return stringTest(context, begins ? 'startsWith' : unanchored, a, literal);
  }
  const subject = a.kind === 'error' ? null : asText(context, a);
  return subject === null
    ? ERROR
    : bool(`(${subject}) COLLATE "C" = ${context.param(match[2] ?? '', 'text')}`);
}

function regularTest(context: SqlContext, a: SqlValue, pattern: string): SqlValue {
  const regular = regularPattern(pattern);
  if (regular === null || (a.kind === 'constant' && typeof a.value === 'string' && !isWellFormed(a.value)))
    return unsupported('matches');
  const subject = a.kind === 'error' ? null : asText(context, a);
  return subject === null ? ERROR : bool(`(${subject}) COLLATE "C" ~ ${context.param(regular, 'text')}`);
}

export function asciiCase(context: SqlContext, name: 'lower' | 'upper', value: SqlValue): SqlValue {
  const subject = value.kind === 'error' ? null : asText(context, value);
  return subject === null ? ERROR : textSql(`${name}((${subject}) COLLATE "C")`);
}

/** Whether the value can only be a string. */
const isText = (value: SqlValue): boolean =>
  value.kind === 'text' || (value.kind === 'constant' && typeof value.value === 'string');

/** `a + b` if one of them is certainly a string; null for other sums. */
export function concatenated(context: SqlContext, a: SqlValue, b: SqlValue): SqlValue | null {
  if (!isText(a) && !isText(b)) return null;
  const left = asText(context, a);
  const right = asText(context, b);
  return left === null || right === null ? ERROR : textSql(`((${left}) || (${right}))`);
}

/** `size(x)`: characters of a string, items of a list, keys of an object. */
export function sizeSql(value: SqlValue): SqlValue {
  switch (value.kind) {
    case 'text':
      return number(`char_length(${value.sql})::numeric`);
    case 'json':
      return number(
        `(CASE jsonb_typeof(${value.sql}) WHEN 'string' THEN char_length(${value.sql} #>> '{}') WHEN 'array' THEN jsonb_array_length(${value.sql}) ` +
          `WHEN 'object' THEN (SELECT count(*) FROM jsonb_object_keys(${value.sql})) END)::numeric`,
      );
    case 'constant':
      return unsupported('the size of a literal');
    default:
      return ERROR;
  }
}
