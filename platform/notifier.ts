// Wakes whoever waits for something in the database to change: one LISTEN for all of them, held only while
// somebody waits, and a poll in case a notification is lost.
import type { Logger } from 'pino';
import type { Listener } from './database/listener.ts';

export interface NotifierOptions {
  readonly listen: Listener['listen'];
  /** Its notifications carry the key of what has changed. */
  readonly channel: string;
  readonly log: Logger;
  /** Longest wait in milliseconds; 5 s. */
  readonly pollMs?: number;
}

/** To be released when nobody waits any more. */
export interface Waiter {
  /**
   * Resolves when there has been a notification since the last call returned (before the first: since the
   * waiter was made), after the time, or when the signal is aborted, whichever is first.
   */
  next(milliseconds?: number): Promise<void>;
  release(): Promise<void>;
}

export class Notifier {
  readonly #options: NotifierOptions;
  /** Callbacks by the key that they follow; null: any. */
  readonly #followers = new Map<string | null, Set<() => void>>();
  #listening: Promise<() => Promise<void>> | undefined;
  #count = 0;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  /** How many notifications there have been while somebody listened. */
  get count(): number {
    return this.#count;
  }

  /**
   * Calls back at each notification with the key (null: at each), and after every gap in which some may have
   * been missed, until the function that is returned is called.
   */
  async follow(key: string | null, onChange: () => void): Promise<() => Promise<void>> {
    const callbacks = this.#followers.get(key) ?? new Set();
    const callback = (): void => {
      onChange();
    }; // of its own: the same function may follow twice
    this.#followers.set(key, callbacks.add(callback));
    const release = async (): Promise<void> => {
      if (callbacks.delete(callback) && callbacks.size === 0) this.#followers.delete(key);
      if (this.#followers.size > 0) return;
      const listening = this.#listening;
      this.#listening = undefined;
      await listening
        ?.then((stop) => stop())
        .catch((err: unknown) => {
          this.#options.log.warn(
            { err, channel: this.#options.channel },
            'listening for notifications could not be stopped',
          );
        });
    };
    try {
      await (this.#listening ??= this.#listen());
    } catch (fault) {
      this.#listening = undefined;
      await release();
      throw fault;
    }
    return release;
  }

  /** Follows a key (null: any) for somebody who looks, and then waits until there may be something new. */
  async waiter(key: string | null, signal?: AbortSignal): Promise<Waiter> {
    let isNotified = false;
    let wake = (): void => undefined;
    const release = await this.follow(key, () => {
      isNotified = true;
      wake();
    });
    return {
      release,
      next: async (milliseconds = this.#options.pollMs ?? 5000) => {
        if (!isNotified && signal?.aborted !== true)
          await new Promise<void>((resolve) => {
            wake = () => {
              clearTimeout(timer);
              signal?.removeEventListener('abort', wake);
              resolve();
            };
            const timer = setTimeout(wake, milliseconds).unref();
            signal?.addEventListener('abort', wake, { once: true });
          });
        isNotified = false;
      },
    };
  }

  #listen(): Promise<() => Promise<void>> {
    const { listen, channel } = this.#options;
    return listen(
      channel,
      (key) => {
        this.#notify(key);
      },
      () => {
        this.#notify(null);
      },
    );
  }

  /** @param key null after a gap: anything may have changed */
  #notify(key: string | null): void {
    this.#count++;
    const woken =
      key === null ? this.#followers.values() : [this.#followers.get(key), this.#followers.get(null)];
    for (const callbacks of [...woken]) for (const callback of [...(callbacks ?? [])]) callback();
  }
}
