// One line on a terminal that says how far it is, written over itself.
import type { Output } from '../session.ts';

export interface Progress {
  readonly done: number;
  readonly failed: number;
}

const INTERVAL_MS = 200;

/** Shows what `state` says until it is stopped; does nothing where the stream is no terminal. Answers how to stop. */
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
