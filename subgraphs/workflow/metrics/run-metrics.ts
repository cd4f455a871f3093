// What is counted of runs that end in this process.
import { histogram, tallies } from '../../../platform/metrics/process-metrics.ts';

export const finishedRuns = tallies('cairn_runs_finished_total', 'Runs that ended, by status.', 'status', [
  'success',
  'partial_success',
  'failed',
]);

export const retriedRuns = tallies('cairn_runs_retried_total', 'Runs that are tried again, by why.', 'why', [
  'failed',
  'abandoned',
]);

export const runSeconds = histogram(
  'cairn_run_duration_seconds',
  'Time that one attempt of a run took.',
  [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600, 14_400],
);
