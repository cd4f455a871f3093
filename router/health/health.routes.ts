// Health for people and monitors, and the two questions that orchestrators ask (spec 1 «GET health», contract 1.5).
import type { Route } from '../edge/routes.ts';
import { sendJson } from '../edge/send-json.ts';
import type { Health } from './health.ts';

export interface HealthRoutesOptions {
  readonly health: Health;
  /** `observability.health.path`. */
  readonly path: string;
  /** Whether requests are still taken: false once the process is to stop. */
  readonly isServing: () => boolean;
}

export const healthRoutes = ({ health, path, isServing }: HealthRoutesOptions): readonly Route[] => [
  {
    method: 'GET',
    path,
    access: 'public',
    async handle(exchange) {
      const report = await health.report();
      sendJson(exchange, report.status === 'unhealthy' ? 503 : 200, report);
    },
  },
  {
    method: 'GET',
    path: '/livez',
    access: 'public',
    handle: (exchange) => sendJson(exchange, 200, { status: 'alive' }),
  },
  {
    method: 'GET',
    path: '/readyz',
    access: 'public',
    async handle(exchange) {
      const ready = isServing() && (await health.isReady());
      sendJson(exchange, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready' });
    },
  },
];
