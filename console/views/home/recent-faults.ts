// What Home says of failed productions and refused rows: those of the last days, since old ones need nobody any
// more.
import { plural } from '../../parts/text.ts';

/** How many of the newest are looked at. */
export const LOOKED_AT = 50;
const DAYS = 7;

const isRecent = (iso: string, now: number): boolean => now - Date.parse(iso) < DAYS * 86_400_000;

interface Failed {
  readonly requestedAt: string;
  readonly finishedAt: string | null;
}

/** @param failed the newest ones, at most `LOOKED_AT`. Returns undefined where none is recent */
export function failedText(failed: readonly Failed[], now = Date.now()): string | undefined {
  const recent = failed.filter(({ requestedAt, finishedAt }) =>
    isRecent(finishedAt ?? requestedAt, now),
  ).length;
  if (recent === 0) return undefined;
  return `${plural(recent, 'production')}${recent === LOOKED_AT ? ' or more' : ''} failed in the last ${DAYS} days`;
}

interface Refusing {
  readonly queuedAt: string;
  readonly recordsFailed: number;
}

/** @param runs the newest ones that were partly successful, at most `LOOKED_AT`. Returns undefined where none is recent */
export function refusedText(runs: readonly Refusing[], now = Date.now()): string | undefined {
  const recent = runs.filter(({ queuedAt, recordsFailed }) => recordsFailed > 0 && isRecent(queuedAt, now));
  if (recent.length === 0) return undefined;
  const rows = recent.reduce((sum, { recordsFailed }) => sum + recordsFailed, 0);
  const more = recent.length === LOOKED_AT ? ' or more' : '';
  return `${plural(rows, 'row')}${more} of ${plural(recent.length, 'run')}${more} ${rows === 1 ? 'was' : 'were'} refused in the last ${DAYS} days`;
}
