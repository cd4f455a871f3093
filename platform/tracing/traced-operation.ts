// Creates a span for each operation on a connection that carries many, like the span of a separate request.
import type { Spans } from './spans.ts';
import { readTraceparent, traceparentOf } from './trace-context.ts';
import type { OperationSpan } from './tracing.ts';

export function tracedOperation(
  path: string,
  traceparent: string | undefined,
  spans: Spans,
  method: 'WS' | 'POST' = 'WS',
): OperationSpan {
  const span = spans.start(
    `${method} ${path}`,
    'server',
    { 'url.path': path, 'http.route': path },
    readTraceparent(traceparent),
  );
  return {
    traceparent: traceparentOf(span.spanContext()),
    within: (work) => spans.within(span, work),
    end({ status, requestId, name }) {
      span.setAttributes({
        'cairn.request_id': requestId,
        'http.response.status_code': status,
        ...(name === undefined ? {} : { 'graphql.operation.name': name }),
      });
      if (status >= 500) spans.fail(span, String(status));
      span.end();
    },
  };
}
