// What the tests of passing requests through share.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Circuit } from '../../router/circuit/circuit.ts';
import { createPassThrough } from '../../router/pass-through/pass-through.ts';
import { type Gateway, type GatewayOptions, startGateway } from './gateway-testkit.ts';

interface Upstream extends AsyncDisposable {
  readonly url: string;
}

export async function startUpstream(
  listener: (...args: Parameters<RequestListener>) => unknown,
): Promise<Upstream> {
  const server = createServer((req, res) => {
    void listener(req, res);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

export const startBefore = (
  url: string,
  options: GatewayOptions & { timeoutMs?: number } = {},
): Promise<Gateway> =>
  startGateway({
    ...options,
    restApis: ({ addresses }) => ({
      viewer: createPassThrough({
        name: 'viewer',
        url,
        timeoutMs: options.timeoutMs ?? 2000,
        addresses,
        circuit: new Circuit('viewer'),
        perActor: () => () => undefined,
        sign: (identity, audience) => `signed.${audience}.${identity.actor}`,
      }),
    }),
  });
