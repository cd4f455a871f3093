// How an HTTP server ends without cutting off what is under way, and without waiting for what is not.
import { once } from 'node:events';
import type { Server } from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const DRAIN_MS = 10_000;
const LOOK_MS = 100;

/**
 * Takes no more connections, but answers on those it has, and asks clients to come back on a new one: where another process listens
 * on the same port. http's own `close` would end idle connections at once, and with them a request that is on its way.
 */
async function linger(server: Server, closed: Promise<unknown>, milliseconds: number): Promise<void> {
  server.prependListener('request', (_, res) => {
    res.shouldKeepAlive = false;
  });
  net.Server.prototype.close.call(server);
  const over = new AbortController();
  await Promise.race([
    closed,
    sleep(milliseconds, undefined, { signal: over.signal }).catch(() => undefined),
  ]); // aborted: all had gone before
  over.abort();
}

/**
 * To be called before the server listens. The function it answers stops accepting, lets requests in flight end, and after ten seconds
 * ends them. `lingerMs`: for how long idle connections may still be used.
 *
 * http counts a connection on which nothing was ever sent as busy, so these are looked after here: browsers open one ahead of need.
 */
export function drainable(server: Server): (lingerMs?: number) => Promise<void> {
  const open = new Set<net.Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
    });
  });
  const endIdle = (): void => {
    server.closeIdleConnections();
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
  return async (lingerMs = 0) => {
    const closed = once(server, 'close');
    if (lingerMs > 0) await linger(server, closed, lingerMs);
    server.close();
    const looking = setInterval(endIdle, LOOK_MS); // not at once: a first request may be on its way
    const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    await closed;
    clearInterval(looking);
    clearTimeout(late);
  };
}
