// Shows how many records have been ingested.
import type { Output } from '../session.ts';
import { showLine } from '../status-line.ts';

export interface Progress {
  readonly done: number;
  readonly failed: number;
  /** The part of the source that was read, from 0 to 1; undefined where its size is not known. */
  readonly part: number | undefined;
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `4000 of about 10000 rows (40 %), 2000/s, 3 s left, 2 failed` */
export function progressText({ done, failed, part }: Progress, seconds: number): string {
  const rate = Math.round(done / seconds);
  const faults = failed === 0 ? '' : `, ${failed} failed`;
  if (part === undefined || part === 0 || done === 0) return `${done} rows, ${rate}/s${faults}`;
  const total = Math.max(done, Math.round(done / part));
  const left = (seconds * (1 - part)) / part;
  return `${done} of about ${total} rows (${Math.floor(part * 100)} %), ${rate}/s, ${duration(left)} left${faults}`;
}

/** Shows the current `state` until what is returned is called. */
export const showProgress = (stream: Output, state: () => Progress): (() => void) =>
  showLine(stream, (seconds) => progressText(state(), seconds));
