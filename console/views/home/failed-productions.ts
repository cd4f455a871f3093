// What Home says of failed productions: those of the last days, since an old one needs nobody any more.
import { plural } from '../../parts/text.ts';

/** How many of the newest are looked at. */
export const LOOKED_AT = 50;
const DAYS = 7;

interface Failed {
  readonly requestedAt: string;
  readonly finishedAt: string | null;
}

/** @param failed the newest ones, at most `LOOKED_AT`. Returns undefined where none is recent */
export function failedText(failed: readonly Failed[], now = Date.now()): string | undefined {
  const recent = failed.filter(
    ({ requestedAt, finishedAt }) => now - Date.parse(finishedAt ?? requestedAt) < DAYS * 86_400_000,
  ).length;
  if (recent === 0) return undefined;
  return `${plural(recent, 'production')}${recent === LOOKED_AT ? ' or more' : ''} failed in the last ${DAYS} days`;
}
