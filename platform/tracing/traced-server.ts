// Wraps each request of an HTTP server in a span.
import type { Answer } from '../request-context.ts';
import type { Spans } from './spans.ts';
import { readTraceparent, traceparentOf } from './trace-context.ts';
import type { RequestListener } from '../http-server.ts';

/** Returns the path without the query, which may contain sensitive values. */
const pathOf = (url: string | undefined): string => (url ?? '').split('?', 1)[0] ?? '';

export const tracedServer =
  (listener: RequestListener, spans: Spans): RequestListener =>
  (req, res) => {
    const span = spans.start(
      req.method ?? '',
      'server',
      { 'http.request.method': req.method ?? '', 'url.path': pathOf(req.url) },
      readTraceparent(req.headers.traceparent),
    );
    req.headers.traceparent = traceparentOf(span.spanContext()); // read by all later handlers
    res.once('close', () => {
      const { requestId } = res as Answer;
      if (requestId !== undefined) span.setAttribute('cairn.request_id', requestId);
      span.setAttribute('http.response.status_code', res.statusCode);
      if (res.statusCode >= 500) spans.fail(span, String(res.statusCode));
      if (!res.writableFinished) span.addEvent('client gone');
      span.end();
    });
    spans.within(span, () => {
      listener(req, res);
    });
  };
