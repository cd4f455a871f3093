// Where a feed goes on: an event of the log, opaque to those who keep it and known to nobody else.
import { badRequest, type DomainError } from '../../../platform/errors.ts';

/**
 * A place in the log: the position of an event, and with what its id begins. After a failover or a restored
 * backup positions come again, ids do not. The tag is null for the start of the log, and in tokens that were
 * given before they had one.
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
 * The place after which the feed goes on; null for one that begins now.
 * @throws DomainError `invalid_request` for what is no token
 */
export function markOf(after: string | null): LogMark | null {
  if (after === null) return null;
  if (after === 'start') return START;
  const [, untagged, tagged, tag = null] =
    FORM.exec(Buffer.from(after, 'base64url').toString('latin1')) ?? [];
  const position = untagged ?? tagged;
  const mark = position === undefined ? null : { position, tag };
  if (mark === null || tokenOf(mark) !== after) throw badRequest('`after` is no token of this feed');
  return mark;
}

/**
 * What a reader is told whose place the log does not have: to go on in silence would leave out events, or
 * wait for ever.
 */
export const notReached = (): DomainError =>
  badRequest(
    'the log has no such place as `after`: it lies beyond its end, or is of another log than this one (a failover or a restored backup may have taken events away); begin again, with `start` or without `after`',
    { reason: 'unknown_place' },
  );
