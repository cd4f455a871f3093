// How many bytes of bodies a process holds at once: all together, for one actor, and for one address that has
// not said whose it is.
import { getHeapStatistics } from 'node:v8';
import type { Limits } from '../config/limits-section.ts';
import { DomainError } from '../errors.ts';
import { addressKey } from './address-key.ts';
import { shed } from '../metrics/intake-metrics.ts';

export type ByteLimits = Pick<Limits, 'bodyBytes' | 'bodyBytesPerActor' | 'bodyBytesPerAddress'>;

/** Bodies have one of so many parts of the heap: texts, rows and statements are made of them, each as large. */
const PARTS_OF_HEAP = 8;

/** The limits, all smaller by as much where the heap is too small for them. */
export function fittingHeap(limits: ByteLimits, heap = getHeapStatistics().heap_size_limit): ByteLimits {
  const share = Math.min(1, heap / PARTS_OF_HEAP / limits.bodyBytes);
  return {
    bodyBytes: Math.floor(limits.bodyBytes * share),
    bodyBytesPerActor: Math.floor(limits.bodyBytesPerActor * share),
    bodyBytesPerAddress: Math.floor(limits.bodyBytesPerAddress * share),
  };
}

/** Bodies in small pieces that one payer may send at once. */
const MAX_TRICKLING = 8;

/** Who bytes are held for: an actor, where a credential has proven it, else an address. */
export interface Payer {
  readonly key: string;
  readonly isProven: boolean;
}

export const payerOf = (actor: string | undefined, address: string | undefined): Payer =>
  actor === undefined
    ? { key: `address ${addressKey(address)}`, isProven: false }
    : { key: `actor ${actor}`, isProven: true };

/** The bytes of one body, or of one message. */
export interface Account {
  /**
   * Holds more.
   * @throws DomainError `payload_too_large` where it could not be held were there nothing else, `rate_limit_exceeded`
   * for the payer's share, `component_unavailable` where all together hold too much
   */
  readonly take: (bytes: number) => void;
  /**
   * It comes in many small pieces, each of which costs more than its bytes.
   * @throws DomainError `rate_limit_exceeded` where the payer has too many such
   */
  trickle(): void;
  /** Gives all of it back; may be called again. */
  readonly close: () => void;
}

/** Bytes that come and go while one request is worked with. */
export interface HeldBytes {
  /** @throws DomainError as {@link Account.take} */
  readonly take: (bytes: number) => void;
  /** Gives back all that has been taken. */
  readonly release: () => void;
}

/** Without a budget nothing is counted. */
export function holdBytes(budget: ByteBudget | undefined, payer: Payer): HeldBytes {
  let account = budget?.open(payer);
  return {
    take: (bytes) => account?.take(bytes),
    release: () => {
      account?.close();
      account = budget?.open(payer);
    },
  };
}

export class ByteBudget {
  readonly #limits: () => ByteLimits;
  readonly #held = new Map<string, number>();
  readonly #trickling = new Map<string, number>();
  #all = 0;
  #unproven = 0;

  constructor(limits: () => ByteLimits) {
    this.#limits = limits;
  }

  /** Bytes held now. */
  get held(): number {
    return this.#all;
  }

  open({ key, isProven }: Payer): Account {
    let mine = 0;
    let isTrickling = false;
    return {
      take: (bytes) => {
        this.#assertRoom({ key, isProven }, mine, bytes);
        mine += bytes;
        this.#add(key, isProven, bytes);
      },
      trickle: () => {
        if (isTrickling) return;
        const others = this.#trickling.get(key) ?? 0;
        if (others >= MAX_TRICKLING) {
          shed.small_pieces.value++;
          throw new DomainError(
            'rate_limit_exceeded',
            `more than ${MAX_TRICKLING} concurrent requests whose bodies arrive in small chunks`,
            { limit: MAX_TRICKLING },
          );
        }
        isTrickling = true;
        this.#trickling.set(key, others + 1);
      },
      close: () => {
        if (isTrickling) this.#endTrickle(key);
        isTrickling = false;
        if (mine > 0) this.#add(key, isProven, -mine);
        mine = 0;
      },
    };
  }

  #endTrickle(key: string): void {
    const left = (this.#trickling.get(key) ?? 1) - 1;
    if (left > 0) this.#trickling.set(key, left);
    else this.#trickling.delete(key);
  }

  #add(key: string, isProven: boolean, bytes: number): void {
    this.#all += bytes;
    if (!isProven) this.#unproven += bytes;
    const now = (this.#held.get(key) ?? 0) + bytes;
    if (now > 0) this.#held.set(key, now);
    else this.#held.delete(key);
  }

  /** Those without a credential have half of it at most, so that they keep nobody out who has one. */
  #assertRoom({ key, isProven }: Payer, mine: number, bytes: number): void {
    const { bodyBytes, bodyBytesPerActor, bodyBytesPerAddress } = this.#limits();
    const share = isProven ? bodyBytesPerActor : bodyBytesPerAddress;
    const ofAll = isProven ? bodyBytes : Math.floor(bodyBytes / 2);
    const alone = Math.min(share, ofAll);
    if (mine + bytes > alone) {
      throw new DomainError(
        'payload_too_large',
        `this alone takes more than the ${alone} bytes that one caller may have under way`,
        { limit: alone },
      );
    }
    if ((this.#held.get(key) ?? 0) + bytes > share) {
      shed.bytes_of_one.value++;
      throw new DomainError('rate_limit_exceeded', `more than ${share} bytes of concurrent requests`, {
        limit: share,
      });
    }
    if (this.#all + bytes > bodyBytes || (!isProven && this.#unproven + bytes > ofAll)) {
      shed.bytes_of_all.value++;
      throw new DomainError(
        'component_unavailable',
        'the server has reached its limit for bytes of concurrent requests',
        {
          component: 'gateway',
          upstream_status: null,
        },
      );
    }
  }
}
