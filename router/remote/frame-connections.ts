// The connections over which a component takes operations in frames, where it does: a component of an earlier version,
// or somebody else's, is asked in requests of their own as ever.
import type { Socket } from 'node:net';
import type { Pool } from 'undici';
import { type Caller, identityHeaders } from '../../platform/identity.ts';
import { FRAMES_PROTOCOL } from '../../platform/operation-frames/frame-format.ts';
import type { SignIdentity } from '../../platform/signed-identity/identity-signer.ts';
import { FrameConnection } from './frame-connection.ts';

export interface FrameConnectionsOptions {
  readonly name: string;
  readonly pool: Pool;
  /** The component's GraphQL endpoint on the pool's origin. */
  readonly path: string;
  readonly timeoutMs: number;
  readonly sign: SignIdentity;
  /** The router's own identity. */
  readonly router: Caller;
}

/** More than one, because an address may be that of several processes. */
const CONNECTIONS = 4;
/** Milliseconds after which a component that takes no frames is asked again whether it does. */
const RETRY_MS = 10_000;
/** Milliseconds after which a connection is replaced, so that processes that have come since get their share. */
const MAX_AGE_MS = 5 * 60_000;
const KEEP_ALIVE_MS = 15_000;

export class FrameConnections {
  readonly #options: FrameConnectionsOptions;
  readonly #open = new Set<FrameConnection>();
  readonly #ending = new Set<Promise<void>>();
  #latest: FrameConnection | undefined;
  #connecting: Promise<void> | undefined;
  #retryAt = 0;
  #isClosed = false;

  constructor(options: FrameConnectionsOptions) {
    this.#options = options;
  }

  /** Where the next operation goes: with others of this tick, else where the fewest are. Undefined: as a request. */
  choose(): FrameConnection | undefined {
    if (this.#latest?.isFilling === true && this.#latest.hasRoom) return this.#latest;
    let best: FrameConnection | undefined;
    for (const one of this.#open)
      if (one.hasRoom && (best === undefined || one.underWay < best.underWay)) best = one;
    return (this.#latest = best);
  }

  /** The component has answered a request: it may be asked whether it takes frames. */
  answered(): void {
    if (this.#connecting !== undefined || this.#isClosed || this.#open.size >= CONNECTIONS) return;
    if (performance.now() < this.#retryAt) return;
    this.#connecting = this.#connect().finally(() => {
      this.#connecting = undefined;
      if (this.#open.size > 0) this.answered();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connecting;
    await Promise.all([...[...this.#open].map((one) => one.close()), ...this.#ending]);
  }

  async #connect(): Promise<void> {
    const { name, pool, path, timeoutMs, sign, router } = this.#options;
    this.#retryAt = performance.now() + RETRY_MS;
    try {
      const { socket, headers } = await pool.upgrade({
        path,
        method: 'GET',
        protocol: FRAMES_PROTOCOL,
        headers: identityHeaders(router, await sign(router, name)),
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (headers['upgrade'] === FRAMES_PROTOCOL && !this.#isClosed)
        this.#add(socket as Socket); // of an HTTP client
      else socket.destroy();
    } catch {
      // it takes none, or is away, which whoever asks something is told
    }
  }

  #add(socket: Socket): void {
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
    const connection = new FrameConnection(socket, {
      timeoutMs: this.#options.timeoutMs,
      onLeft: () => {
        clearTimeout(aged);
        this.#open.delete(connection);
      },
    });
    const ages = (): void => {
      connection.leave();
      this.answered(); // others still answer: another one takes its place
    };
    const aged = setTimeout(ages, MAX_AGE_MS * (0.5 + Math.random() / 2)).unref();
    const ended = new Promise<void>((resolve) => {
      socket.once('close', () => {
        this.#ending.delete(ended);
        resolve();
      });
    });
    this.#ending.add(ended);
    this.#open.add(connection);
    this.#retryAt = 0;
  }
}
