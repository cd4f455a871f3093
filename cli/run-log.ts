// Reads the log of a run, to its end or as it grows.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, member, route } from './api.ts';
import { StreamRefused, subscribe } from './event-stream.ts';
import { isList } from '../platform/json-object.ts';

const FOLLOWED = `subscription FollowRunLog($id: ID!, $after: Int!) {
  runLog(runId: $id, after: $after) { number attempt at level message }
}`;
const PAGE = 1000;
/** Milliseconds before a log that broke off is read on. */
const RESUME_MS = 1000;
const UNDER_WAY: readonly unknown[] = ['queued', 'running'];

const numberOf = (line: unknown): number => Number(member(line, 'number'));

/** The lines after one that are there now. */
export async function* storedLines(
  api: Api,
  runId: string,
  { after, asOf }: { readonly after: number; readonly asOf?: string | undefined },
): AsyncGenerator<unknown> {
  for (let last = after; ;) {
    const page = await api.call({
      path: route`/api/v1/workflow/runs/${runId}/log`,
      query: { limit: PAGE, after: last, as_of: asOf },
    });
    const lines: unknown = member(page, 'lines');
    if (!isList(lines)) return;
    yield* lines;
    if (lines.length < PAGE) return;
    last = numberOf(lines.at(-1));
  }
}

/** All lines after one as they are written, until the run has ended; where the stream breaks off, the rest is read. */
export async function* followedLines(api: Api, runId: string, after: number): AsyncGenerator<unknown> {
  for (let last = after; ;) {
    // before the lines: those of its end are stored with it
    const run = await api.call({ path: route`/api/v1/workflow/runs/${runId}` });
    for await (const line of storedLines(api, runId, { after: last })) {
      last = numberOf(line);
      yield line;
    }
    if (!UNDER_WAY.includes(member(run, 'status'))) return;
    try {
      for await (const data of subscribe(api.target, FOLLOWED, { id: runId, after: last })) {
        const line = member(data, 'runLog');
        last = numberOf(line);
        yield line;
      }
    } catch (error) {
      if (!(error instanceof StreamRefused)) throw error;
      await sleep(RESUME_MS);
    }
  }
}
