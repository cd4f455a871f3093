// Where a feed goes on: a position of the log, opaque to those who keep it and known to nobody else.
import { badRequest } from '../../../platform/errors.ts';

const PREFIX = 'e1.';

/** The token of the event at a position. */
export const tokenAt = (position: string): string => Buffer.from(PREFIX + position).toString('base64url');

/** The position after which the feed goes on; null for one that begins now. @throws DomainError `invalid_request` for what is no token */
export function positionOf(after: string | null): string | null {
  if (after === null) return null;
  if (after === 'start') return '0';
  const text = Buffer.from(after, 'base64url').toString('latin1');
  const position = text.slice(PREFIX.length);
  if (!text.startsWith(PREFIX) || !/^\d{1,18}$/.test(position) || tokenAt(position) !== after) throw badRequest('`after` is no token of this feed');
  return position;
}
