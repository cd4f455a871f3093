// Waits for a run to end and checks whether it was successful.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, member, route } from './api.ts';
import { StreamRefused, subscribe } from './event-stream.ts';

const UNDER_WAY = ['queued', 'running'];
/** Final states of a successful run, or of one that had nothing to do. */
const WELL = ['success', 'skipped'];

export const endedWell = (state: string): boolean => WELL.includes(state);

/** Field names as in the REST API. */
const PROGRESS = `subscription FollowRun($id: ID!) {
  runProgress(runId: $id) {
    status records_fetched: recordsFetched records_created: recordsCreated records_updated: recordsUpdated records_skipped: recordsSkipped records_failed: recordsFailed
  }
}`;
const SHOWN = [
  'status',
  'records_fetched',
  'records_created',
  'records_updated',
  'records_skipped',
  'records_failed',
];

type Tell = (run: unknown) => void;

/** Reports the progress of a run through a subscription, until the run ends or the subscription fails. */
async function follow(api: Api, runId: string, tell: Tell): Promise<void> {
  try {
    for await (const data of subscribe(api.target, PROGRESS, { id: runId }))
      tell(member(data, 'runProgress'));
  } catch (error) {
    if (!(error instanceof StreamRefused)) throw error; // the caller polls the run then
  }
}

/**
 * Resolves when the run is neither queued nor running. Follows the run through a subscription; where that is
 * rejected or breaks off, polls every second. Calls `onProgress` for each changed state or count.
 */
export async function waitForRun(
  api: Api,
  runId: string,
  onProgress?: (run: unknown, state: string) => void,
): Promise<{ readonly run: unknown; readonly state: string }> {
  let last = '';
  const tell: Tell = (run) => {
    if (!onProgress) return;
    const now = JSON.stringify(SHOWN.map((name) => member(run, name)));
    if (now !== last) onProgress(run, String(member(run, 'status')));
    last = now;
  };
  for (let follows = true; ;) {
    const run = await api.call({ path: route`/api/v1/workflow/runs/${runId}` });
    const state = String(member(run, 'status'));
    tell(run);
    if (!UNDER_WAY.includes(state)) return { run, state };
    if (follows) await follow(api, runId, tell);
    else await sleep(1000);
    follows = false;
  }
}
