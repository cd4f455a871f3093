// Waits for a run to end, and tells whether it ended well.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, member, route } from './api.ts';

const UNDER_WAY = ['queued', 'running'];
/** States of a run that did what it was asked, or had nothing to do. */
const WELL = ['success', 'skipped'];

export const endedWell = (state: string): boolean => WELL.includes(state);

/** The run once it is neither queued nor running; asks every second. `onProgress` hears of each answer that is another than the one before. */
export async function waitForRun(api: Api, runId: string, onProgress?: (run: unknown, state: string) => void): Promise<{ readonly run: unknown; readonly state: string }> {
  for (let last = ''; ;) {
    const run = await api.call({ path: route`/api/v1/workflow/runs/${runId}` });
    const state = String(member(run, 'status'));
    const now = JSON.stringify(run);
    if (now !== last) onProgress?.(run, state);
    last = now;
    if (!UNDER_WAY.includes(state)) return { run, state };
    await sleep(1000);
  }
}
