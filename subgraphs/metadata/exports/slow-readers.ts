// Readers who take nothing keep others from a slot, and a connection to the database: whoever waits has the slowest of
// them make room.
import { DomainError } from '../../../platform/errors.ts';

/** For how long a reader may leave a block while others wait, in milliseconds, and how often those look. */
const IDLE_TIMEOUT_MS = 10_000;
const LOOK_MS = 1000;

interface Reader {
  /** Since when a block has been left; undefined while the next is made. */
  leftAt: number | undefined;
  isCut: boolean;
  readonly cut: () => void;
}

export class SlowReaders {
  readonly #open = new Set<Reader>();

  /**
   * The blocks, as long as they are read.
   * @throws DomainError `rate_limit_exceeded` to a reader who comes back too late; the blocks have been ended before
   */
  async *follow<Block>(
    blocks: AsyncGenerator<Block, void, undefined>,
  ): AsyncGenerator<Block, void, undefined> {
    const reader: Reader = { leftAt: undefined, isCut: false, cut: () => void blocks.return() };
    this.#open.add(reader);
    try {
      for await (const block of blocks) {
        reader.leftAt = performance.now();
        yield block;
        reader.leftAt = undefined;
        if (reader.isCut)
          throw new DomainError(
            'rate_limit_exceeded',
            `the export was ended: nothing was read for ${IDLE_TIMEOUT_MS / 1000} s while others waited`,
          );
      }
    } finally {
      this.#open.delete(reader);
    }
  }

  /** Waits for a slot. */
  async makingRoom<Slot>(waiting: Promise<Slot>): Promise<Slot> {
    const looking = setInterval(() => {
      this.#cutSlowest();
    }, LOOK_MS).unref();
    try {
      return await waiting;
    } finally {
      clearInterval(looking);
    }
  }

  #cutSlowest(): void {
    const late = performance.now() - IDLE_TIMEOUT_MS;
    const [slowest] = [...this.#open]
      .filter(({ leftAt = Infinity, isCut }) => leftAt < late && !isCut)
      .sort((a, b) => (a.leftAt ?? 0) - (b.leftAt ?? 0));
    if (slowest === undefined) return;
    slowest.isCut = true;
    slowest.cut();
  }
}
