// The latest runs of a trigger over time: what those of each column of the scale became.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import type { StripRunsFragment } from '../../generated/api.ts';
import { toneOf } from '../../parts/status.tsx';
import { agoText, durationText, instantText, plural, wordsOf } from '../../parts/text.ts';
import { Instant } from '../../parts/value.tsx';
import { type Column, columnsOf, COLUMNS, markText } from './strip-scale.ts';

export const STRIP_RUNS = /* GraphQL */ `
  fragment StripRuns on RunPage {
    nextCursor
    runs {
      runId
      status
      queuedAt
      startedAt
      finishedAt
    }
  }
`;

type Runs = StripRunsFragment['runs'];
type Run = Runs[number];
type Slot = Column<Run>;

const wordsFor = (run: Run): string =>
  `${wordsOf(run.status)}, ${instantText(run.queuedAt)}${run.startedAt === null ? '' : `, ${durationText(run.startedAt, run.finishedAt)}`}`;

/** How many there are of each status, in the order in which they are stacked. */
function countsOf(runs: Runs): readonly (readonly [status: string, count: number])[] {
  const counts = new Map<string, number>([
    ['success', 0],
    ['partial_success', 0],
    ['failed', 0],
  ]);
  for (const { status } of runs) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 0);
}

/** @param isPart whether there may be others of its time */
function wordsOfSlot({ runs, from, to }: Slot, isPart: boolean): string {
  const [run] = runs;
  if (run !== undefined && runs.length === 1 && !isPart) return wordsFor(run);
  const counts = countsOf(runs).map(([status, count]) => `${count} ${wordsOf(status)}`);
  const [since, until] = [from, to].map((instant) => instantText(new Date(instant).toISOString()));
  return `${isPart ? 'at least ' : ''}${counts.join(', ')}, ${since} to ${until}`;
}

/** The height is the share of the column with most of them. */
function Bar({ runs, most }: { readonly runs: Runs; readonly most: number }): ReactNode {
  let below = 0;
  return (
    <svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true">
      {countsOf(runs).map(([status, count]) => {
        below += count;
        return (
          <rect
            key={status}
            className={toneOf(status)}
            y={100 - (100 * below) / most}
            width="10"
            height={(100 * count) / most}
          />
        );
      })}
    </svg>
  );
}

/** Leads to its run, or to the list of its runs. */
function Leading({
  slot,
  isPart,
  name,
  most,
}: {
  readonly slot: Slot;
  readonly isPart: boolean;
  readonly name: string;
  readonly most: number;
}) {
  const { runs, from, to } = slot;
  const [run] = runs;
  const words = wordsOfSlot(slot, isPart);
  const [since, until] = [from, to].map((instant) => new Date(instant).toISOString());
  const isOne = run !== undefined && runs.length === 1 && !isPart;
  return (
    <Link
      to={isOne ? 'run' : 'trigger'}
      params={isOne ? { id: run.runId } : { name, since, until }}
      title={words}
      aria-label={words}
    >
      <Bar runs={runs} most={most} />
    </Link>
  );
}

/** Marks of the scale: its start, its quarters, its end (which phones have no room for). */
const Marks = ({ slots }: { readonly slots: readonly Slot[] }): ReactNode => (
  <div className="strip-marks quiet small" aria-hidden="true">
    {slots
      .filter((_, i) => i % (COLUMNS / 4) === 0)
      .map(({ from }) => (
        <span key={from}>{markText(from, slots)}</span>
      ))}
    <span className="end">{markText(slots.at(-1)?.to ?? 0, slots)}</span>
  </div>
);

interface Props {
  /** Newest first. */
  readonly of: StripRunsFragment;
  /** The trigger, where each column leads to its runs. */
  readonly linked?: string;
}

export function Strip({ of: { runs, nextCursor }, linked }: Props): ReactNode {
  const { at } = useAddress();
  const oldest = runs.at(-1);
  if (oldest === undefined) return <span className="quiet">no runs yet</span>;
  const slots = columnsOf(runs, at === undefined ? Date.now() : Date.parse(at));
  // the earliest column may have others that the page does not
  const part = nextCursor === null ? undefined : slots.find((slot) => slot.runs.length > 0);
  const most = Math.max(...slots.map((slot) => slot.runs.length));
  const good = runs.filter(({ status }) => status === 'success').length;
  const ended = runs.filter(({ status }) => !['queued', 'running', 'skipped'].includes(status)).length;
  const summary = `${good} of ${ended} succeeded`;
  if (linked === undefined)
    return (
      <>
        <span className="strip" role="img" aria-label={summary} title={summary}>
          {slots.map((slot) => (
            <Bar key={slot.from} runs={slot.runs} most={most} />
          ))}
        </span>
        <span className="quiet small">
          since {at === undefined ? agoText(oldest.queuedAt) : instantText(oldest.queuedAt)}
        </span>
      </>
    );
  return (
    <div>
      <ol className="strip" aria-label={`The latest runs over time: ${summary}`}>
        {slots.map(
          (slot, i) =>
            slot.runs.length > 0 && (
              <li key={slot.from} style={{ gridColumn: i + 1 }}>
                <Leading slot={slot} isPart={slot === part} name={linked} most={most} />
              </li>
            ),
        )}
      </ol>
      <Marks slots={slots} />
      <p className="quiet small">
        {summary}, of the latest {plural(runs.length, 'run')} since <Instant iso={oldest.queuedAt} />
      </p>
    </div>
  );
}
