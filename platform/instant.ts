// Points in time as callers send them: ISO 8601 with an offset, read exactly, to the microsecond (contract 0).
import { formatTimestamp, parseTimestamp } from './cel/timestamps.ts';

/** Seconds may be left out; a space may stand for the `T`, or for the `+` that a query string swallowed. */
const LENIENT = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?([Zz]|[+\- ]\d\d:?\d\d)$/;

/** The instant in UTC with microseconds and `Z`, finer digits cut off; null for what is no instant. */
export function canonicalInstant(text: string): string | null {
  const match = LENIENT.exec(text);
  if (match === null) return null;
  const [, date = '', minutes = '', seconds = ':00', zone = ''] = match;
  const offset = zone.length === 1 ? 'Z' : `${zone[0] === '-' ? '-' : '+'}${zone.slice(1, 3)}:${zone.slice(-2)}`;
  try {
    return formatTimestamp(parseTimestamp(`${date}T${minutes}${seconds}${offset}`));
  } catch {
    return null; // it has the form of an instant, but is none of the calendar: what parseTimestamp throws says only that
  }
}
