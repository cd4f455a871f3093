// The latest runs of a trigger on a scale of time: columns of equal, round lengths that end now.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  7 * DAY,
  30 * DAY,
  365 * DAY,
] as const;

export const COLUMNS = 24;

interface Queued {
  readonly queuedAt: string;
}

export interface Column<Run> {
  /** Milliseconds since 1970, the second one not included. */
  readonly from: number;
  readonly to: number;
  readonly runs: readonly Run[];
}

/** @param now the end of the scale, in milliseconds since 1970 */
export function columnsOf<Run extends Queued>(runs: readonly Run[], now: number): readonly Column<Run>[] {
  const zone = new Date(now).getTimezoneOffset() * MINUTE; // days begin at midnight here
  const oldest = Math.min(now, ...runs.map(({ queuedAt }) => Date.parse(queuedAt)));
  const endOf = (step: number): number => (Math.floor((now - zone) / step) + 1) * step + zone;
  const step = STEPS.find((one) => endOf(one) - COLUMNS * one <= oldest) ?? 10 * 365 * DAY;
  const start = endOf(step) - COLUMNS * step;
  const columnOf = ({ queuedAt }: Queued): number =>
    Math.min(COLUMNS - 1, Math.floor((Date.parse(queuedAt) - start) / step)); // clocks of browsers may be late
  return Array.from({ length: COLUMNS }, (_, i) => ({
    from: start + i * step,
    to: start + (i + 1) * step,
    runs: runs.filter((run) => columnOf(run) === i),
  }));
}

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const DATE = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const YEAR = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric' });

/** An instant of the scale, as short as its columns allow. */
export function markText(instant: number, columns: readonly Column<unknown>[]): string {
  const { from = 0, to = 0 } = columns[0] ?? {};
  const step = to - from;
  if (step >= 30 * DAY) return YEAR.format(instant);
  if (step >= DAY) return DATE.format(instant);
  return step * COLUMNS <= DAY ? TIME.format(instant) : `${DATE.format(instant)}, ${TIME.format(instant)}`;
}
