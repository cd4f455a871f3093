// The intervals in which a chart puts numbers and times together (docs/reference/metadata.md#intervals).
import { isNumeric } from '../../parts/field-kind.ts';

const PERIODS = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
type Period = (typeof PERIODS)[number];
const WIDTHS = ['1', '5', '10', '50', '100', '1000'] as const;
const SMALL_WIDTHS = ['0.01', '0.1'] as const;
/** The choice of no interval, where a chart has one by itself. */
export const EACH_VALUE = 'each value';

export const isTime = (type: string): boolean => type === 'date' || type === 'datetime';
const isPeriod = (text: string): text is Period => PERIODS.some((period) => period === text);

/** What can be chosen for a field of the type; nothing where values are only taken as they are. */
export function intervalsOf(type: string): readonly string[] {
  if (isNumeric({ type })) return type === 'int' ? WIDTHS : [...SMALL_WIDTHS, ...WIDTHS];
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

/** Digits that a width has at most before and after its point (docs/reference/metadata.md#intervals). */
const DIGITS = 15;

/** The least of 1, 2, 5, 10 and so on, of floats also of 0.5, 0.2 and so on, of which `most` hold both numbers; undefined for none. */
export function widthWithin(from: number, to: number, type: string, most: number): string | undefined {
  const least = to > from ? Math.floor(Math.log10((to - from) / most)) : 0;
  const first = type === 'int' ? Math.max(0, least) : Math.max(-DIGITS, least);
  for (let exponent = first; exponent < DIGITS; exponent++)
    for (const digit of [1, 2, 5]) {
      const text =
        exponent < 0 ? `0.${String(digit).padStart(-exponent, '0')}` : `${digit}${'0'.repeat(exponent)}`;
      const width = Number(text);
      if (Math.floor(to / width) - Math.floor(from / width) < most) return text;
    }
  return undefined;
}

/** The interval that suits a field of which these are the ends: values as they are where none does. */
export function suiting(from: unknown, to: unknown, type: string, most: number): string | undefined {
  if (typeof from === 'number' && typeof to === 'number') return widthWithin(from, to, type, most);
  if (typeof from === 'string' && typeof to === 'string') return periodWithin(from, to, type, most);
  return undefined;
}

/** The beginning of the next interval, in the form of the key of the one that begins there; undefined for what is none. */
export function nextOf(start: string, interval: string): string | undefined {
  if (!isPeriod(interval)) {
    // without what binary fractions add
    const next = Number((Number(start) + Number(interval)).toPrecision(15));
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
const NUMBER = new Intl.NumberFormat(undefined, { useGrouping: 'min2', maximumFractionDigits: DIGITS });
const INSTANT = format({ dateStyle: 'medium', timeStyle: 'medium' });

/** A value, or the beginning of an interval, for people: periods are in UTC. */
export function labelOf(value: string, type: string, interval: string | undefined): string {
  if (!isTime(type)) {
    const next = interval === undefined ? undefined : nextOf(value, interval);
    if (next === undefined) return value;
    const [first, last] = [Number(value), Number(next) - (type === 'int' ? 1 : 0)];
    return first === last ? NUMBER.format(first) : `${NUMBER.format(first)} to ${NUMBER.format(last)}`;
  }
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) return value; // of a past state, which may have another kind
  if (interval !== undefined && isPeriod(interval)) return TEXTS[interval](time);
  return type === 'date' ? DATE(time) : INSTANT(time);
}

interface Labelled {
  readonly label: string | undefined;
}

/** The interval after the one, where the other does not follow it. */
function missingBetween(
  before: string | undefined,
  after: string | undefined,
  interval: string,
): string | undefined {
  const next = before === undefined ? undefined : nextOf(before, interval);
  if (next === undefined || after === undefined) return undefined;
  return (isPeriod(interval) ? next < after : Number(next) < Number(after)) ? next : undefined;
}

/**
 * Bars in their order, which are all that there are, with those in between of which there is nothing; undefined where
 * these would be more than `most`.
 */
export function withGaps<Bar extends Labelled>(
  bars: readonly Bar[],
  interval: string,
  most: number,
  nothing: (label: string) => Bar,
): readonly Bar[] | undefined {
  const all: Bar[] = [];
  for (const bar of bars) {
    for (;;) {
      const next = missingBetween(all.at(-1)?.label, bar.label, interval);
      if (next === undefined) break;
      if (all.length >= most) return undefined;
      all.push(nothing(next));
    }
    all.push(bar);
  }
  return all;
}

/** Bars in their order, with one that stands for all that may be between two which do not follow each other. */
export const withBreaks = <Bar extends Labelled>(
  bars: readonly Bar[],
  interval: string,
  between: (label: string) => Bar,
): readonly Bar[] =>
  bars.flatMap((bar, i) => {
    const next = missingBetween(bars[i - 1]?.label, bar.label, interval);
    return next === undefined ? [bar] : [between(next), bar];
  });
