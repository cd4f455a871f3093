// How an HTTP server ends without cutting off what is under way.
import { once } from 'node:events';
import type { Server } from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const DRAIN_MS = 10_000;

/**
 * Takes no more connections, but answers on those it has, and asks clients to come back on a new one: where another process listens
 * on the same port. http's own `close` would end idle connections at once, and with them a request that is on its way.
 */
async function linger(server: Server, closed: Promise<unknown>, milliseconds: number): Promise<void> {
  server.prependListener('request', (_, res) => { res.shouldKeepAlive = false; });
  net.Server.prototype.close.call(server);
  const over = new AbortController();
  await Promise.race([closed, sleep(milliseconds, undefined, { signal: over.signal }).catch(() => undefined)]); // aborted: all had gone before
  over.abort();
}

/** Stops accepting, lets requests in flight end, and after ten seconds ends them. `lingerMs`: for how long idle connections may still be used. */
export async function drain(server: Server, lingerMs = 0): Promise<void> {
  const closed = once(server, 'close');
  if (lingerMs > 0) await linger(server, closed, lingerMs);
  server.close();
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
