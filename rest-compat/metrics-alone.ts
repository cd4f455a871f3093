// The metrics of a component that is served by itself, for whoever scrapes it beside the router
// (docs/reference/gateway.md#component-by-itself).
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../platform/config/load-config.ts';
import { networkMatcher } from '../platform/config/networks.ts';
import type { Caller } from '../platform/identity.ts';
import { isForwarded } from '../platform/is-local-request.ts';
import '../platform/metrics/process-gauges.ts';
import { processMetrics } from '../platform/metrics/process-metrics.ts';
import { assertAllowed } from '../platform/permissions.ts';

export const METRICS_PATH = '/metrics';

export type AnswerMetrics = (
  req: IncomingMessage,
  res: ServerResponse,
  identify: () => Caller | Promise<Caller>,
) => Promise<void>;

/**
 * By `observability.metrics`, as at the gateway, except that whoever a proxy forwards for is not known here
 * and needs a credential. Undefined where metrics are off.
 */
export function metricsAlone({ observability, trustedNetworks }: Config): AnswerMetrics | undefined {
  const { enabled, access } = observability.metrics;
  if (!enabled) return undefined;
  const isTrusted = networkMatcher(trustedNetworks);
  const registry = processMetrics();
  return async (req, res, identify) => {
    const mayRead =
      access === 'open' || (access === 'trusted' && isTrusted(req.socket.remoteAddress) && !isForwarded(req));
    if (!mayRead) assertAllowed(await identify(), 'metrics:read');
    if (req.method !== 'GET') return void res.writeHead(405, { allow: 'GET' }).end();
    const body = await registry.metrics();
    res.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(body);
  };
}
