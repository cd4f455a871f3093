// One line of a terminal, which is overwritten.
import type { Output } from './session.ts';

const INTERVAL_MS = 200;
const CLEAR = '\r\u001b[K';

/**
 * Shows the current text until it is stopped; does nothing where the stream is not a terminal.
 * @param text given the seconds since the beginning
 * @returns stops it
 */
export function showLine(stream: Output, text: (seconds: number) => string): () => void {
  if (stream.isTTY !== true) return () => undefined;
  const began = performance.now();
  const timer = setInterval(() => {
    stream.write(CLEAR + text((performance.now() - began) / 1000));
  }, INTERVAL_MS);
  return () => {
    clearInterval(timer);
    stream.write(CLEAR);
  };
}
