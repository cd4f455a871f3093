// The resolve action: requests an entity of the artifact component for each sample
// (docs/reference/workflow.md#resolve-action, docs/reference/workflow.md#action-failure-rules).
import type { Execute } from '../deps.ts';
import type { Unresolved } from '../run-records/run.ts';
import { durationText } from '../run-records/duration-text.ts';
import { askArtifact } from './ask-artifact.ts';
import { type Outcome, type Tally, unavailability } from './outcome.ts';
import { CriteriaError, type ResolveAction, type Sample, samplesOf } from './samples.ts';

export interface ResolveOptions {
  readonly action: ResolveAction;
  /**
   * The entity that a poll matched, to which the action is already bound; null: the criteria select the
   * samples.
   */
  readonly firedBy: string | null;
  /** `resolution.artifact_timeout_seconds`, for each sample. */
  readonly artifactTimeoutMs: number;
  readonly execute: Execute;
  /** Records entities that the run has made. */
  readonly wrote: (ids: readonly string[]) => Promise<void>;
  readonly tally: Tally;
  readonly signal: AbortSignal;
}

/** Maximum concurrent requests to the artifact component. */
const AT_ONCE = 8;
/** Maximum ids in a line of the log. */
const MAX_NAMED = 10;
/** Maximum listed unresolved samples; the counts include all. */
const MAX_LISTED = 10_000;

const madeText = (ids: readonly string[]): string =>
  [...ids.slice(0, MAX_NAMED), ...(ids.length > MAX_NAMED ? [`${ids.length - MAX_NAMED} more`] : [])].join(
    ', ',
  );

/**
 * Counts: fetched are the samples, created those for which something was made, skipped those that had all
 * they needed, failed the unresolved ones. Only throws for the signal.
 */
export async function resolve({
  action,
  firedBy,
  artifactTimeoutMs,
  execute,
  wrote,
  tally,
  signal,
}: ResolveOptions): Promise<Outcome> {
  const unresolved: Unresolved[] = [];
  const ended = (status: Outcome['status']): Outcome => ({
    status,
    entityType: action.entityType,
    counts: tally.counts(),
    errors: tally.errors,
    unresolved,
  });

  const serve = async ({ entityId, wanted }: Sample): Promise<void> => {
    const began = performance.now();
    const note = (text: string): void => {
      tally.log.note('info', `${entityId}: ${text}`);
    };
    const obtained =
      wanted === null
        ? { made: [] }
        : await askArtifact(wanted, { execute, note }, artifactTimeoutMs, signal);
    if ('reason' in obtained) {
      tally.log.note('warn', `${entityId}: not served after ${durationText(began)}: ${obtained.reason}`);
      tally.failed++;
      if (unresolved.length < MAX_LISTED) unresolved.push({ entity_id: entityId, reason: obtained.reason });
    } else if (obtained.made.length === 0) {
      tally.skipped++;
      if (wanted !== null) note(`a stored ${action.entityType} is reused`);
    } else {
      await wrote(obtained.made);
      tally.created++;
      note(`made ${madeText(obtained.made)} in ${durationText(began)}`);
    }
  };

  try {
    tally.log.note('info', `${firedBy ?? 'what matches the criteria'} is asked for as ${action.entityType}`);
    await atOnce(samplesOf(action, firedBy, execute, signal), AT_ONCE, async (sample) => {
      tally.fetched++;
      await serve(sample);
    });
  } catch (error) {
    signal.throwIfAborted();
    tally.failRest();
    tally.note(
      error instanceof CriteriaError ? { type: error.name, message: error.message } : unavailability(error),
    );
    return ended('failed');
  }
  return ended(tally.failed > 0 ? 'partial_success' : 'success');
}

/**
 * Processes items as they arrive, some concurrently; takes no more after the first failure, and waits for
 * those in progress.
 */
async function atOnce<T>(
  items: AsyncIterable<T>,
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const under = new Set<Promise<void>>();
  const failures: unknown[] = [];
  for await (const item of items) {
    const task = work(item)
      .catch((error: unknown) => {
        failures.push(error);
      })
      .finally(() => {
        under.delete(task);
      });
    under.add(task);
    if (under.size >= most) await Promise.race(under);
    if (failures.length > 0) break;
  }
  await Promise.all(under);
  if (failures.length > 0) throw failures[0];
}
