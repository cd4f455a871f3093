// Shows progress on one line of a terminal, which is overwritten.
import type { Output } from '../session.ts';

export interface Progress {
  readonly done: number;
  readonly failed: number;
}

const INTERVAL_MS = 200;

/**
 * Shows the current `state` until it is stopped; does nothing where the stream is not a terminal. Returns a
 * function that stops it.
 */
export function showProgress(stream: Output, state: () => Progress): () => void {
  if (stream.isTTY !== true) return () => undefined;
  const began = performance.now();
  const timer = setInterval(() => {
    const { done, failed } = state();
    const rate = Math.round(done / ((performance.now() - began) / 1000));
    stream.write(`\r\u001b[K${done} records, ${rate}/s${failed === 0 ? '' : `, ${failed} failed`}`);
  }, INTERVAL_MS);
  return () => {
    clearInterval(timer);
    stream.write('\r\u001b[K');
  };
}
