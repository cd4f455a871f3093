// The intervals in which a chart puts numbers and times together (docs/reference/metadata.md#intervals).
import { isNumeric } from '../../parts/field-kind.ts';

const PERIODS = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
type Period = (typeof PERIODS)[number];
const WIDTHS = ['1', '5', '10', '50', '100', '1000'] as const;
/** The choice of no interval, where a chart has one by itself. */
export const EACH_VALUE = 'each value';

export const isTime = (type: string): boolean => type === 'date' || type === 'datetime';
const isPeriod = (text: string): text is Period => PERIODS.some((period) => period === text);

/** What can be chosen for a field of the type; nothing where values are only taken as they are. */
export function intervalsOf(type: string): readonly string[] {
  if (isNumeric({ type })) return WIDTHS;
  if (!isTime(type)) return [];
  return type === 'date' ? PERIODS.filter((period) => period !== 'hour') : PERIODS;
}

/** The name by which a field is grouped. */
export const groupedBy = (field: string, interval: string | undefined): string =>
  interval === undefined ? field : `${field}:${interval}`;

const DAY = 86_400_000;
/** Days that a period has at least. */
const SHORTEST: Readonly<Record<Period, number>> = {
  hour: 1 / 24,
  day: 1,
  week: 7,
  month: 28,
  quarter: 90,
  year: 365,
};

/** The shortest period of which `most` reach from the one time to the other. */
export function periodWithin(from: string, to: string, type: string, most: number): string {
  const days = (Date.parse(to) - Date.parse(from)) / DAY;
  const periods = intervalsOf(type).filter(isPeriod);
  return periods.find((period) => Math.ceil(days / SHORTEST[period]) + 1 <= most) ?? 'year';
}

/** The beginning of the next interval, in the form of the key of the one that begins there; undefined for what is none. */
export function nextOf(start: string, interval: string): string | undefined {
  if (!isPeriod(interval)) {
    const next = Number(start) + Number(interval);
    return Number.isFinite(next) ? String(next) : undefined;
  }
  const time = new Date(start);
  if (Number.isNaN(time.getTime())) return undefined;
  if (interval === 'hour') time.setUTCHours(time.getUTCHours() + 1);
  else if (interval === 'day' || interval === 'week')
    time.setUTCDate(time.getUTCDate() + (interval === 'day' ? 1 : 7));
  else time.setUTCMonth(time.getUTCMonth() + { month: 1, quarter: 3, year: 12 }[interval]);
  const iso = time.toISOString();
  return start.includes('T') ? iso.replace('.000Z', 'Z') : iso.slice(0, 10);
}

const format = (options: Intl.DateTimeFormatOptions): ((time: Date) => string) => {
  const made = new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' });
  return (time) => made.format(time);
};
const DATE = format({ dateStyle: 'medium' });
const TEXTS: Readonly<Record<Period, (time: Date) => string>> = {
  hour: format({ dateStyle: 'medium', timeStyle: 'short' }),
  day: DATE,
  week: (time) => `week of ${DATE(time)}`,
  month: format({ month: 'short', year: 'numeric' }),
  quarter: (time) => `Q${Math.floor(time.getUTCMonth() / 3) + 1} ${time.getUTCFullYear()}`,
  year: (time) => String(time.getUTCFullYear()),
};
const INSTANT = format({ dateStyle: 'medium', timeStyle: 'medium' });

/** A value, or the beginning of an interval, for people: periods are in UTC. */
export function labelOf(value: string, type: string, interval: string | undefined): string {
  if (!isTime(type)) {
    const next = interval === undefined ? undefined : nextOf(value, interval);
    return next === undefined || interval === '1' ? value : `${value} to ${next}`;
  }
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) return value; // of a past state, which may have another kind
  if (interval !== undefined && isPeriod(interval)) return TEXTS[interval](time);
  return type === 'date' ? DATE(time) : INSTANT(time);
}

interface Labelled {
  readonly label: string | undefined;
}

/**
 * Bars in order of time with those in between of which there is nothing; as they are where these would be more than `most`.
 */
export function withGaps<Bar extends Labelled>(
  bars: readonly Bar[],
  interval: string,
  most: number,
  nothing: (label: string) => Bar,
): readonly Bar[] {
  const all: Bar[] = [];
  for (const bar of bars) {
    let next = all.at(-1)?.label === undefined ? undefined : nextOf(all.at(-1)?.label ?? '', interval);
    while (next !== undefined && bar.label !== undefined && next < bar.label) {
      if (all.length >= most) return bars;
      all.push(nothing(next));
      next = nextOf(next, interval);
    }
    all.push(bar);
  }
  return all;
}
