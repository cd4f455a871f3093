// Keeps the counts of entities beside the log now and then, so that totals of the past need not be counted
// again.
import type { OpenLog, WithOpenLog } from '../provenance/open-log.ts';

/**
 * Fewest events between two kept sets of counts; where there are more counts than that, as many events as
 * counts.
 */
const EVERY = 256;

/**
 * The same door, which after every so many events puts the counts down in the transaction of the write.
 * @param keep puts them down and answers how many there are
 */
export function keepingCounts<Client>(
  open: <T>(
    work: (log: OpenLog & { readonly client: Client }) => Promise<T>,
    expected?: number,
  ) => Promise<T>,
  keep: (client: Client) => Promise<number>,
): WithOpenLog {
  let since = EVERY; // a process that starts does not know how long ago it was
  let interval = EVERY;
  return (work, expected) =>
    open(
      (log) =>
        work({
          revision: log.revision,
          catalogue: (known) => log.catalogue(known),
          load: (needs, large) => log.load(needs, large),
          async flush(set, isLast) {
            since += set.events.length;
            if (since < interval) return log.flush(set, isLast);
            since = 0;
            const timestamps = await log.flush(set, false);
            interval = Math.max(EVERY, await keep(log.client));
            return timestamps;
          },
        }),
      expected,
    );
}
