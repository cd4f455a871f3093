// A free port, for a process that is told where to listen.
import { randomInt } from 'node:crypto';
import net from 'node:net';

/** Whether it could be listened at. */
const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/**
 * Below those that the system gives to connections and to whoever asks for any (from 32768): one of these may be taken by
 * the many processes of a run before the one that is told it listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}
