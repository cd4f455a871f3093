// What the tests of the change feed share.
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient, type Client as WsClient } from 'graphql-ws';
import { afterAll, beforeAll } from 'vitest';
import { WebSocket } from 'ws';
import { startServer, type TestServer } from '../testkit/server.ts';

export const FEED =
  'subscription Feed($after: String, $filter: String) { provenanceEvents(after: $after, filter: $filter) { token event { id eventType entityId payload } } }';

interface Item {
  token: string;
  event: { id: string; eventType: string; entityId: string | null };
}

export interface Result {
  data?: { provenanceEvents: Item } | null;
  errors?: readonly { message: string; extensions?: Record<string, unknown> }[];
}

/** Where the clients of both transports put what arrives. */
interface Sink {
  next: (result: unknown) => void;
  error: (fault: unknown) => void;
  complete: () => void;
}

/** Results as they arrive, over any transport. */
export class Reader {
  readonly results: Result[] = [];
  ended: unknown = undefined;
  readonly #stop: () => void;
  constructor(start: (sink: Sink) => () => void) {
    this.#stop = start({
      next: (r) => {
        this.results.push(r as Result);
      },
      error: (e) => {
        this.ended = e;
      },
      complete: () => {
        this.ended = 'complete';
      },
    });
  }

  async take(count: number, ms = 60_000): Promise<Item[]> {
    for (
      const until = Date.now() + ms;
      this.results.length < count && this.ended === undefined && Date.now() < until;
    )
      await sleep(5);
    const error = this.results.find((r) => r.errors)?.errors?.[0];
    if (error || this.results.length < count)
      throw new Error(
        `${this.results.length} of ${count}; ${JSON.stringify(error ?? null)}; ended: ${this.ended instanceof Error ? this.ended.message : JSON.stringify(this.ended)}`,
      );
    return this.results.slice(0, count).map((r) => r.data?.provenanceEvents as Item);
  }

  /** How it ended, by itself. */
  async end(ms = 60_000): Promise<unknown> {
    for (const until = Date.now() + ms; this.ended === undefined && Date.now() < until;) await sleep(10);
    return this.ended;
  }

  stop(): void {
    this.#stop();
  }
}

export type Transport = (variables?: Record<string, unknown>, key?: string) => Reader;

export let server: TestServer;

/** Starts what the tests of a file share, and ends it after them. */
export function setUp(): void {
  beforeAll(async () => {
    server = await startServer();
    await server.rest('POST', '/api/v1/metadata/schemas', {
      body: {
        name: 'Thing',
        version: '1',
        fields: [
          { name: 'n', field_type: 'int' },
          { name: 'project', field_type: 'string' },
        ],
      },
    });
  });

  afterAll(() => server[Symbol.asyncDispose]());
}

export const wsUrl = (): string => server.url.replace('http', 'ws') + '/graphql';

export const wsClient = (options: Partial<Parameters<typeof createWsClient>[0]> = {}): WsClient =>
  createWsClient({
    url: wsUrl(),
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { apiKey: server.key },
    ...options,
  });

export const ws: Transport = (variables = {}, key = server.key) => {
  const client = wsClient({ connectionParams: { apiKey: key } });
  return new Reader((sink) => client.subscribe({ query: FEED, variables }, sink));
};

export const sse: Transport = (variables = {}, key = server.key) => {
  const client = createSseClient({
    url: `${server.url}/graphql`,
    headers: { 'x-api-key': key },
    retryAttempts: 0,
  });
  return new Reader((sink) => client.subscribe({ query: FEED, variables }, sink));
};
