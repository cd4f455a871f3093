// Reads points in time in requests: ISO 8601 with an offset, exact to the microsecond
// (docs/reference/api-conventions.md#instants). CEL's `timestamp()` does the parsing.
import { formatTimestamp, parseTimestamp } from './cel/timestamps.ts';

/**
 * Seconds are optional. A space may replace the `T`, or a `+` that was decoded as a space in a query string.
 */
const LENIENT = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?([Zz]|[+\- ]\d\d:?\d\d)$/;

/**
 * Returns the instant in UTC with microseconds and `Z`; finer digits are truncated. Null for an invalid
 * instant.
 */
export function canonicalInstant(text: string): string | null {
  const match = LENIENT.exec(text);
  if (match === null) return null;
  const [, date = '', minutes = '', seconds = ':00', zone = ''] = match;
  const offset =
    zone.length === 1 ? 'Z' : `${zone[0] === '-' ? '-' : '+'}${zone.slice(1, 3)}:${zone.slice(-2)}`;
  return exactInstant(`${date}T${minutes}${seconds}${offset}`);
}

/** The same for stored values: only RFC 3339 as CEL's `timestamp()` accepts it. */
export function exactInstant(text: string): string | null {
  try {
    return formatTimestamp(parseTimestamp(text));
  } catch {
    return null; // invalid or not in the calendar; parseTimestamp throws only for these
  }
}

/** A time as the platform writes every timestamp (docs/reference/api-conventions.md#timestamps). */
export const exactTimeText = (at: Date): string => at.toISOString().replace('Z', '000Z');

/** Whether a text is a day of the calendar, from 0001-01-01 to 9999-12-31. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && exactInstant(`${text}T00:00:00Z`) !== null;
