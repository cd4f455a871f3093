// What is counted of requests for artifacts, and of productions that end in this process.
import { histogram, tallies } from '../../../platform/metrics/process-metrics.ts';

export const artifactRequests = tallies(
  'cairn_artifact_requests_total',
  'Requests to produce an artifact, by how they are met: what is stored, a production that is under way for somebody else, or a new one that fetches or builds.',
  'answer',
  ['reused', 'joined', 'fetched', 'built'],
);

export const finishedProductions = tallies(
  'cairn_productions_finished_total',
  'Productions that ended, by status.',
  'status',
  ['completed', 'failed'],
);

export const productionSeconds = histogram(
  'cairn_production_duration_seconds',
  'Time that one attempt of a production took.',
  [0.5, 1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400],
);
