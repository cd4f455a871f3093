// A gateway on a port of its own: the real edge, keys, audit and server, over a small component that reports
// what reached it.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCheckHost } from '../../platform/allowed-hosts.ts';
import { DEFAULT_LIMITS, type Limits } from '../../platform/config/limits-section.ts';
import { networkMatcher } from '../../platform/config/networks.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { RequestContext, RestApi, Match } from '../../platform/request-context.ts';
import type { Identity, Role } from '../../platform/identity.ts';
import { Intake } from '../../platform/intake/intake.ts';
import { readJson } from '../../platform/read-body.ts';
import { permissionOf } from '../../rest-compat/document-permission.ts';
import { openApiKeys } from '../../router/api-keys/open-api-keys.ts';
import { openCredentialInvalidation } from '../../router/credential-invalidation/credential-invalidation.ts';
import { createAuditLog, type AuditLog, type AuditSink } from '../../router/edge/audit/audit-log.ts';
import type { AuditRecord } from '../../router/edge/audit/audit-record.ts';
import type { CorsPolicy } from '../../router/edge/stages/cors-policy.ts';
import { createClientAddresses } from '../../router/edge/identity/client-address.ts';
import { createEdge } from '../../router/edge/create-edge.ts';
import { createMetrics } from '../../router/edge/metrics/metrics.ts';
import { metricsRoute } from '../../router/edge/metrics/metrics.route.ts';
import type { RateLimits } from '../../router/edge/rate-limits/rate-limiter.ts';
import { createRoutes, type Route } from '../../router/edge/http/routes.ts';
import { sendJson } from '../../router/edge/http/send-json.ts';
import { createEdgeServer } from '../../router/edge/server.ts';
import type { LocalComponent } from '../../platform/subgraph.ts';
import type { ApiKeys } from '../../router/api-keys/api-keys.service.ts';
import { createGatewayComponent } from '../../router/gateway-schema/component.ts';
import { gatewayPermissions } from '../../router/gateway-schema/nouns.ts';
import { createHealth, type Probed } from '../../router/health/health.ts';
import { healthRoutes } from '../../router/health/health.routes.ts';
import { gatewayRowHandlers } from '../../router/main/rest-apis.ts';
import { createSync, type Sync } from '../../router/sync/sync.service.ts';
import { createSyncStore } from '../../router/sync/sync.store.ts';
import { freshDatabase, testLog } from '../testkit/database.ts';
import { restOfGateway } from '../testkit/rest-of-gateway.ts';

/** A component that echoes the request, and requires the specified roles. */
function echoApi(component: string, access: Match['access'] = 'metadata:read'): RestApi {
  const prefix = `/api/v1/${component}`;
  return {
    component,
    match(method, path) {
      const evicts = component === 'artifact' && method === 'DELETE' && path.startsWith('/cache');
      return {
        template: `${prefix}/{path}`,
        access: evicts ? 'artifact:evict' : access,
        async handle(ctx: RequestContext) {
          const body = await readJson(ctx, { required: false });
          const { actor, roles, projects } = ctx.caller;
          sendJson(ctx, 200, {
            component,
            method,
            path,
            search: ctx.search,
            actor,
            roles,
            projects,
            body,
          });
        },
      };
    },
  };
}

export interface GatewayOptions {
  readonly database?: Database;
  readonly restApis?: (context: {
    addresses: ReturnType<typeof createClientAddresses>;
  }) => Readonly<Record<string, RestApi>>;
  readonly routes?: readonly Route[];
  readonly sync?: Sync;
  readonly identity?: Identity;
  readonly rateLimits?: RateLimits;
  readonly cors?: Partial<CorsPolicy>;
  readonly trustedNetworks?: readonly string[];
  readonly metricsAccess?: 'trusted' | 'open' | 'admin';
  readonly components?: Readonly<Record<string, Probed>>;
  readonly auditSink?: AuditSink;
  readonly bodyLimit?: number;
  readonly limits?: Partial<Limits>;
}

export interface Gateway extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly database: Database;
  readonly audit: AuditLog;
  /** The audit records so far; waits for pending ones. */
  audited(): Promise<readonly AuditRecord[]>;
  /** An active key of this role; `user:<name>` owns it. */
  keyFor(role: Role, options?: { name?: string; project?: string }): Promise<string>;
  fetch(path: string, options?: RequestInit & { key?: string }): Promise<Response>;
}

const CORS = {
  allowedOrigins: [],
  allowedMethods: ['GET', 'POST'],
  allowedHeaders: ['Authorization', 'Content-Type'],
  allowCredentials: false,
  maxAge: 600,
};

/** An audit log that writes into the list, unless the options have another sink. */
const auditInto = (records: AuditRecord[], options: GatewayOptions): AuditLog =>
  createAuditLog(
    options.auditSink ?? {
      write: (batch) => {
        records.push(...batch);
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
    },
    testLog,
  );

/** Scans that find nothing: nothing ran. */
const syncOf = (database: Database): Sync =>
  createSync({
    store: createSyncStore(database),
    log: testLog,
    deps: {
      async *declared() {
        // nothing ran
      },
      exist: (entities) => Promise.resolve(entities.map(() => true)),
    },
  });

/** A server on a free port, and whether it has answered everything. */
async function listening(
  options: GatewayOptions,
  isTrusted: (address: string) => boolean,
  edge: ReturnType<typeof createEdge>,
) {
  const server = createEdgeServer(
    new Intake({ limits: { ...DEFAULT_LIMITS, ...options.limits }, isTrusted }),
    edge.answer,
  );
  let underWay = 0;
  server.on('request', (_, res) => {
    // after the edge, so that closed connections are recorded already
    underWay++;
    res.on('close', () => {
      underWay--;
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { server, isIdle: () => underWay === 0 };
}

const ECHOES = {
  metadata: echoApi('metadata'),
  workflow: echoApi('workflow', 'workflow:run'),
  artifact: echoApi('artifact', 'artifact:read'),
};

/** The rows of the gateway's own subgraph, without a router. */
const rowsOf = (component: LocalComponent) =>
  gatewayRowHandlers((document) => ({
    run: component.prepare(document),
    permission: permissionOf(document, gatewayPermissions),
  }));

const fetching =
  (url: string): Gateway['fetch'] =>
  (path, { key, headers, ...init } = {}) =>
    fetch(url + path, {
      ...init,
      headers: {
        ...(key === undefined ? {} : { 'x-api-key': key }),
        ...(headers as Record<string, string>), // tests pass plain objects
      },
    });

const ADMIN = { actor: 'user:admin', roles: ['admin'], projects: '*', requestId: 'setup' } as const;

const keyMaking =
  (keys: ApiKeys): Gateway['keyFor'] =>
  async (role, { name = role, project } = {}) => {
    const { secret } = await keys.create(
      { label: name, role, owner: `user:${name}`, ...(project === undefined ? {} : { project }) },
      ADMIN,
    );
    return secret;
  };

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
}

const LIVING = { isServing: () => true, stuck: () => undefined };

/** What the metrics ask. */
const MEASURED = { circuits: () => ({}), activeTokens: async () => 3 };

export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const owned = options.database === undefined ? await freshDatabase() : undefined;
  const database = options.database ?? owned;
  if (database === undefined) throw new Error('no database');
  const records: AuditRecord[] = [];
  const audit = auditInto(records, options);
  const isTrusted = networkMatcher(options.trustedNetworks ?? ['127.0.0.0/8', '::1/128']);
  const checkHost = createCheckHost({ configured: undefined, served: () => [] });
  const addresses = createClientAddresses(isTrusted);
  const invalidation = await openCredentialInvalidation({
    db: database.pool,
    listen: database.listen,
    log: testLog,
  });
  const access = openApiKeys({ pool: database.pool, invalidation, log: testLog });
  const health = createHealth({
    components: options.components ?? {},
    storeAnswers: async () => (await database.pool.query('SELECT 1')).rowCount === 1,
    cacheMs: 5000,
    audit,
  });
  const metrics = createMetrics({ ...MEASURED, componentHealth: () => health.seen() });
  const sync = options.sync ?? syncOf(database);
  const component = createGatewayComponent({ keys: access.keys, sync, health, ...restOfGateway });
  const edge = createEdge({
    findRoute: createRoutes({
      restApis: options.restApis?.({ addresses }) ?? ECHOES,
      routes: [
        ...rowsOf(component),
        ...healthRoutes({ health, path: '/api/v1/gateway/health', ...LIVING }),
        metricsRoute({
          metrics,
          path: '/api/v1/gateway/metrics',
          access: options.metricsAccess ?? 'trusted',
          isTrusted,
          checkHost,
        }),
        ...(options.routes ?? []),
      ],
    }),
    credentials: options.identity ?? [access.verifier],
    rateLimits: options.rateLimits,
    cors: { ...CORS, ...options.cors },
    addresses,
    checkHost,
    bodyLimit: options.bodyLimit ?? 1024 * 1024,
    audit,
    metrics,
    log: testLog,
  });
  const { server, isIdle } = await listening(options, isTrusted, edge);
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    database,
    audit,
    async audited() {
      for (let waits = 0; waits === 0 || (!isIdle() && waits < 200); waits++)
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        });
      await audit.flush();
      return records;
    },
    keyFor: keyMaking(access.keys),
    fetch: fetching(url),
    async [Symbol.asyncDispose]() {
      await closed(server);
      await audit.close();
      await access.close();
      await invalidation.close();
      await owned?.[Symbol.asyncDispose]();
    },
  };
}
