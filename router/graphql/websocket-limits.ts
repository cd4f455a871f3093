// Limits on WebSocket clients: connections, bytes, refused operations; accounted to the address until a
// credential is known, then to the actor.
import type { Limits } from '../../platform/config/limits-section.ts';
import { DomainError } from '../../platform/errors.ts';
import { type Account, type ByteBudget, type Payer, payerOf } from '../../platform/intake/byte-budget.ts';
import { createProcessRateLimiter, type Rate } from '../edge/rate-limits/rate-limiter.ts';
import { ConcurrencyLimits } from './concurrency-limits.ts';

/** Maximum message bytes before authentication: only `connection_init` with a credential is expected. */
const UNKNOWN_BYTES = 64 * 1024;

const perMinute = (count: number): Rate => ({ perSecond: count / 60, burst: count });

const tooMany = (limit: number, what: string): DomainError =>
  new DomainError('rate_limit_exceeded', `more than ${limit} ${what} a minute`, { limit });

/**
 * The limits of one connection. An exception is a DomainError `rate_limit_exceeded`, `payload_too_large` or
 * `component_unavailable`, and ends the connection.
 */
export interface Guest {
  /** From now on the connection counts for this actor. */
  isOf(actor: string): void;
  /** Bytes of an incomplete message have arrived. */
  bytes(count: number): void;
  /** The message is complete: its bytes are held until its account is closed. */
  message(): Account;
  /** Whether an incomplete message has exceeded its time limit. */
  isLate(): boolean;
  /**
   * A ping or a pong has arrived, of either protocol.
   * @param frame its bytes, where they are no message: what comes with it is not one that never ends
   */
  ping(frame?: number): void;
  /** An operation was refused. */
  refused(): void;
  leave(): void;
}

export class WebSocketLimits {
  readonly #limits: Limits;
  readonly #budget: ByteBudget;
  readonly #ofActors: ConcurrencyLimits;
  readonly #ofAddresses: ConcurrencyLimits;
  readonly #buckets = createProcessRateLimiter();
  #admitted = 0;

  constructor(limits: Limits, budget: ByteBudget) {
    this.#limits = limits;
    this.#budget = budget;
    this.#ofActors = new ConcurrencyLimits(limits.websocketsPerActor, 'WebSockets');
    this.#ofAddresses = new ConcurrencyLimits(limits.websocketsPerAddress, 'WebSockets without a credential');
  }

  /** @throws DomainError `rate_limit_exceeded` if there are too many connections */
  admit(address: string, actor: string | undefined): Guest {
    const { bodySeconds, pingsPerMinute, refusalsPerMinute } = this.#limits;
    const number = ++this.#admitted;
    let payer = payerOf(actor, address);
    let leave = this.#place(payer);
    let account: Account = this.#budget.open(payer);
    /** Those of complete messages. */
    const accounts = new Set<Account>();
    let pending = 0;
    let since = 0;
    const take = (key: string, count: number, what: string): void => {
      if (!this.#buckets.take(`${what} ${key}`, perMinute(count)).allowed) throw tooMany(count, what);
    };
    return {
      isOf: (proven) => {
        payer = payerOf(proven, address);
        const taken = this.#place(payer);
        leave();
        leave = taken;
      },
      bytes: (count) => {
        if (pending === 0) since = performance.now();
        pending += count;
        if (!payer.isProven && pending > UNKNOWN_BYTES)
          throw new DomainError(
            'payload_too_large',
            `more than ${UNKNOWN_BYTES} bytes before connection_init was answered`,
            { limit: UNKNOWN_BYTES },
          );
        account.take(count);
      },
      message: () => {
        const message = account;
        account = this.#budget.open(payer);
        pending = 0;
        accounts.add(message);
        return {
          ...message,
          close: () => {
            accounts.delete(message);
            message.close();
          },
        };
      },
      isLate: () => pending > 0 && performance.now() - since > bodySeconds * 1000,
      ping: (frame = 0) => {
        pending = Math.max(0, pending - frame);
        if (pending === 0) account.close();
        take(String(number), pingsPerMinute, 'pings');
      },
      refused: () => {
        take(payer.key, refusalsPerMinute, 'refused operations');
      },
      leave: () => {
        leave();
        account.close();
        for (const message of accounts) message.close();
      },
    };
  }

  #place({ key, isProven }: Payer): () => void {
    return (isProven ? this.#ofActors : this.#ofAddresses).take(key);
  }
}
