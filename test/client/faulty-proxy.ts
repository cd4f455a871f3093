// A proxy before a server with scripted faults: one fault for each request, then it works normally.
import {
  createServer,
  type IncomingMessage,
  request as forward,
  type Server,
  type ServerResponse,
} from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type Fault =
  | 'pass'
  /** The connection is closed before the server has received anything. */
  | 'cut before'
  /** The server handles the request; its answer is lost. */
  | 'cut after'
  /** The answer is truncated. */
  | 'cut within'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | { readonly delayMs: number };

async function bodyOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

async function answerOf(target: string, req: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  const sent = forward(new URL(req.url ?? '/', target), {
    method: req.method,
    headers: { ...req.headers, host: new URL(target).host },
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return answer;
}

export interface FaultyProxy extends AsyncDisposable {
  readonly url: string;
  /** GraphQL operation names of the requests so far, including those that the server never received. */
  readonly asked: string[];
  readonly headers: IncomingMessage['headers'][];
  /** Faults of the next requests. */
  plan(...faults: Fault[]): void;
  /** Closes every connection. */
  cut(): void;
}

export async function faultyProxy(target: string, port = 0): Promise<FaultyProxy> {
  const planned: Fault[] = [];
  const asked: string[] = [];
  const headers: IncomingMessage['headers'][] = [];

  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const fault = planned.shift() ?? 'pass';
    const body = await bodyOf(req);
    asked.push(/(?:query|mutation|subscription) (\w+)/.exec(body.toString())?.[1] ?? '');
    headers.push(req.headers);
    if (fault === 'cut before') return void req.socket.destroy();
    if (typeof fault === 'object' && 'status' in fault)
      return void res.writeHead(fault.status, fault.headers ?? {}).end(fault.body ?? '');
    if (typeof fault === 'object') await sleep(fault.delayMs);
    const answer = await answerOf(target, req, body);
    if (fault === 'cut after' || fault === 'cut within') {
      const whole = await bodyOf(answer);
      if (fault === 'cut after') return void req.socket.destroy();
      return void res.writeHead(answer.statusCode ?? 502, answer.headers).write(whole.subarray(0, 10), () => {
        req.socket.destroy();
      });
    }
    res.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
    if (res.closed) return void answer.destroy();
    res.on('close', () => {
      answer.destroy();
    });
    answer.pipe(res);
  };

  const server: Server = createServer((req, res) => {
    handle(req, res).catch(() => {
      req.socket.destroy();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    headers,
    plan: (...faults) => {
      planned.push(...faults);
    },
    cut: () => {
      server.closeAllConnections();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
