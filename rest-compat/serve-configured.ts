// Serves a component on its own with its configuration, and reloads it while it runs.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { httpAddress } from '../platform/address-of.ts';
import { createCheckHost } from '../platform/allowed-hosts.ts';
import { assertReloadable } from '../platform/config/assert-reloadable.ts';
import type { Config } from '../platform/config/load-config.ts';
import { isLoopbackHost, networkMatcher } from '../platform/config/networks.ts';
import type { Database } from '../platform/database/connect.ts';
import { drainable, LINGER_MS } from '../platform/drain.ts';
import type { RestApi } from '../platform/request-context.ts';
import { createHttpServer } from '../platform/http-server.ts';
import { Intake } from '../platform/intake/intake.ts';
import { noteReload } from '../platform/metrics/reload-metrics.ts';
import type { Permission } from '../platform/permissions.ts';
import { Served } from '../platform/served.ts';
import type { KeySet } from '../platform/signing-keys/key-set.ts';
import type { LocalComponent } from '../platform/subgraph.ts';
import { openTracing } from '../platform/tracing/open-tracing.ts';
import type { RestApiKind } from './rest-apis.ts';
import { assertCallersKnown, callersOf } from './callers-alone.ts';
import { metricsAlone } from './metrics-alone.ts';
import { probesAlone } from './probes-alone.ts';
import { type Alone, answerAlone } from './serve-alone.ts';

export interface RunningComponent {
  readonly url: string;
  /** Each answer ends its connection from now on; resolves when `server.lame_duck_seconds` are over. */
  retire(): Promise<void>;
  close(): Promise<void>;
  /**
   * Reloads with another configuration, without dropping a request.
   * @throws Error if that fails; then the old one stays
   */
  reload(config: Config): Promise<void>;
  readonly noteReload: typeof noteReload;
}

/** A component with one configuration. */
export interface Configured {
  readonly component: LocalComponent;
  readonly restApi: RestApiKind;
  readonly permissions: Readonly<Record<string, Permission>>;
  /** Adds paths that are not rows before the component's own. */
  readonly wrap?: (restApi: RestApi) => RestApi;
  /** The pool of the component's statements, which are traced if configured. */
  readonly database: Pick<Database, 'pool' | 'pipelined' | 'embedded' | 'space' | 'liveness'>;
  /** The deployment's keys, which verify callers. */
  readonly keys: KeySet;
  /** Called when everything else is closed. */
  readonly onClose: () => Promise<void>;
}

/**
 * Maximum bytes of headers: a signed identity lists each of its projects, and so do the plain headers beside
 * it.
 */
const HEADERS = 65_536;
/** Milliseconds after which connections that carry operations are cut off, as others are. */
const DRAIN_MS = 10_000;

async function answering(
  { component, restApi, permissions, database, keys, wrap, onClose }: Configured,
  config: Config,
  log: Logger,
): Promise<Alone> {
  const tracing = await openTracing(config, `cairn-${component.name}`, log);
  if (tracing) for (const pool of [database.pool, database.pipelined]) tracing.pool(pool);
  const { server } = config;
  const served = (): string[] => [
    server.host,
    ...Object.values(config.components).flatMap(({ url }) => (url === undefined ? [] : [new URL(url).host])),
  ];
  const alone = answerAlone({
    component,
    restApi,
    permissions,
    bodyLimit: server.bodyLimit,
    limits: config.graphql.limits,
    docs: server.docs,
    metrics: metricsAlone(config),
    probes: probesAlone(database),
    log,
    tracing,
    wrap,
    checkHost: isLoopbackHost(server.host)
      ? createCheckHost({ configured: server.allowedHosts, served })
      : undefined,
    ...callersOf(config, component.name, keys),
  });
  return {
    ...alone,
    async close() {
      await alone.close();
      await tracing?.close();
      await onClose();
    },
  };
}

/** @param open creates everything of the component that depends on the configuration */
export async function serveConfigured(
  open: (config: Config) => Promise<Configured>,
  config: Config,
  log: Logger,
): Promise<RunningComponent> {
  assertCallersKnown(config);
  const served = new Served(await answering(await open(config), config, log));
  const intakeBy = ({ server: { limits }, trustedNetworks }: Config) => ({
    limits,
    isTrusted: networkMatcher(trustedNetworks),
  });
  const intake = new Intake(intakeBy(config));
  const server = createHttpServer(
    intake,
    (req, res) => {
      served.current.answer(req, res);
    },
    { maxHeaderSize: HEADERS },
  );
  const drain = drainable(server);
  server.on('upgrade', (req, socket, head) => {
    served.current.upgrade(req, socket, head, (...taken) => intake.upgraded(...taken));
  });
  server.listen(config.server.port, config.server.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // It listens on TCP, so it has one.
  let lameDuckSeconds = config.server.lameDuckSeconds;
  let linger = 0;
  return {
    url: httpAddress(config.server.host, port),
    async retire() {
      drain.retire();
      served.current.retire();
      if (lameDuckSeconds > 0) linger = LINGER_MS;
      await sleep(lameDuckSeconds * 1000);
    },
    async close() {
      await served.current.closeStreams();
      const late = setTimeout(() => served.current.cutOff(), linger + DRAIN_MS);
      await drain.end(linger);
      clearTimeout(late);
      await served.close();
    },
    noteReload,
    reload: (next) =>
      served.follow(async () => {
        assertReloadable(config, next, 'process');
        assertCallersKnown(next);
        const made = await answering(await open(next), next, log);
        intake.follow(intakeBy(next));
        lameDuckSeconds = next.server.lameDuckSeconds;
        return made;
      }),
  };
}
