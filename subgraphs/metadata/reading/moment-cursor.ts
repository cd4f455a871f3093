// Cursors of lists in log order: the position of the last row shown, and the moment that is listed.
import { invalid } from '../../../platform/errors.ts';
import { decodeCursor, encodeCursor, encodeCursorAnew } from '../../../platform/paging.ts';
import type { Moment } from './timeline.ts';

/** Of the log. */
export const isPosition = (value: unknown): boolean => typeof value === 'string' && /^\d{1,18}$/.test(value);
/** As cursors have it: empty for the present. */
export const isMoment = (value: unknown): boolean => value === '' || isPosition(value);

export interface FromOn {
  /** The position after which the list begins. */
  readonly after: string;
  /** The cursor's moment, if there is a cursor: it carries its moment with it. */
  readonly at: Moment;
}

/** @throws DomainError `validation_failed` for an invalid cursor */
export function readMomentCursor(cursor: string | null | undefined, at: Moment): FromOn {
  const [after = '0', moment = at ?? ''] = (decodeCursor(cursor, [isPosition, isMoment], invalid) ?? []).map(
    String,
  );
  return { after, at: moment === '' ? null : moment };
}

/** @param position of what the list is ordered by */
export const writeMomentCursor = (position: string | readonly string[], at: Moment): string =>
  at === null ? encodeCursor([position, ''].flat()) : encodeCursorAnew([position, at].flat());
