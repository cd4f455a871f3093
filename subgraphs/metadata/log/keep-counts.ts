// Stores the counts of entities beside the log at intervals, so that totals of the past need not be
// recounted.
import type { OpenLog, OpenLogOptions, WithOpenLog } from './open-log.ts';

/**
 * Minimum number of events between two stored sets of counts; if there are more counts than that, the
 * interval is their number.
 */
export const COUNTS_KEPT_EVERY = 256;

/**
 * Wraps the door so that, after this many events, the counts are stored in the transaction of the write.
 * @param keep stores them and returns their number
 */
export function keepingCounts<Client>(
  open: <T>(
    work: (log: OpenLog & { readonly client: Client }) => Promise<T>,
    options?: OpenLogOptions,
  ) => Promise<T>,
  keep: (client: Client) => Promise<number>,
): WithOpenLog {
  let since = COUNTS_KEPT_EVERY; // a new process does not know when they were last stored
  let interval = COUNTS_KEPT_EVERY;
  return (work, options) =>
    open(
      (log) =>
        work({
          mark: log.mark,
          catalogue: (known) => log.catalogue(known),
          load: (needs, large) => log.load(needs, large),
          ready: (set) => log.ready(set),
          flush(set, isLast) {
            since += set.events.length;
            if (since < interval || set.events.length === 0) return log.flush(set, isLast);
            since = 0;
            return log.flush(set, isLast, async () => {
              interval = Math.max(COUNTS_KEPT_EVERY, await keep(log.client));
            });
          },
        }),
      options,
    );
}
