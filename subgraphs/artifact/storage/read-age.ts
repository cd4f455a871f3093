// Reads how long ago something is.
import { DomainError } from '../../../platform/errors.ts';

/** Three thousand years: the range of the database's timestamps is limited. */
const MAX_SECONDS = 1e11;

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** `30d`, `12h`, `90m`, `45s`, `2w`, or plain seconds, in seconds. @throws DomainError `invalid_request` */
export function readAge(text: string): number {
  const [, number, unit = 's'] = /^(\d{1,9})([smhdw]?)$/.exec(text) ?? [];
  if (number === undefined)
    throw new DomainError('invalid_request', 'older_than must be a duration such as 30d, 12h, 90m or 45s');
  return Math.min(Number(number) * (UNITS[unit === '' ? 's' : unit] ?? 1), MAX_SECONDS);
}
