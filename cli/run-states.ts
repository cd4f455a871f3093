// Waits for a run to end, and tells whether it ended well.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, member, route } from './api.ts';
import { StreamRefused, subscribe } from './event-stream.ts';

const UNDER_WAY = ['queued', 'running'];
/** States of a run that did what it was asked, or had nothing to do. */
const WELL = ['success', 'skipped'];

export const endedWell = (state: string): boolean => WELL.includes(state);

/** In the words of the REST API. */
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

/** Tells how the run goes on as the platform says so: until it has ended, or as far as that is to be had. */
async function follow(api: Api, runId: string, tell: Tell): Promise<void> {
  try {
    for await (const data of subscribe(api.target, PROGRESS, { id: runId }))
      tell(member(data, 'runProgress'));
  } catch (error) {
    if (!(error instanceof StreamRefused)) throw error; // whoever waits asks for the run then
  }
}

/**
 * The run once it is neither queued nor running. It is followed as it goes on; where that is refused or breaks off, it is asked for every
 * second. `onProgress` hears of each state or count that is another than the one before.
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
