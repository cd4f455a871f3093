// Puts the library's subgraphs behind HTTP on loopback, so that the same test runs over both transports.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Component } from '../../platform/component.ts';
import { createSubgraphHandler, type SubgraphServerOptions } from '../../platform/serve-subgraph.ts';
import { signNobody } from '../../platform/signed-identity/identity-signer.ts';
import { Circuit } from '../../router/circuit/circuit.ts';
import { createRemoteComponent } from '../../router/remote/remote-component.ts';
import { log } from './library.ts';

export interface Served {
  readonly url: string;
  readonly server: Server;
  readonly close: () => Promise<void>;
}

export async function listen(
  handler: (req: IncomingMessage, res: ServerResponse) => unknown,
  port = 0,
): Promise<Served> {
  const server = createServer((req, res) => void handler(req, res));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const subgraphOptions: SubgraphServerOptions = { believes: () => true, bodyLimit: 1_000_000, log };

export async function overHttp(
  component: Component,
): Promise<{ component: Component; close(): Promise<void> }> {
  const served = await listen(createSubgraphHandler(component, subgraphOptions));
  const remote = createRemoteComponent({
    circuit: new Circuit('remote'),
    name: component.name,
    url: served.url,
    healthPath: '/health',
    timeoutMs: 2000,
    sign: signNobody,
  });
  return {
    component: remote,
    close: async () => {
      await remote.close();
      await served.close();
    },
  };
}
