// Health endpoints for people and monitors, and the probes of orchestrators
// (docs/reference/gateway.md#health).
import { life, readiness } from '../../platform/readiness.ts';
import type { Route } from '../edge/http/routes.ts';
import { sendJson } from '../edge/http/send-json.ts';
import type { Health } from './health.ts';

export interface HealthRoutesOptions {
  readonly health: Health;
  /** `observability.health.path`. */
  readonly path: string;
  /** Whether requests are accepted: false once the process stops. */
  readonly isServing: () => boolean;
  /** What of this process does not go on, and only another process can mend. */
  readonly stuck: () => string | undefined;
}

export const healthRoutes = ({ health, path, isServing, stuck }: HealthRoutesOptions): readonly Route[] => [
  {
    method: 'GET',
    path,
    access: 'public',
    async handle(ctx) {
      const report = await health.report();
      sendJson(ctx, report.status === 'unhealthy' ? 503 : 200, report);
    },
  },
  {
    method: 'GET',
    path: '/livez',
    access: 'public',
    isProbe: true,
    handle(ctx) {
      const found = life(stuck());
      sendJson(ctx, found.status === 'alive' ? 200 : 503, found);
    },
  },
  {
    method: 'GET',
    path: '/readyz',
    access: 'public',
    isProbe: true,
    async handle(ctx) {
      const [answers, writes] = await Promise.all([health.isReady(), health.writes()]);
      const found = readiness(isServing(), answers, writes);
      sendJson(ctx, found.status === 'ready' ? 200 : 503, found);
    },
  },
];
