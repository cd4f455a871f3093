// A plain TCP load balancer: it asks each backend's `/readyz`, and gives new connections to those that are
// ready, in turn. It tries no connection and no request a second time.
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';

/** Milliseconds between two questions to one backend. */
const ASK_EVERY_MS = 200;

export interface Balancer extends AsyncDisposable {
  readonly url: string;
  /** Connections given to each port. */
  readonly given: ReadonlyMap<number, number>;
  /** Connections that no backend took, with what was last known of it. */
  readonly refused: readonly string[];
}

const isReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = http.get(
      { port, host: '127.0.0.1', path: '/readyz', agent: false, timeout: 2000 },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      },
    );
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => {
      resolve(false);
    });
  });

/** Resolves when every backend is ready. */
export async function balance(ports: readonly number[]): Promise<Balancer> {
  const ready = new Set<number>();
  const given = new Map(ports.map((port) => [port, 0]));
  const refused: string[] = [];
  const knownSince = new Map<number, number>();
  const look = async (): Promise<void> => {
    await Promise.all(
      ports.map(async (port) => {
        const asked = performance.now();
        const answer = await isReady(port);
        if (asked < (knownSince.get(port) ?? 0)) return; // a later question was answered before
        knownSince.set(port, asked);
        if (answer) ready.add(port);
        else ready.delete(port);
      }),
    );
  };
  while (ready.size < ports.length) await look();
  let turn = 0;
  const open = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const candidates = ports.filter((port) => ready.has(port));
    const port = candidates[turn++ % candidates.length];
    if (port === undefined) {
      refused.push('no backend was ready');
      client.destroy();
      return;
    }
    given.set(port, (given.get(port) ?? 0) + 1);
    const backend = net.connect(port, '127.0.0.1');
    const fault = (error: Error): number =>
      refused.push(
        `${port}, ready ${Math.round(performance.now() - (knownSince.get(port) ?? 0))} ms ago: ${error.message}`,
      );
    backend.once('error', fault).once('connect', () => backend.off('error', fault));
    for (const [one, other] of [
      [client, backend],
      [backend, client],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.end();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const looking = setInterval(() => void look(), ASK_EVERY_MS);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // listening on TCP
    given,
    refused,
    async [Symbol.asyncDispose]() {
      clearInterval(looking);
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
