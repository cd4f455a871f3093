// Processes items concurrently with a limit, and reads the source no faster than items are processed.

/**
 * Resolves when the source has ended and all work is done. Rejects at the first error, after which no further
 * item is read.
 */
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
