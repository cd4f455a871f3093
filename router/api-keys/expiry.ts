// Parses the expiry of a key.
import { badRequest } from '../../platform/errors.ts';

const ISO = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d)?([.,]\d{1,9})?([Zz]|[+-]\d\d:?\d\d)?)?$/;

/**
 * ISO 8601 with any offset, UTC by default, in the store's form.
 * @throws DomainError `invalid_request` for an invalid time, and for a time in the past
 * (docs/reference/gateway.md#api-key-endpoints) *
 */
export function readExpiry(text: string, now: number = Date.now()): string {
  const [, date, time = '00:00', seconds = ':00', fraction = '', offset = 'Z'] = ISO.exec(text.trim()) ?? [];
  const zone = /^[+-]\d{4}$/.test(offset) ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset.toUpperCase();
  const parsed = date === undefined ? NaN : Date.parse(`${date}T${time}${seconds}${zone}`);
  // Date.parse reads 31 February as a day of March; formatting the result again detects that.
  const sameDay =
    date !== undefined &&
    !Number.isNaN(Date.parse(`${date}T00:00:00Z`)) &&
    new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);
  if (Number.isNaN(parsed) || !sameDay)
    throw badRequest('expires must be an ISO 8601 timestamp', { field: 'expires' });
  if (parsed <= now) throw badRequest('expires is in the past', { field: 'expires' });
  return `${date}T${time}${seconds}${fraction.replace(',', '.')}${zone}`;
}
