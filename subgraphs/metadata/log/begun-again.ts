// Writes of a process that stands still while it holds the log's lock: on a busy machine, one that is suspended, or
// where little heap is left.
import { StoodStill } from './open-log.ts';

/** How often a batch is begun: the lock may be kept from others for seconds each time. */
const MOST = 3;

/** @throws StoodStill the last of {@link MOST} */
export async function begunAgain<T>(decided: () => Promise<T>, attempt = 1): Promise<T> {
  try {
    return await decided();
  } catch (error) {
    if (!(error instanceof StoodStill) || attempt === MOST) throw error;
    return begunAgain(decided, attempt + 1);
  }
}
