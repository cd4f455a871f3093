// Starts the platform: the edge and the router, with every component that has no address of its own in this process.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Logger } from 'pino';
import type { Component } from '../platform/component.ts';
import type { Config } from '../platform/config/load-config.ts';
import { networkMatcher } from '../platform/config/networks.ts';
import { drainable } from '../platform/drain.ts';
import { answers } from '../platform/queryable.ts';
import { Releasers } from '../platform/releasers.ts';
import { openTracing, type Tracing } from '../platform/tracing/tracing.ts';
import { BULK_BODY_LIMIT } from '../rest-compat/faces.ts';
import { ensureAdminKey } from './api-keys/ensure-admin-key.ts';
import { openApiKeys } from './api-keys/open-api-keys.ts';
import { createClientAddresses } from './edge/client-address.ts';
import { createEdge } from './edge/create-edge.ts';
import type { Credentials } from './edge/credentials.ts';
import type { Edge } from './edge/edge-options.ts';
import { createMetrics, type Metrics } from './edge/metrics.ts';
import { openAuditLog } from './edge/open-audit-log.ts';
import { openRateLimiter } from './edge/rate-limits/open-rate-limiter.ts';
import { createRoutes } from './edge/routes.ts';
import { createEdgeServer } from './edge/server.ts';
import { createUpgrade } from './edge/upgrade.ts';
import { openEndings } from './endings/endings.ts';
import { createSdlFiles } from './execution/sdl-memory.ts';
import { createSupergraph } from './execution/supergraph.ts';
import { createGraphqlEndpoint } from './graphql/endpoint.ts';
import { createGatewayComponent, gatewayPermissions } from './gateway-schema/component.ts';
import { createHealth } from './health/health.ts';
import { allPermissions, COMPONENT_KINDS, type Surroundings } from './main/component-kinds.ts';
import { createFaces } from './main/faces.ts';
import { openOAuth } from './main/oauth.ts';
import { openStore } from './main/open-store.ts';
import { ownRoutes } from './main/own-routes.ts';
import { probedComponents } from './main/probed-components.ts';
import { facesWithWebhooks, startWorkflowEngine } from './main/workflow-engine.ts';
import { syncPorts } from './main/sync-ports.ts';
import type { Seat } from './main/workers/seat.ts';
import { createRemoteComponent } from './remote/remote-component.ts';
import { createSync } from './sync/sync.service.ts';
import { createSyncStore } from './sync/sync.store.ts';
import { syncRoutes } from './sync/sync.routes.ts';

export interface StartOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Where this is one of several workers: its primary has claimed the data directory. */
  readonly seat?: Seat | undefined;
}

export interface RunningPlatform {
  readonly url: string;
  readonly adminKeyPath?: string;
  /** Undefined where they are switched off. */
  readonly metrics: Metrics | undefined;
  /**
   * Takes no more requests, finishes those in flight (10 s at most), then closes everything, the database last. `lingerMs`: for how
   * long connections may still be used that are open now, where another process listens on the same port.
   */
  close(lingerMs?: number): Promise<void>;
}

async function components(around: Surroundings): Promise<Component[]> {
  const { config } = around;
  const made: Component[] = [];
  for (const kind of COMPONENT_KINDS) {
    const settings = config.components[kind.name];
    if (settings.kind === 'rest') continue;
    made.push(settings.url === undefined
      ? await kind.create(around)
      : createRemoteComponent({ name: kind.name, url: settings.url, healthPath: settings.healthPath, timeoutMs: settings.timeoutMs }));
  }
  return made;
}

/** Everything in this process but what has an address of its own (contract 5). */
export async function startPlatform({ config, log, seat }: StartOptions): Promise<RunningPlatform> {
  const releasers = new Releasers(log);
  try {
    return await start(config, log, releasers, seat);
  } catch (error) {
    await releasers.run();
    throw error;
  }
}

/** The router alone is the platform whose components all have addresses. */
export const startRouter = startPlatform;

/** Makes the store ready, and the first administrator's key, without serving. */
export async function initPlatform({ config, log }: StartOptions): Promise<{ adminKeyPath: string; created: boolean }> {
  const database = await openStore(config, log, { claim: true });
  try {
    const { file, created } = await ensureAdminKey(database.pool, config.database.dataDir);
    return { adminKeyPath: file, created };
  } finally {
    await database.close();
  }
}

async function start(config: Config, log: Logger, releasers: Releasers, seat?: Seat): Promise<RunningPlatform> {
  const database = await openStore(config, log, { claim: seat === undefined });
  releasers.add('database', () => database.close());
  const { pool } = database;
  const tracing = await openTracing(config, 'cairn', log);
  if (tracing) {
    releasers.add('traces', () => tracing.close());
    tracing.pool(pool);
  }
  const adminKey = await ensureAdminKey(pool, config.database.dataDir);
  const endings = await openEndings({ db: pool, listen: database.listen, log });
  releasers.add('endings', () => endings.close());
  const oauth = await openOAuth({ config, database, endings, log, baseUrl: () => url, onRefused: (code) => metrics?.authFailed(code) });
  releasers.add('tokens', () => oauth.close());
  const apiKeys = openApiKeys({ pool, endings, log });
  releasers.add('API keys', () => apiKeys.close());

  const isTrusted = networkMatcher(config.trustedNetworks);
  const addresses = createClientAddresses(isTrusted);
  const audit = openAuditLog(config.observability.auditLog, pool, log, seat?.audit);
  if (audit) releasers.add('audit log', () => audit.close());

  const beginnings: (() => Promise<void>)[] = [];
  const made = await components({ config, database, log, ask: (document) => bind(document).run, onReady: (work) => { beginnings.push(work); } });
  for (const part of made) releasers.add(part.name, () => part.close());
  const parts = tracing ? made.map((part) => tracing.component(part)) : made;
  const health = createHealth({
    components: probedComponents(config, parts), storeAnswers: () => answers(pool), cacheMs: config.observability.health.cacheSeconds * 1000, audit,
  });
  const metrics = config.observability.metrics.enabled
    ? createMetrics({ componentHealth: () => health.seen(), activeTokens: () => oauth.countActive() }) : undefined;
  const sync = createSync({ store: createSyncStore(pool), log, ports: syncPorts((document) => bind(document)), onMismatch: (type) => metrics?.syncMismatch(type) });
  const gateway = createGatewayComponent({ keys: apiKeys.keys, sync, health, log });

  const supergraph = await createSupergraph({
    components: [...parts, gateway], permissions: { ...allPermissions, ...gatewayPermissions }, log,
    memory: createSdlFiles(path.join(config.database.dataDir, 'sdl')), hideSuggestions: !config.graphql.introspection,
  });
  releasers.add('supergraph', async () => supergraph.close());
  releasers.add('consistency scans', () => sync.close());
  const credentials: Credentials = config.auth.mode === 'disabled' ? { actor: 'anonymous', roles: ['admin'], projects: '*' } : [apiKeys.verifier, ...oauth.verifiers];
  const graphql = await createGraphqlEndpoint({ supergraph, log, introspection: config.graphql.introspection, explorer: config.graphql.explorer, bodyLimit: BULK_BODY_LIMIT, credentials, onEnding: (look) => endings.onEnded(look), onRefused: (code) => metrics?.refused(code) });
  releasers.add('GraphQL', () => graphql.close());

  let serving = true;
  let url = addressOf(config.server.host, config.server.port);
  const { faces, bind, close: closeFaces } = createFaces({ config, supergraph, addresses, log });
  releasers.add('pass-through', closeFaces);
  const engine = await startWorkflowEngine({ config, database, ask: (document) => bind(document).run, log });
  if (engine) releasers.add('workflow engine', () => engine.close());
  await Promise.all(beginnings.map((work) => work()));
  const routes = [
    ...graphql.routes,
    ...syncRoutes(sync),
    ...oauth.routes,
    ...ownRoutes({ config, database, supergraph, bind, apiKeys: apiKeys.keys, health, metrics: metrics && seat ? { ...metrics, text: () => seat.metricsText() } : metrics, isTrusted, isServing: () => serving, log }),
  ];
  const rate = (perSecond: number): { perSecond: number; burst: number } => ({ perSecond, burst: config.rateLimit.burst ?? perSecond });
  const { redisUrl } = config.rateLimit;
  // an embedded database has one server (its claim), so that only workers share it
  const rates = config.rateLimit.enabled ? openRateLimiter({ redisUrl, shared: config.server.workers > 1 || !database.embedded, db: pool, log }) : undefined;
  if (rates) releasers.add('rate limits', () => rates.close());
  const findRoute = createRoutes({ faces: facesWithWebhooks(faces, { config, database, log }), routes });
  const edge: Edge = {
    findRoute: tracing ? named(findRoute, tracing) : findRoute,
    credentials,
    ...(rates ? { rateLimits: { limiter: rates.limiter, perActor: rate(config.rateLimit.perActorRps), perIp: rate(config.rateLimit.perIpRps) } } : {}),
    cors: config.cors, addresses, bodyLimit: config.server.bodyLimit, audit, metrics, log,
  };
  const answering = createEdge(edge);
  const ordinary = tracing ? tracing.serve(answering) : answering;
  const server = createEdgeServer(ordinary);
  const drain = drainable(server);
  server.on('upgrade', createUpgrade(edge, { path: '/graphql', ordinary, accept: (session, socket, head) => { graphql.accept(session, socket, head); } }));
  server.listen(config.server.port, config.server.host);
  await once(server, 'listening');
  let linger = 0;
  releasers.add('HTTP server', () => drain(linger));
  releasers.add('streams', () => graphql.closeStreams());

  const { port } = server.address() as AddressInfo; // listening on TCP, so it has one
  url = addressOf(config.server.host, port);
  return {
    url,
    adminKeyPath: adminKey.file,
    metrics,
    async close(lingerMs = 0) {
      linger = lingerMs;
      serving = lingerMs > 0;
      await releasers.run();
    },
  };
}

/** Names each request's span by its route. */
const named = (findRoute: Edge['findRoute'], tracing: Tracing): Edge['findRoute'] => (method, path) => {
  const match = findRoute(method, path);
  tracing.route(method, match.template);
  return match;
};

/** Where a server that listens on `host` is reached from this machine. */
function addressOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
