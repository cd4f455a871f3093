// A loopback HTTP server with scripted answers that records requests: the platform for tests of client
// commands.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { systemErrorCode } from '../../platform/system-error-code.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string[]>>;
  readonly authorization: string | undefined;
  /** Undefined for none, and for what is no JSON. */
  readonly body: unknown;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Answer {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

export interface PlatformDouble extends AsyncDisposable {
  readonly url: string;
  readonly asked: Asked[];
}

export async function platformDouble(
  answer: (asked: Asked) => Answer | Promise<Answer>,
): Promise<PlatformDouble> {
  const asked: Asked[] = [];
  const respond = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const url = new URL(req.url ?? '/', 'http://double');
    const query = Object.fromEntries(
      [...url.searchParams.keys()].map((name) => [name, url.searchParams.getAll(name)]),
    );
    const text = await textOf(req);
    const isJson = req.headers['content-type'] === 'application/json';
    const one: Asked = {
      method: req.method ?? '',
      path: url.pathname,
      query,
      authorization: req.headers.authorization,
      body: isJson ? (JSON.parse(text) as unknown) : undefined,
      text,
      headers: req.headers,
    };
    asked.push(one);
    const { status = 200, body: answered, headers = {} } = await answer(one);
    res
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof answered === 'string' ? answered : JSON.stringify(answered));
  };
  const server = createServer((req, res) => {
    respond(req, res).catch((error: unknown) => {
      // a command that is stopped leaves in the middle of its request
      if (systemErrorCode(error) !== 'ECONNRESET') throw error;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
