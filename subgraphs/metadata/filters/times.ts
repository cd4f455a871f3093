// Timestamps and durations as SQL, to the microsecond, in UTC whatever the session's time zone is.
import type { Duration, Timestamp } from '@bufbuild/protobuf/wkt';
import { durationOf, timestampOf } from '../reading/constants.ts';
import { ERROR, always, bool, number, span, time } from './sql-values.ts';
import type { SqlContext, SqlValue, TimeSql } from './sql-values.ts';
import { formatTimestamp } from '../../../platform/cel/timestamps.ts';
import { unsupported } from './unsupported.ts';

/** A constant as an interval parameter. @throws Unsupported for fractions of a microsecond */
export function microseconds(context: SqlContext, { seconds, nanos }: Duration): string {
  if (nanos % 1000 !== 0) return unsupported('a duration finer than a microsecond');
  return context.param(`${seconds * 1_000_000n + BigInt(nanos / 1000)} microseconds`, 'interval');
}

const instant = (context: SqlContext, timestamp: Timestamp): string =>
  context.param(formatTimestamp(timestamp), 'timestamptz');

/** A comparison with a time finer than a microsecond, after its finer digits were truncated. */
const OF_CUT: Readonly<Partial<Record<string, string>>> = { '<': '<=', '>=': '>' };

/** A column against a constant; the operator compensates for truncated digits of the constant. */
export function compareTime(
  context: SqlContext,
  operator: '=' | '<' | '<=' | '>' | '>=',
  column: TimeSql,
  timestamp: Timestamp,
): SqlValue {
  const cut = timestamp.nanos % 1000 !== 0;
  if (cut && operator === '=') return always(false, column);
  const adjusted = (cut ? OF_CUT[operator] : undefined) ?? operator;
  return bool(`${column.sql} ${adjusted} ${instant(context, timestamp)}`);
}

const inRange = (sql: string): TimeSql =>
  time(
    `(CASE WHEN ${sql} BETWEEN '0001-01-01T00:00:00Z'::timestamptz AND '9999-12-31T23:59:59.999999Z'::timestamptz THEN ${sql} END)`,
  );

/** A time column, or a constant with microsecond precision; null for anything else. */
function asTime(context: SqlContext, value: SqlValue): string | null {
  if (value.kind === 'time') return value.sql;
  const timestamp = value.kind === 'constant' ? timestampOf(value.value) : undefined;
  return timestamp !== undefined && timestamp.nanos % 1000 === 0 ? instant(context, timestamp) : null;
}

const durationIn = (value: SqlValue): Duration | undefined =>
  value.kind === 'constant' ? durationOf(value.value) : undefined;

/** A duration is 64 bits of nanoseconds: 292 years. */
const MAX_DURATION = '9223372036854775 microseconds';

/** `a - b` */
export function minus(context: SqlContext, a: SqlValue, b: SqlValue): SqlValue {
  const duration = durationIn(b);
  if (a.kind === 'time' && duration !== undefined)
    return inRange(`(${a.sql} - ${microseconds(context, duration)})`);
  const left = asTime(context, a);
  const right = asTime(context, b);
  if (left === null || right === null) return unsupported('arithmetic');
  return span(
    `(CASE WHEN (${left} - ${right}) BETWEEN -'${MAX_DURATION}'::interval AND '${MAX_DURATION}'::interval THEN (${left} - ${right}) END)`,
  );
}

/** `timestamp + duration`, in either order; null for other sums. */
export function timePlus(context: SqlContext, a: SqlValue, b: SqlValue): SqlValue | null {
  const [column, other] = b.kind === 'time' ? [b, a] : [a, b];
  const duration = durationIn(other);
  return column.kind === 'time' && duration !== undefined
    ? inRange(`(${column.sql} + ${microseconds(context, duration)})`)
    : null;
}

const ACCESSORS: Readonly<Record<string, (utc: string) => string>> = {
  getFullYear: (utc) => `extract(year from ${utc})`,
  getMonth: (utc) => `extract(month from ${utc}) - 1`,
  getDate: (utc) => `extract(day from ${utc})`,
  getDayOfMonth: (utc) => `extract(day from ${utc}) - 1`,
  getDayOfWeek: (utc) => `extract(dow from ${utc})`,
  getDayOfYear: (utc) => `extract(doy from ${utc}) - 1`,
  getHours: (utc) => `extract(hour from ${utc})`,
  getMinutes: (utc) => `extract(minute from ${utc})`,
  getSeconds: (utc) => `floor(extract(second from ${utc}))`,
  getMilliseconds: (utc) => `floor(extract(milliseconds from ${utc}))::numeric % 1000`,
};

/** `created_at.getHours()` and the like; null for other functions. */
export function accessor(name: string, value: SqlValue, argumentCount: number): SqlValue | null {
  const read = ACCESSORS[name];
  if (read === undefined) return null;
  if (value.kind === 'span' || value.kind === 'constant')
    return unsupported('a part of a duration or literal');
  if (value.kind !== 'time') return ERROR;
  return argumentCount > 0
    ? unsupported('a time zone')
    : number(`(${read(`(${value.sql} AT TIME ZONE 'UTC')`)})`);
}
