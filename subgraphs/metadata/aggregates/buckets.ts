// Intervals that values are grouped in: periods of dates and times, and widths of numbers.
import { invalid } from '../../../platform/errors.ts';

export const PERIODS = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR'] as const;
export type Period = (typeof PERIODS)[number];

export type Bucket =
  | { readonly period: Period }
  /** Decimal text of a positive number. */
  | { readonly width: string };

const PERIOD_BY_WORD: ReadonlyMap<string, Period> = new Map(
  PERIODS.map((period) => [period.toLowerCase(), period]),
);
const WIDTH = /^(?=.*[1-9])\d{1,15}(?:\.\d{1,15})?$/;

/** `month`, or `10`; null for anything else. */
export function bucketNamed(word: string): Bucket | null {
  const period = PERIOD_BY_WORD.get(word);
  if (period !== undefined) return { period };
  return WIDTH.test(word) ? { width: word } : null;
}

/** @throws DomainError `validation_failed` */
export function widthOf(width: number): Bucket {
  const text = String(width);
  if (!WIDTH.test(text))
    throw invalid('width must be a positive number with at most 15 digits before and after its point', {
      field: 'width',
    });
  return { width: text };
}

/** The beginning of the period of a date's text. */
const START: Readonly<Record<Exclude<Period, 'HOUR'>, (text: string) => string>> = {
  DAY: (text) => `substr(${text}, 1, 10)`,
  WEEK: (text) =>
    `to_char(date_trunc('week', (substr(${text}, 1, 7) || '-01')::date + (substr(${text}, 9, 2)::int - 1)), 'YYYY-MM-DD')`,
  MONTH: (text) => `substr(${text}, 1, 7) || '-01'`,
  QUARTER: (text) =>
    `substr(${text}, 1, 5) || lpad(((substr(${text}, 6, 2)::int - 1) / 3 * 3 + 1)::text, 2, '0') || '-01'`,
  YEAR: (text) => `substr(${text}, 1, 4) || '-01-01'`,
};
const A_DATE = '^(?!0000)\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
const AN_INSTANT = `${A_DATE}T\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z$`;

/**
 * The beginning of the interval of a jsonb value, as one of the same type; NULL for a value of another kind,
 * which states of the past may have.
 */
export function bucketSql(bucket: Bucket, isInstant: boolean, value: string): string {
  if ('width' in bucket)
    return `CASE WHEN jsonb_typeof(${value}) = 'number' THEN to_jsonb(trim_scale(floor(${value}::numeric / ${bucket.width}) * ${bucket.width})) END`;
  const { period } = bucket;
  const text = `(${value} #>> '{}')`;
  const start =
    period === 'HOUR'
      ? `substr(${text}, 1, 13) || ':00:00.000000Z'`
      : `${START[period](text)}${isInstant ? " || 'T00:00:00.000000Z'" : ''}`;
  return `CASE WHEN jsonb_typeof(${value}) = 'string' AND ${text} ~ '${isInstant ? AN_INSTANT : `${A_DATE}$`}' THEN to_jsonb(${start}) END`;
}
