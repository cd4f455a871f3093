// Works on many items at once, but never on more than a number of them, and reads the source no faster than that.

/** Ends when the source has ended and all work is done, or at once with the first error, after which no further item is taken. */
export async function inFlight<Item>(
  source: AsyncGenerator<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let failed = false;
  const worker = async (): Promise<void> => {
    while (!failed) {
      const next = await source.next();
      if (next.done === true) return;
      await work(next.value);
    }
  };
  await Promise.all(
    Array.from({ length: limit }, () =>
      worker().catch((error: unknown) => {
        failed = true;
        throw error;
      }),
    ),
  );
}
