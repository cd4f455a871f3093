// What the wrappers of servers, components and pools need of OpenTelemetry.
import type { Attributes, Span, SpanContext } from '@opentelemetry/api';
/** Operations on spans for the wrappers: start a span, and get the active one. */
export interface Spans {
  active(): Span | undefined;
  /** Starts a child of `parent`, else of the active span, else a root span. */
  start(
    name: string,
    kind: 'server' | 'client' | 'internal',
    attributes: Attributes,
    parent?: SpanContext,
  ): Span;
  within<Result>(span: Span, work: () => Result): Result;
  fail(span: Span, message: string): void;
}
