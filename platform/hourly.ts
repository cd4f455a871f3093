// What a process does again every hour, as long as it runs.
const HOUR_MS = 3_600_000;

/**
 * Works now, and again every hour; each time after the last one has ended.
 * @param work never rejects; asks whether it goes on
 * @returns a function that ends it, when what is under way has ended
 */
export function everyHour(
  work: (goesOn: () => boolean) => Promise<void>,
  everyMs = HOUR_MS,
): () => Promise<void> {
  let isOver = false;
  const once = (): Promise<void> => work(() => !isOver);
  let last = once();
  const timer = setInterval(() => {
    last = last.then(once);
  }, everyMs).unref();
  return async () => {
    isOver = true;
    clearInterval(timer);
    await last;
  };
}
