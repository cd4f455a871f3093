// Waiting for what may not know of the caller's signal: a token, the next row of a source.

/** What `waiting` comes to, unless the signal is aborted before. @throws the signal's reason */
export function untilAborted<Result>(
  waiting: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return waiting;
  return new Promise((resolve, reject) => {
    const end = (): void => {
      reject(signal.reason as Error);
    }; // whatever the caller gave as the reason
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    waiting
      .finally(() => {
        signal.removeEventListener('abort', end);
      })
      .then(resolve, reject);
  });
}
