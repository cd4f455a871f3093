// Who follows the change feed in this process, and how far behind the end of the log they are.
import { gauge } from '../../../platform/metrics/process-metrics.ts';

interface Follower {
  /** The position up to which it has been given what there is. */
  at: number;
  readonly leave: () => void;
}

const followers = new Set<Follower>();

/** One more, at a position of the log. */
export function follower(position: string): Follower {
  const one: Follower = {
    at: Number(position),
    leave: () => {
      followers.delete(one);
    },
  };
  followers.add(one);
  return one;
}

gauge('cairn_feed_followers', 'Followers of the change feed.', () => [{ value: followers.size }]);

/** The most events that a follower has before it. */
export const feedLag = (endOfLog: number): number =>
  Math.max(0, ...[...followers].map(({ at }) => endOfLog - at));
