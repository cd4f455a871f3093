// Assembles the platform of one configuration over a store, ready to answer but not listening: a server may
// switch to another one.
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { createCheckHost } from '../../platform/allowed-hosts.ts';
import type { Component } from '../../platform/component.ts';
import type { Config } from '../../platform/config/load-config.ts';
import { networkMatcher } from '../../platform/config/networks.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { Intake } from '../../platform/intake/intake.ts';
import { answers } from '../../platform/queryable.ts';
import { Releasers } from '../../platform/releasers.ts';
import type { SignIdentity } from '../../platform/signed-identity/identity-signer.ts';
import { type Part, untilNone } from '../../platform/served.ts';
import { openTracing, type Tracing } from '../../platform/tracing/tracing.ts';
import { BULK_BODY_LIMIT } from '../../rest-compat/rest-apis.ts';
import { standingRights } from '../acting/standing-rights.ts';
import { openApiKeys } from '../api-keys/open-api-keys.ts';
import type { NoteChange } from '../edge/audit/audit-record.ts';
import { createClientAddresses } from '../edge/client-address.ts';
import { createEdge } from '../edge/create-edge.ts';
import type { Credentials } from '../edge/credentials.ts';
import type { Edge } from '../edge/edge-options.ts';
import { createMetrics, type Metrics } from '../edge/metrics.ts';
import { openAuditLog } from '../edge/open-audit-log.ts';
import { openRateLimiter } from '../edge/rate-limits/open-rate-limiter.ts';
import { createRoutes } from '../edge/routes.ts';
import { createUpgrade } from '../edge/upgrade.ts';
import { openCredentialInvalidation } from '../credential-invalidation/credential-invalidation.ts';
import { createSdlFiles } from '../execution/sdl-memory.ts';
import { createSupergraph } from '../execution/supergraph.ts';
import { createGraphqlEndpoint } from '../graphql/endpoint.ts';
import { createGatewayComponent } from '../gateway-schema/component.ts';
import { createHealth } from '../health/health.ts';
import { openOwnDescriptions } from '../pass-through/own-descriptions.ts';
import { createRemoteComponent } from '../remote/remote-component.ts';
import { createSync } from '../sync/sync.service.ts';
import { createSyncStore } from '../sync/sync.store.ts';
import { COMPONENT_KINDS, type ComponentDeps } from './component-kinds.ts';
import { createFaces, ROOT_PERMISSIONS } from './rest-apis.ts';
import { openOAuth } from './oauth.ts';
import { degradedTriggers } from './degraded-triggers.ts';
import { ownRoutes } from './own-routes.ts';
import { probedComponents } from './probed-components.ts';
import { syncDeps } from './sync-deps.ts';
import { withWebhookPaths, startWorkflowEngine } from './workflow-engine.ts';
import type { WorkerBridge } from './workers/worker-bridge.ts';

export interface AssembleOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  /** For one of several workers. */
  readonly bridge: WorkerBridge | undefined;
  /** The server's intake: bytes of WebSockets count with those of bodies. */
  readonly intake: Intake;
  /** The server's URL. */
  readonly baseUrl: () => string;
}

/** `close` closes everything except the store. */
export interface Assembly extends Part {
  /** Undefined if they are off. */
  readonly metrics: Metrics | undefined;
  answer(req: IncomingMessage, res: ServerResponse): void;
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** From now on `/readyz` reports that it is not ready. */
  drain(): void;
}

async function components(around: ComponentDeps, sign: SignIdentity): Promise<Component[]> {
  const { config } = around;
  const made: Component[] = [];
  for (const kind of COMPONENT_KINDS) {
    const settings = config.components[kind.name];
    if (settings.kind === 'rest') continue;
    made.push(
      settings.url === undefined
        ? await kind.create(around)
        : createRemoteComponent({
            name: kind.name,
            url: settings.url,
            healthPath: settings.healthPath,
            timeoutMs: settings.timeoutMs,
            sign,
          }),
    );
  }
  return made;
}

/** @throws Error, with everything closed again, if a part cannot be opened */
export async function assemble(options: AssembleOptions): Promise<Assembly> {
  const releasers = new Releasers(options.log);
  try {
    return await assembled(options, releasers);
  } catch (error) {
    await releasers.run();
    throw error;
  }
}

async function assembled(
  { config, log, database, bridge, intake, baseUrl }: AssembleOptions,
  releasers: Releasers,
): Promise<Assembly> {
  const { pool } = database;
  const tracing = await openTracing(config, 'cairn', log);
  if (tracing) {
    releasers.add('traces', () => tracing.close());
    tracing.pool(pool);
    tracing.pool(database.pipelined);
  }
  const invalidation = await openCredentialInvalidation({ db: pool, listen: database.listen, log });
  releasers.add('invalidation', () => invalidation.close());
  const served = (): string[] => [config.server.host, new URL(config.auth.issuer ?? baseUrl()).host];
  const checkHost = createCheckHost({ configured: config.server.allowedHosts, served });
  const note: NoteChange = (requestId, by, change) => {
    audit?.note(requestId, by, change);
  };
  const oauth = await openOAuth({
    config,
    checkHost,
    note,
    database,
    invalidation,
    log,
    baseUrl,
    onRefused: (code) => metrics?.authFailed(code),
  });
  releasers.add('tokens', () => oauth.close());
  const apiKeys = openApiKeys({ pool, invalidation, log, note });
  releasers.add('API keys', () => apiKeys.close());

  const isTrusted = networkMatcher(config.trustedNetworks);
  const addresses = createClientAddresses(isTrusted);
  const audit = openAuditLog(config.observability.auditLog, pool, log, bridge?.audit);
  if (audit) releasers.add('audit log', () => audit.close());

  const beginnings: (() => Promise<void>)[] = [];
  const made = await components(
    {
      config,
      database,
      log,
      ask: (document) => bind(document).run,
      onReady: (work) => {
        beginnings.push(work);
      },
    },
    oauth.sign,
  );
  for (const part of made) releasers.add(part.name, () => part.close());
  const parts = tracing ? made.map((part) => tracing.component(part)) : made;
  const health = createHealth({
    components: probedComponents(config, parts, {
      workflow: degradedTriggers((document) => bind(document).run),
    }),
    storeAnswers: () => answers(pool),
    cacheMs: config.observability.health.cacheSeconds * 1000,
    audit,
  });
  const metrics = config.observability.metrics.enabled
    ? createMetrics({ componentHealth: () => health.seen(), activeTokens: () => oauth.countActive() })
    : undefined;
  const sync = createSync({
    store: createSyncStore(pool),
    log,
    deps: syncDeps((document) => bind(document)),
    onMismatch: (type) => metrics?.syncMismatch(type),
  });
  const gateway = createGatewayComponent({ keys: apiKeys.keys, sync, health, log });

  const supergraph = await createSupergraph({
    components: [...parts, gateway],
    permissions: ROOT_PERMISSIONS,
    log,
    memory: createSdlFiles(path.join(config.database.dataDir, 'sdl')),
    hideSuggestions: !config.graphql.introspection,
  });
  releasers.add('supergraph', async () => supergraph.close());
  releasers.add('consistency scans', () => sync.close());
  const credentials: Credentials =
    config.auth.mode === 'disabled'
      ? { actor: 'anonymous', roles: ['admin'], projects: '*' }
      : [apiKeys.verifier, ...oauth.verifiers];
  const graphql = await createGraphqlEndpoint({
    supergraph,
    log,
    operationLimits: config.graphql.limits,
    introspection: config.graphql.introspection,
    explorer: config.graphql.explorer,
    bodyLimit: BULK_BODY_LIMIT,
    limits: config.server.limits,
    bytes: intake.bytes,
    credentials,
    onEnding: (look) => invalidation.onInvalidated(look),
    onRefused: (code) => metrics?.refused(code),
    ...(tracing ? { beginSpan: (traceparent) => tracing.operation('/graphql', traceparent) } : {}),
  });
  releasers.add('GraphQL', () => graphql.close());

  let serving = true;
  const {
    restApis,
    bind,
    close: closeFaces,
  } = createFaces({ config, supergraph, addresses, sign: oauth.sign, log });
  releasers.add('pass-through', closeFaces);
  const engine = await startWorkflowEngine({
    config,
    database,
    ask: (document) => bind(document).run,
    standing: standingRights(pool),
    log,
  });
  if (engine) releasers.add('workflow engine', () => engine.close());
  await Promise.all(beginnings.map((work) => work()));
  const descriptions = openOwnDescriptions(
    Object.entries(config.components).flatMap(([name, { kind, url }]) =>
      kind === 'rest' && url !== undefined ? [{ name, url }] : [],
    ),
    log,
  );
  releasers.add('descriptions', () => descriptions.close());
  const routes = [
    ...graphql.routes,
    ...oauth.routes,
    ...ownRoutes({
      config,
      database,
      supergraph,
      bind,
      health,
      metrics: metrics && bridge ? { ...metrics, text: () => bridge.metricsText() } : metrics,
      isTrusted,
      checkHost,
      isServing: () => serving,
      descriptions,
    }),
  ];
  const rate = (perSecond: number): { perSecond: number; burst: number } => ({
    perSecond,
    burst: config.rateLimit.burst ?? perSecond,
  });
  const { redisUrl } = config.rateLimit;
  // an embedded database has one server (its claim), so only workers share it
  const rates = config.rateLimit.enabled
    ? await openRateLimiter({
        redisUrl,
        shared: config.server.workers > 1 || !database.embedded,
        db: pool,
        log,
      })
    : undefined;
  if (rates) releasers.add('rate limits', () => rates.close());
  const findRoute = createRoutes({ restApis: withWebhookPaths(restApis, { config, database, log }), routes });
  const edge: Edge = {
    findRoute: tracing ? named(findRoute, tracing) : findRoute,
    credentials,
    standing: standingRights(pool),
    ...(rates
      ? {
          rateLimits: {
            limiter: rates.limiter,
            perActor: rate(config.rateLimit.perActorRps),
            perIp: rate(config.rateLimit.perIpRps),
          },
        }
      : {}),
    cors: config.cors,
    addresses,
    checkHost,
    bodyLimit: config.server.bodyLimit,
    audit,
    metrics,
    log,
  };
  const answering = createEdge(edge);
  const ordinary = tracing ? tracing.serve(answering.answer) : answering.answer;
  return {
    metrics,
    answer: ordinary,
    upgrade: createUpgrade(edge, {
      path: '/graphql',
      ordinary,
      accept: (session) => graphql.accept(session),
    }),
    drain() {
      serving = false;
    },
    closeStreams: () => graphql.closeStreams(),
    idle: () => untilNone(() => answering.underWay),
    close: () => releasers.run(),
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
