// The metrics endpoint and its access control (docs/reference/gateway.md#metrics).
import type { CheckHost } from '../../../platform/allowed-hosts.ts';
import { isLoopbackHost } from '../../../platform/config/networks.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { allows, assertAllowed } from '../../../platform/permissions.ts';
import type { Metrics } from './metrics.ts';
import type { Route } from '../http/routes.ts';

export interface MetricsRouteOptions {
  readonly metrics: Metrics;
  /** `observability.metrics.path` and `.access`. */
  readonly path: string;
  readonly access: 'trusted' | 'open' | 'admin';
  readonly isTrusted: (address: string) => boolean;
  /** @throws DomainError `misdirected_request` */
  readonly checkHost: CheckHost;
}

/** Clients outside the trusted networks need the permission `metrics:read`. */
function assertMayRead(
  { req, caller, ip, refusal }: RequestContext,
  { access, isTrusted, checkHost }: MetricsRouteOptions,
): void {
  if (access === 'open' || allows(caller, 'metrics:read')) return;
  if (access === 'trusted' && isTrusted(ip)) {
    if (isLoopbackHost(ip)) checkHost(req); // a browser on this machine may run any site's page
    return;
  }
  if (caller.roles.length === 0)
    throw (
      refusal ??
      new DomainError('missing_token', 'metrics are available only to trusted networks and administrators')
    );
  assertAllowed(caller, 'metrics:read');
}

export const metricsRoute = (options: MetricsRouteOptions): Route => ({
  method: 'GET',
  path: options.path,
  access: options.access === 'admin' ? 'metrics:read' : 'public',
  async handle(ctx) {
    assertMayRead(ctx, options);
    const body = await options.metrics.text();
    ctx.res.writeHead(200, {
      'content-type': options.metrics.contentType,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
    });
    ctx.res.end(body);
  },
});
