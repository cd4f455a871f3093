// Tokens of the change feed: an event of the log, opaque to readers; the server keeps no state for them.
import { badRequest, type DomainError } from '../../../platform/errors.ts';

/**
 * A place in the log: the position of an event, and the beginning of its id. After a failover or a restored
 * backup, positions are assigned again, ids are not. The tag is null for the start of the log, and in tokens
 * from before tags existed.
 */
export interface LogMark {
  readonly position: string;
  readonly tag: string | null;
}

export const START: LogMark = { position: '0', tag: null };

const TAG_LENGTH = 8;
const FORM = /^(?:e1\.(\d{1,18})|e2\.(\d{1,18})\.([0-9a-f]{8}))$/;

/** The place of an event. */
export const markAt = (position: string, id: string): LogMark => ({ position, tag: id.slice(0, TAG_LENGTH) });

/** The token of a place. */
export const tokenOf = ({ position, tag }: LogMark): string =>
  Buffer.from(tag === null ? `e1.${position}` : `e2.${position}.${tag}`).toString('base64url');

/**
 * The place after which the feed continues; null for one that begins now.
 * @throws DomainError `invalid_request` for an invalid token
 */
export function markOf(after: string | null): LogMark | null {
  if (after === null) return null;
  if (after === 'start') return START;
  const [, untagged, tagged, tag = null] =
    FORM.exec(Buffer.from(after, 'base64url').toString('latin1')) ?? [];
  const position = untagged ?? tagged;
  const mark = position === undefined ? null : { position, tag };
  if (mark === null || tokenOf(mark) !== after) throw badRequest('`after` is not a token of this feed');
  return mark;
}

/** The error for a place that the log does not contain: continuing would skip events, or wait for ever. */
export const notReached = (): DomainError =>
  badRequest(
    '`after` is not in the log: it is beyond the end of the log, or belongs to another log (a failover or a restored backup may have removed events); start again with `start` or without `after`',
    { reason: 'unknown_place' },
  );
