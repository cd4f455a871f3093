// OpenTelemetry traces where the configuration names a collector. Where it names none, nothing of it is loaded and nothing is wrapped.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Component } from '../component.ts';
import type { Config } from '../config/load-config.ts';

export type Listener = (req: IncomingMessage, res: ServerResponse) => void;

/** The span of one operation on a connection that stays open. */
export interface OperationSpan {
  /** What is passed on: the trace goes on below this span. */
  readonly traceparent: string;
  /** Whatever the work does belongs to this span. */
  within<Result>(work: () => Result): Result;
  /** Once. `status`: what a request would have been answered with. */
  end(done: { readonly status: number; readonly requestId: string; readonly name: string | undefined }): void;
}

export interface Tracing {
  /** The listener with a span around each request: a child of the `traceparent` that came, and parent of the one that is passed on. */
  serve(listener: Listener): Listener;
  /** Begins the span of an operation on a WebSocket, below the `traceparent` that the connection came with. */
  operation(path: string, traceparent: string | undefined): OperationSpan;
  /** Names the span of the request that is under way by its route's template. */
  route(method: string, template: string): void;
  /** The component with a span around each operation. */
  component<Made extends Component>(component: Made): Made;
  /** A span around each statement that runs for a request. Several requests may share one statement: it is then the first one's. */
  pool(pool: pg.Pool): void;
  /** Sends what is left, for two seconds at most. */
  close(): Promise<void>;
}

/** Undefined where `observability.tracing.otlp_url` is not set. `service`: `cairn`, `cairn-metadata`, … */
export async function openTracing(
  { observability: { tracing } }: Config,
  service: string,
  log: Logger,
): Promise<Tracing | undefined> {
  if (tracing.otlpUrl === undefined) return undefined;
  const { createTracing } = await import('./open-telemetry.ts');
  return createTracing({ otlpUrl: tracing.otlpUrl, sampleRatio: tracing.sampleRatio, service, log });
}
