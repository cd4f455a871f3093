// Opens OpenTelemetry traces where the configuration names a collector. Otherwise the OpenTelemetry packages
// are not loaded, and nothing is instrumented.
import type { Logger } from 'pino';
import type { Config } from '../config/load-config.ts';
import type { Tracing } from './tracing.ts';
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
