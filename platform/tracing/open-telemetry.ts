// Creates traces with OpenTelemetry's packages, which only this module loads. It does not change their global
// state.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';
import type { Logger } from 'pino';
import { productVersion } from '../product-version.ts';
import { tracedComponent } from './traced-component.ts';
import { tracedOperation } from './traced-operation.ts';
import { tracePool } from './traced-pool.ts';
import { tracedServer } from './traced-server.ts';
import type { Tracing } from './tracing.ts';
import type { Spans } from './spans.ts';

export interface TracingOptions {
  readonly otlpUrl: string;
  /**
   * Share of the requests without a `traceparent` that are traced. A `traceparent` says itself whether to
   * trace.
   */
  readonly sampleRatio: number;
  readonly service: string;
  readonly log: Logger;
}

const CLOSE_MS = 2000;
/** Minimum interval between warnings about an unreachable collector, in milliseconds. */
const COMPLAINT_MS = 60_000;

export async function createTracing({
  otlpUrl,
  sampleRatio,
  service,
  log,
}: TracingOptions): Promise<Tracing> {
  const [
    { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace },
    sdk,
    { resourceFromAttributes },
    { OTLPTraceExporter },
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const exporter = new OTLPTraceExporter({ url: otlpUrl, timeoutMillis: CLOSE_MS });
  const send = exporter.export.bind(exporter);
  let complainedAt = -Infinity;
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      if (result.error !== undefined && performance.now() - complainedAt > COMPLAINT_MS) {
        complainedAt = performance.now();
        log.warn({ err: result.error, otlpUrl }, 'traces could not be sent');
      }
      done(result);
    });
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': productVersion }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter, { scheduledDelayMillis: 1000 })],
  });
  const tracer = provider.getTracer('cairn', productVersion);
  const under = new AsyncLocalStorage<Span>();
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

  const spans: Spans = {
    active: () => under.getStore(),
    start(name, kind, attributes, parent) {
      const above = parent ?? under.getStore()?.spanContext();
      return tracer.startSpan(
        name,
        { kind: kinds[kind], attributes },
        above === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, above),
      );
    },
    within: (span, work) => under.run(span, work),
    fail(span, message) {
      span.setStatus({ code: SpanStatusCode.ERROR, message });
    },
  };

  return {
    serve: (listener) => tracedServer(listener, spans),
    operation: (path, traceparent, method) => tracedOperation(path, traceparent, spans, method),
    route(method, template) {
      spans.active()?.updateName(`${method} ${template}`).setAttribute('http.route', template);
    },
    component: (component) => tracedComponent(component, spans),
    pool: (pool) => tracePool(pool, spans),
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_MS);
      });
      await Promise.race([
        provider
          .shutdown()
          .catch((error: unknown) => log.warn({ err: error }, 'the last traces could not be sent')),
        late,
      ]);
      clearTimeout(timer);
    },
  };
}
