// Opens the edge: what every request passes, with its limits and its routes.
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/load-config.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { Releasers } from '../../platform/releasers.ts';
import type { RestApi } from '../../platform/request-context.ts';
import type { Tracing } from '../../platform/tracing/tracing.ts';
import { standingRights } from '../standing-rights/standing-rights.ts';
import type { Edge } from '../edge/stages/edge-options.ts';
import { openRateLimiter } from '../edge/rate-limits/open-rate-limiter.ts';
import { createRoutes, type Route } from '../edge/http/routes.ts';
import { withWebhookPaths, workflowClientOf } from './workflow-engine.ts';

type Given = Pick<
  Edge,
  | 'credentials'
  | 'addresses'
  | 'checkHost'
  | 'audit'
  | 'metrics'
  | 'sendMissingPage'
  | 'onEnding'
  | 'resourceMetadata'
>;

export interface EdgeOptions {
  readonly config: Config;
  readonly database: Database;
  readonly restApis: Readonly<Record<string, RestApi>>;
  readonly routes: readonly Route[];
  readonly tracing: Tracing | undefined;
  readonly log: Logger;
}

export async function openEdge(
  { config, database, restApis, routes, tracing, log }: EdgeOptions,
  given: Given,
  releasers: Releasers,
): Promise<Edge> {
  const rateLimits = await openRateLimits(config, database, log, releasers);
  const findRoute = createRoutes({ restApis: withWebhookPaths(restApis, { config, database, log }), routes });
  return {
    ...given,
    findRoute: tracing ? named(findRoute, tracing) : findRoute,
    acting: { standing: standingRights(database.pool), workflowClient: workflowClientOf(config) },
    ...(rateLimits ? { rateLimits } : {}),
    cors: config.cors,
    bodyLimit: config.server.bodyLimit,
    log,
  };
}

async function openRateLimits(
  { rateLimit, server }: Config,
  database: Database,
  log: Logger,
  releasers: Releasers,
): Promise<Edge['rateLimits']> {
  if (!rateLimit.enabled) return undefined;
  // an embedded database has one server (its claim), so that only workers share it
  const rates = await openRateLimiter({
    redisUrl: rateLimit.redisUrl,
    shared: server.workers > 1 || !database.embedded,
    db: database.pool,
    log,
  });
  releasers.add('rate limits', () => rates.close());
  const rate = (perSecond: number): { perSecond: number; burst: number } => ({
    perSecond,
    burst: rateLimit.burst ?? perSecond,
  });
  return {
    limiter: rates.limiter,
    perActor: rate(rateLimit.perActorRps),
    perIp: rate(rateLimit.perIpRps),
  };
}

/** Names each request's span by its route. */
const named =
  (findRoute: Edge['findRoute'], tracing: Tracing): Edge['findRoute'] =>
  (method, path) => {
    const match = findRoute(method, path);
    tracing.route(method, match.template);
    return match;
  };
