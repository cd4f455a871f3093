// Tokens of the change feed: an event of the log, sealed, since positions count what others write; the server keeps no state
// for them.
import { badRequest, type DomainError } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/identity.ts';
import { sealAnew, unseal } from '../../../platform/sealed-text.ts';

/**
 * A place in the log: the position of an event, and the beginning of its id. After a failover or a restored
 * backup, positions are assigned again, ids are not. The tag is null for the start of the log.
 */
export interface LogMark {
  readonly position: string;
  readonly tag: string | null;
}

export const START: LogMark = { position: '0', tag: null };

const TAG_LENGTH = 8;
/** The second one is also read without a seal, as it was told before, of those who see all projects. */
const FORM = /^(?:e1\.(0)|e2\.(\d{1,18})\.([0-9a-f]{8}))$/;

/** The place of an event. */
export const markAt = (position: string, id: string): LogMark => ({ position, tag: id.slice(0, TAG_LENGTH) });

/** The token of a place. */
export const tokenOf = (mark: LogMark): string => sealAnew(textOf(mark));

const textOf = ({ position, tag }: LogMark): string =>
  tag === null ? `e1.${position}` : `e2.${position}.${tag}`;

/**
 * The place after which the feed continues; null for one that begins now.
 * @throws DomainError `invalid_request` for an invalid token
 */
export function markOf(after: string | null, { projects }: Pick<Identity, 'projects'>): LogMark | null {
  if (after === null) return null;
  if (after === 'start') return START;
  // who knows two events of their own could find the positions of both by trying, and how much is between them
  const unsealed = projects === '*' ? Buffer.from(after, 'base64url').toString('latin1') : '';
  const text = unseal(after) ?? unsealed;
  const [, start, position = start, tag = null] = FORM.exec(text) ?? [];
  if (position === undefined)
    throw badRequest(
      '`after` is not a token of this feed, or one of a version that did not mark events: start again with `start` or without `after`',
    );
  return { position, tag };
}

/** The error for a place that the log does not contain: continuing would skip events, or wait for ever. */
export const notReached = (): DomainError =>
  badRequest(
    '`after` is not in the log: it is beyond the end of the log, or belongs to another log (a failover or a restored backup may have removed events); start again with `start` or without `after`',
    { reason: 'unknown_place' },
  );
