// The measurements of the past, for administrators (docs/reference/gateway.md#measurements).
import { badRequest, DomainError } from '../../platform/errors.ts';
import { exactTimeText } from '../../platform/instant.ts';
import type { Identity } from '../../platform/identity.ts';
import { isOneOf } from '../../platform/is-one-of.ts';
import { assertAllProjects } from '../../platform/permissions.ts';
import type { Queryable } from '../../platform/queryable.ts';
import { listProcesses, type ProcessRow, readSlots, type SlotRow } from './samples.store.ts';
import { SERIES, SERIES_NAMES, type SeriesName, type Unit } from './series.ts';

export interface MetricsQuery {
  /** Null for all. */
  readonly names: readonly string[] | null;
  /** Null for an hour before the end. */
  readonly from: string | null;
  /** Null for now. */
  readonly to: string | null;
  /** Seconds; null for as many steps as there may be. */
  readonly step: number | null;
}

export interface MeasuredSeries {
  readonly name: SeriesName;
  readonly unit: Unit;
  /** The id of the process; null for what is of the deployment. */
  readonly process: string | null;
  /** One for each step, null where there was no sample. */
  readonly values: readonly (number | null)[];
}

export interface Measurements {
  readonly from: string;
  readonly step: number;
  readonly times: readonly string[];
  readonly series: readonly MeasuredSeries[];
  readonly processes: readonly ProcessRow[];
}

export interface SystemMetrics {
  /**
   * @throws DomainError `conflict` where nothing is kept, `project_scope_denied` for a caller of some projects,
   * `invalid_request`
   */
  read(query: MetricsQuery, caller: Identity): Promise<Measurements>;
}

const MAX_STEPS = 500;
const USUAL_STEPS = 120;
/** Processes of which series are told, the latest begun ones. */
const MAX_PROCESSES = 20;
const DAY = 86_400;
const HOUR_MS = 3_600_000;

interface Range {
  readonly from: Date;
  readonly to: Date;
  readonly step: number;
  readonly count: number;
}

function rangeOf({ from, to, step: asked }: MetricsQuery): Range {
  const last = to === null ? new Date() : new Date(to);
  const first = from === null ? new Date(last.getTime() - HOUR_MS) : new Date(from);
  const seconds = (last.getTime() - first.getTime()) / 1000;
  if (!(seconds > 0)) throw badRequest('from must be before to');
  if (seconds > 400 * DAY) throw badRequest('from and to may be 400 days apart');
  const step = asked ?? Math.max(1, Math.ceil(seconds / USUAL_STEPS));
  if (!Number.isInteger(step) || step < 1) throw badRequest('step must be an integer from 1');
  const count = Math.ceil(seconds / step);
  if (count > MAX_STEPS)
    throw badRequest(
      `step must be at least ${Math.ceil(seconds / MAX_STEPS)}: there are at most ${MAX_STEPS} steps`,
    );
  return { from: first, to: last, step, count };
}

function namesOf(names: readonly string[] | null): readonly SeriesName[] {
  if (names === null) return SERIES_NAMES;
  return [...new Set(names)].map((name) => {
    if (!isOneOf(SERIES_NAMES, name)) throw badRequest(`unknown series: ${name}`, { known: SERIES_NAMES });
    return name;
  });
}

function seriesOf(rows: readonly SlotRow[], names: readonly SeriesName[], count: number): MeasuredSeries[] {
  const found = new Map<string, MeasuredSeries & { readonly values: (number | null)[] }>();
  for (const { name, processId, slot, average, most } of rows) {
    const known = names.find((one) => one === name);
    if (known === undefined || slot < 0 || slot >= count) continue;
    const { unit, combine } = SERIES[known];
    const key = `${name} ${processId ?? ''}`;
    const series = found.get(key) ?? {
      name: known,
      unit,
      process: processId,
      values: new Array<number | null>(count).fill(null),
    };
    series.values[slot] = combine === 'avg' ? average : most;
    found.set(key, series);
  }
  return [...found.values()].sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
}

/** @param isKept whether samples are written down */
export const createSystemMetrics = (db: Queryable, isKept: boolean): SystemMetrics => ({
  async read(query, caller) {
    assertAllProjects(caller, 'measurements');
    if (!isKept)
      throw new DomainError(
        'conflict',
        'no measurements are kept: they are where observability.metrics.history.enabled is true',
      );
    const names = namesOf(query.names);
    const { from, to, step, count } = rangeOf(query);
    const [since, until] = [from.toISOString(), to.toISOString()];
    const processes = await listProcesses(db, since, until, MAX_PROCESSES);
    const rows = await readSlots(db, {
      from: since,
      to: until,
      stepSeconds: step,
      own: names.filter((name) => SERIES[name].isOfProcess),
      common: names.filter((name) => !SERIES[name].isOfProcess),
      processes: processes.map(({ id }) => id),
    });
    return {
      from: exactTimeText(from),
      step,
      times: Array.from({ length: count }, (_, i) =>
        exactTimeText(new Date(from.getTime() + i * step * 1000)),
      ),
      series: seriesOf(rows, names, count),
      processes,
    };
  },
});
