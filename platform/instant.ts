// Points in time as callers send them: ISO 8601 with an offset, read exactly, to the microsecond (contract 0). All that reads one goes by CEL's `timestamp()`.
import { formatTimestamp, parseTimestamp } from './cel/timestamps.ts';

/** Seconds may be left out; a space may stand for the `T`, or for the `+` that a query string swallowed. */
const LENIENT = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?([Zz]|[+\- ]\d\d:?\d\d)$/;

/** The instant in UTC with microseconds and `Z`, finer digits cut off; null for what is no instant. */
export function canonicalInstant(text: string): string | null {
  const match = LENIENT.exec(text);
  if (match === null) return null;
  const [, date = '', minutes = '', seconds = ':00', zone = ''] = match;
  const offset =
    zone.length === 1 ? 'Z' : `${zone[0] === '-' ? '-' : '+'}${zone.slice(1, 3)}:${zone.slice(-2)}`;
  return exactInstant(`${date}T${minutes}${seconds}${offset}`);
}

/** The same for what is stored: nothing but RFC 3339 as CEL's `timestamp()` reads it. */
export function exactInstant(text: string): string | null {
  try {
    return formatTimestamp(parseTimestamp(text));
  } catch {
    return null; // it is none, or none of the calendar: what parseTimestamp throws says only that
  }
}

/** Whether a text is a day of the calendar, from 0001-01-01 to 9999-12-31. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && exactInstant(`${text}T00:00:00Z`) !== null;
