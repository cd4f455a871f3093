// Serves REST rows over a component on a loopback port, like the edge with a fixed caller.
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { Caller } from '../../platform/identity.ts';
import { badRequest } from '../../platform/errors.ts';
import type { Component } from '../../platform/component.ts';
import { gatewayEnvelope } from '../../rest-compat/envelopes.ts';
import { createRestApi } from '../../rest-compat/handler.ts';
import type { RestRoute } from '../../rest-compat/route.ts';

export interface RowServer extends AsyncDisposable {
  get(path: string): Promise<{ status: number; body: unknown }>;
}

/**
 * A document is prepared when its row is asked, directly on the component: some rows ask what other components answer.
 * Errors fail the request that caused them.
 */
export async function serveRows(
  component: Component,
  rows: readonly RestRoute[],
  caller: Caller,
): Promise<RowServer> {
  const operations = new Set(rows.map((row) => row.operation));
  const api = createRestApi({
    component: component.name,
    prefix: '',
    rows,
    envelope: gatewayEnvelope,
    refuse: badRequest,
    bulkBodyLimit: 1 << 20,
    prepare: (document) => {
      if (!operations.has(document)) throw new Error("a document that is no row's");
      return { run: component.prepare(document), permission: 'authenticated' };
    },
    extensions: () => Promise.resolve({}),
    onFault: (error) => {
      throw error;
    },
  });
  const server = createServer((req, res) => {
    const [path = '', search = ''] = (req.url ?? '').split('?');
    const match = api.match(req.method ?? 'GET', path);
    Promise.resolve(
      match.handle({
        req,
        res,
        caller,
        path,
        search,
        requestId: caller.requestId,
        ip: '127.0.0.1',
        template: match.template,
        bodyLimit: 1 << 20,
      }),
    ).catch((error: unknown) => {
      res.destroy(error instanceof Error ? error : undefined);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    async get(path) {
      const response = await fetch(`http://127.0.0.1:${address.port}${path}`);
      return { status: response.status, body: await response.json() };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
