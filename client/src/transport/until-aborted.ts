// Waits for promises that ignore the caller's signal: a token, the next row of a source.

/** Resolves or rejects like `waiting`, unless the signal is aborted first. @throws the signal's reason */
export function untilAborted<Result>(
  waiting: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return waiting;
  return new Promise((resolve, reject) => {
    const end = (): void => {
      // whatever the caller aborted with, which rejects unchanged
      reject(signal.reason as Error);
    }; // the caller's own reason
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    waiting
      .finally(() => {
        signal.removeEventListener('abort', end);
      })
      .then(resolve, reject);
  });
}
