// Counts connections that are open at once, in total and by address, and says which is one too many.
import type { Limits } from '../config/limits-section.ts';
import { shed } from '../metrics/intake-metrics.ts';
import { addressKey } from './address-key.ts';

export interface IntakeOptions {
  readonly limits: Limits;
  /** Peers in trusted networks may be proxies, which bring the connections of many. */
  readonly isTrusted: (address: string) => boolean;
}

/** The limit that a connection met. */
export type Crowded = 'connections_of_all' | 'connections_of_one';

export class OpenConnections {
  readonly #options: () => IntakeOptions;
  readonly #byAddress = new Map<string, number>();
  #taken = 0;

  constructor(options: () => IntakeOptions) {
    this.#options = options;
  }

  /** @returns what gives the place back, once; or why there is none, which is counted */
  take(peer: string): (() => void) | Crowded {
    const { limits, isTrusted } = this.#options();
    const key = isTrusted(peer) ? undefined : addressKey(peer);
    const others = key === undefined ? 0 : (this.#byAddress.get(key) ?? 0);
    let met: Crowded | undefined;
    if (this.#taken >= limits.connections) met = 'connections_of_all';
    else if (others >= limits.connectionsPerAddress) met = 'connections_of_one';
    if (met !== undefined) {
      shed[met].value++;
      return met;
    }
    this.#taken++;
    if (key !== undefined) this.#byAddress.set(key, others + 1);
    let isGiven = true;
    return () => {
      if (!isGiven) return;
      isGiven = false;
      this.#taken--;
      if (key === undefined) return;
      const left = (this.#byAddress.get(key) ?? 1) - 1;
      if (left > 0) this.#byAddress.set(key, left);
      else this.#byAddress.delete(key);
    };
  }
}
