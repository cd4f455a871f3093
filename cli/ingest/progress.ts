// Shows how many records have been ingested.
import type { Output } from '../session.ts';
import { showLine } from '../status-line.ts';

export interface Progress {
  readonly done: number;
  readonly failed: number;
}

/** Shows the current `state` until what is returned is called. */
export const showProgress = (stream: Output, state: () => Progress): (() => void) =>
  showLine(stream, (seconds) => {
    const { done, failed } = state();
    return `${done} records, ${Math.round(done / seconds)}/s${failed === 0 ? '' : `, ${failed} failed`}`;
  });
