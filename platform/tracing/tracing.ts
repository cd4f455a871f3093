// What traces are to whoever is traced; the packages of OpenTelemetry stay behind it.
import type pg from 'pg';
import type { Component } from '../component.ts';
import type { RequestListener } from '../http-server.ts';

/** The span of one operation on a connection that carries many. */
export interface OperationSpan {
  /** The trace context to pass on, with this span as the parent. */
  readonly traceparent: string;
  /** Runs `work` with this span as the active span. */
  within<Result>(work: () => Result): Result;
  /** Ends the span; call it once. `status`: the HTTP status that a request would have received. */
  end(done: { readonly status: number; readonly requestId: string; readonly name: string | undefined }): void;
}

export interface Tracing {
  /**
   * Wraps the listener in a span per request. The span is a child of the request's `traceparent` and the
   * parent of the one that is passed on.
   */
  serve(listener: RequestListener): RequestListener;
  /** Starts the span of an operation on a connection that carries many, as a child of `traceparent`. */
  operation(path: string, traceparent: string | undefined, method?: 'WS' | 'POST'): OperationSpan;
  /** Names the active request's span after its route template. */
  route(method: string, template: string): void;
  /** Wraps each operation of a component in a span. */
  component<Made extends Component>(component: Made): Made;
  /**
   * Creates a span for each statement that runs for a request. Where several requests share a statement, the
   * span belongs to the first one.
   */
  pool(pool: pg.Pool): void;
  /** Sends the remaining spans, for two seconds at most. */
  close(): Promise<void>;
}
