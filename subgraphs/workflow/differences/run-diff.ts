// What differs between two runs (docs/reference/workflow.md#differences-of-runs): by names, without ids and times of their own.
import { canonicalJson } from '../../../platform/canonical-json.ts';
import { isObject } from '../../../platform/json-object.ts';
import type { JsonValue } from '../../../platform/json.ts';
import {
  givenMembers,
  type PartDifference,
  partDifferences,
  toldParts,
} from '../../../platform/part-differences.ts';
import type { Run } from '../run-records/run.ts';

export interface RunDiff {
  readonly before: Run;
  readonly after: Run;
  readonly differences: readonly PartDifference[];
  readonly isComplete: boolean;
}

const messageOf = (error: JsonValue): string =>
  isObject(error) && typeof error['message'] === 'string' ? error['message'] : canonicalJson(error);

/** The number of errors of each message. */
function errorsOf({ errors }: Run): Readonly<Record<string, number>> {
  const counted = new Map<string, number>();
  for (const error of errors) counted.set(messageOf(error), (counted.get(messageOf(error)) ?? 0) + 1);
  return Object.fromEntries(counted);
}

/** @param cause as the caller may see it */
const outlineOf = (run: Run, cause: JsonValue): Readonly<Record<string, unknown>> =>
  givenMembers({
    trigger: run.triggerName,
    adapter: run.adapter,
    action: run.action,
    cause,
    actor: run.actor,
    project: run.project,
    status: run.status,
    attempt: run.attempt,
    records: {
      fetched: run.recordsFetched,
      created: run.recordsCreated,
      updated: run.recordsUpdated,
      skipped: run.recordsSkipped,
      failed: run.recordsFailed,
    },
    errors: errorsOf(run),
    unresolved: Object.fromEntries(run.unresolved.map(({ entity_id: id, reason }) => [id, reason])),
    produced: run.produced,
  });

export const runDiffOf = (before: Run, after: Run, causeOf: (run: Run) => JsonValue): RunDiff => {
  const [a, b] = [before, after].map((run) => outlineOf(run, causeOf(run)));
  return { before, after, ...toldParts(partDifferences(a, b, 3)) };
};
