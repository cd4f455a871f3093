// The latest runs of a trigger as a strip of bars, oldest first: what each became and how long it took.
import type { ReactNode } from 'react';
import { Link } from '../../address/address.tsx';
import type { StripRunFragment } from '../../generated/api.ts';
import { toneOf } from '../../parts/status.tsx';
import { durationText, instantText, wordsOf } from '../../parts/text.ts';
import { Instant } from '../../parts/value.tsx';

export const STRIP_RUN = /* GraphQL */ `
  fragment StripRun on Run {
    runId
    status
    queuedAt
    startedAt
    finishedAt
  }
`;

const secondsOf = ({ startedAt, finishedAt }: StripRunFragment): number =>
  startedAt === null || finishedAt === null ? 0 : (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;

const wordsFor = (run: StripRunFragment): string =>
  `${wordsOf(run.status)}, ${instantText(run.queuedAt)}${run.startedAt === null ? '' : `, ${durationText(run.startedAt, run.finishedAt)}`}`;

/** Of 100; the height is the share of the longest time, and never nothing. */
const heightOf = (run: StripRunFragment, longest: number): number =>
  longest === 0 ? 100 : 35 + 65 * (secondsOf(run) / longest);

const Bar = ({ run, longest }: { readonly run: StripRunFragment; readonly longest: number }): ReactNode => {
  const height = heightOf(run, longest);
  return (
    <svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true" className={toneOf(run.status)}>
      <rect y={100 - height} width="10" height={height} />
    </svg>
  );
};

interface Props {
  /** Newest first. */
  readonly runs: readonly StripRunFragment[];
  /** Whether each bar leads to its run. */
  readonly isLinked?: boolean;
}

export function Strip({ runs, isLinked = false }: Props): ReactNode {
  if (runs.length === 0) return <span className="quiet">no runs yet</span>;
  const longest = Math.max(...runs.map(secondsOf));
  const inOrder = [...runs].reverse();
  const good = runs.filter(({ status }) => status === 'success').length;
  const ended = runs.filter(({ status }) => !['queued', 'running', 'skipped'].includes(status)).length;
  const summary = `${good} of ${ended} succeeded`;
  const [oldest, newest] = [inOrder[0], inOrder.at(-1)];
  return isLinked ? (
    <div>
      <ol className="strip" aria-label={`The latest runs: ${summary}`}>
        {inOrder.map((run) => (
          <li key={run.runId}>
            <Link to="run" params={{ id: run.runId }} title={wordsFor(run)} aria-label={wordsFor(run)}>
              <Bar run={run} longest={longest} />
            </Link>
          </li>
        ))}
      </ol>
      <p className="quiet small">
        {summary}
        {oldest && newest && (
          <>
            , from <Instant iso={oldest.queuedAt} /> to <Instant iso={newest.queuedAt} />
          </>
        )}
      </p>
    </div>
  ) : (
    <span className="strip" role="img" aria-label={summary} title={summary}>
      {inOrder.map((run) => (
        <Bar key={run.runId} run={run} longest={longest} />
      ))}
    </span>
  );
}
