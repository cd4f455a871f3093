// Converts W3C trace context from and to the header `traceparent`.
import type { SpanContext } from '@opentelemetry/api';

const TRACEPARENT = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/;

/** Returns undefined for an invalid trace context; a new trace starts then. */
export function readTraceparent(header: string | readonly string[] | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = typeof header === 'string' ? (TRACEPARENT.exec(header) ?? []) : [];
  return traceId === undefined || spanId === undefined || flags === undefined
    ? undefined
    : { traceId, spanId, traceFlags: parseInt(flags, 16) & 1, isRemote: true };
}

export const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
