// Parses cron expressions (docs/reference/workflow.md#cron-expressions: five fields, six with seconds, in a
// time zone).
import { CronExpressionParser } from 'cron-parser';

/** The fault of an expression, as text; null if there is none. */
export function faultOfCron(expression: string, timezone: string): string | null {
  const fields = expression.trim().split(/\s+/);
  if (expression.trim().startsWith('@')) return 'must be a cron expression of five or six fields';
  if (fields.length !== 5 && fields.length !== 6)
    return `must have five fields, or six with seconds, not ${fields.length}`;
  if (/\bH\b/i.test(expression))
    return 'must not contain H (a random value), because each process would choose another time';
  try {
    CronExpressionParser.parse(expression, { tz: timezone }).next();
    return null;
  } catch (error) {
    return `is not a cron expression: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The ticks after `after` and up to `until`, in order. */
export function* ticksBetween(
  expression: string,
  timezone: string,
  after: Date,
  until: Date,
): Generator<Date, void, undefined> {
  const ticks = ticksFrom(expression, timezone, after);
  for (let tick = ticks(); tick !== null && tick <= until; tick = ticks()) yield tick;
}

/** Maximum ticks that are enumerated; beyond that, only the latest thousand are. */
const MAX_TICKS = 2000;
const LATEST = 1000;

/**
 * The ticks after `after` and up to `now`, at most the latest thousand, and the first one after `now`, null
 * if there is none. Enumerated from the tick before, because the parser gives another answer for a single
 * moment inside the hour that daylight saving skips or repeats.
 */
export function ticksSince(
  expression: string,
  timezone: string,
  after: Date,
  now: Date,
): { readonly latest: readonly Date[]; readonly next: Date | null } {
  const begin = ticksFrom(expression, timezone, after);
  const [first, second] = [begin(), begin()];
  if (first === null || first > now) return { latest: [], next: first };
  if (second === null || second > now) return { latest: [first], next: second };
  const period = second.getTime() - first.getTime();
  const isLong = (now.getTime() - first.getTime()) / period > MAX_TICKS;
  const ticks = ticksFrom(expression, timezone, isLong ? new Date(now.getTime() - LATEST * period) : second);
  const latest = isLong ? [second] : [first, second];
  for (let next = ticks(); ; next = ticks()) {
    if (next === null || next > now) return { latest: latest.slice(-LATEST), next };
    latest.push(next);
    if (latest.length > MAX_TICKS) latest.splice(0, LATEST);
  }
}

/** Enumerates ticks; null if there is none within the parser's horizon, for which it throws its own error. */
function ticksFrom(expression: string, timezone: string, after: Date): () => Date | null {
  const parsed = CronExpressionParser.parse(expression, { tz: timezone, currentDate: after });
  return () => {
    try {
      return parsed.next().toDate();
    } catch (error) {
      if (error instanceof Error && /iterat|loop|out of/i.test(error.message)) return null;
      throw error;
    }
  };
}
