// What is wrong beside the components: the archive of the write-ahead log, replicas, and the audit log. Whoever asks for the health report
// needs no credential, so that addresses and messages of other systems are not in it.
import type { ArchiveReport } from '../../platform/database/embedded/archive-state.ts';
import type { ReplicaStanding } from '../../platform/database/replica-probe.ts';

export const PROBLEM_CODES = ['archive_failing', 'replicas_left_out', 'audit_failing'] as const;

export interface HealthProblem {
  readonly code: (typeof PROBLEM_CODES)[number];
  readonly detail: string;
}

export const archiveProblems = (report: ArchiveReport): readonly HealthProblem[] =>
  report.status === 'failing'
    ? [
        {
          code: 'archive_failing',
          detail:
            report.archived_until === null
              ? 'no moment can be restored'
              : `moments until ${report.archived_until} can be restored`,
        },
      ]
    : [];

export function replicaProblems(replicas: readonly ReplicaStanding[]): readonly HealthProblem[] {
  const counts = new Map<string, number>();
  for (const { state } of replicas)
    if (state !== 'following') counts.set(state, (counts.get(state) ?? 0) + 1);
  if (counts.size === 0) return [];
  const told = [...counts].map(([state, count]) => `${count} ${state}`).join(', ');
  return [{ code: 'replicas_left_out', detail: `${told} of ${replicas.length}` }];
}

/** @param lost since the start of this process */
export const auditProblems = ({
  lost,
  failure,
}: {
  readonly lost: number;
  readonly failure: string | undefined;
}): readonly HealthProblem[] =>
  failure === undefined
    ? []
    : [{ code: 'audit_failing', detail: `${lost} ${lost === 1 ? 'record' : 'records'} lost` }];
