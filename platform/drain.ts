// Shuts down an HTTP server: waits for requests in flight, and does not wait for idle connections.
import { once } from 'node:events';
import type { Server } from 'node:http';
import net from 'node:net';
import { setImmediate as afterPolling } from 'node:timers/promises';
import { waitAtMost } from './wait-at-most.ts';

const DRAIN_MS = 10_000;
const LOOK_MS = 100;

/**
 * How long clients may use their connections after the lame duck, in milliseconds: those that were idle all the while
 * have not been told that the server stops, and ending one at once refuses a request that is on its way.
 */
export const LINGER_MS = 5000;

/** How a server stops. */
export interface Drain {
  /**
   * From now on the answer to a request ends its connection, so that the client's next one makes a new
   * connection. The server goes on accepting.
   */
  readonly retire: () => void;
  /**
   * Stops accepting connections, waits for requests in flight, and ends them after ten seconds.
   * @param lingerMs how long idle connections may still be used
   */
  readonly end: (lingerMs?: number) => Promise<void>;
}

/**
 * Stops accepting connections but still serves the open ones, for the case that another process listens on
 * the same port. http's own `close` would end idle connections at once, together with a request that is
 * already on its way.
 */
async function linger(server: net.Server, closed: Promise<unknown>, milliseconds: number): Promise<void> {
  net.Server.prototype.close.call(server);
  await waitAtMost(milliseconds, closed);
}

/** Connections that the system keeps for a server before it accepts them: Node's own bound. */
const BACKLOG = 511;

/**
 * Accepts what the system has connected while this process was late: closing the listening socket would reset it. Each
 * time that it looks for events libuv accepts one.
 */
async function acceptWaiting(listening: net.Server): Promise<void> {
  let accepted = 0;
  const count = (): void => {
    accepted++;
  };
  listening.on('connection', count);
  // the first may come before events are looked for
  for (let turns = 0, empty = 0; turns < BACKLOG && empty < 2; turns++) {
    const before = accepted;
    await afterPolling();
    empty = accepted === before ? empty + 1 : 0;
  }
  listening.off('connection', count);
}

/** What accepts a server's connections, if that is not the server itself. */
interface Front {
  readonly server: net.Server;
  /** Ends those that the server has not got yet. */
  endHandshakes(): void;
}

/**
 * Call it before the server listens.
 *
 * http counts a connection without any data as busy, so such connections are closed here: browsers open
 * connections in advance.
 */
export function drainable(server: Server, front?: Front): Drain {
  const listening = front?.server ?? server;
  const open = new Set<net.Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
    });
  });
  const endIdle = (): void => {
    front?.endHandshakes();
    server.closeIdleConnections();
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
  let isRetired = false;
  const retire = (): void => {
    if (isRetired) return;
    isRetired = true;
    server.prependListener('request', (_, res) => {
      res.shouldKeepAlive = false;
    });
  };
  return {
    retire,
    async end(lingerMs = 0) {
      retire();
      await acceptWaiting(listening);
      const closed = once(listening, 'close');
      if (lingerMs > 0) await linger(listening, closed, lingerMs);
      listening.close();
      const looking = setInterval(endIdle, LOOK_MS); // not immediately: a first request may be on its way
      const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      await closed;
      clearInterval(looking);
      clearTimeout(late);
    },
  };
}
