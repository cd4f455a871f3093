// A component served by itself as the configuration says.
import type { Logger } from 'pino';
import type { Config } from '../platform/config/load-config.ts';
import { networkMatcher } from '../platform/config/networks.ts';
import type { Database } from '../platform/database/connect.ts';
import type { Face } from '../platform/exchange.ts';
import { identifyAlone } from '../platform/identify-alone.ts';
import type { Permission } from '../platform/permissions.ts';
import type { LocalComponent } from '../platform/subgraph.ts';
import { openTracing } from '../platform/tracing/tracing.ts';
import type { FaceKind } from './faces.ts';
import { type RunningComponent, serveAlone } from './serve-alone.ts';

export type { RunningComponent };

export interface ConfiguredOptions {
  readonly component: LocalComponent;
  readonly face: FaceKind;
  readonly permissions: Readonly<Record<string, Permission>>;
  /** Puts paths that are no rows before the component's own. */
  readonly wrap?: (face: Face) => Face;
  readonly config: Config;
  readonly log: Logger;
  /** What the component's statements run on, to be traced where that is configured. */
  readonly database: Pick<Database, 'pool' | 'pipelined'>;
  /** Run when everything else is closed. */
  readonly onClose: () => Promise<void>;
}

export async function serveConfigured({ component, face, permissions, config, log, database, wrap, onClose }: ConfiguredOptions): Promise<RunningComponent> {
  const { server, auth, trustedNetworks } = config;
  const isTrusted = networkMatcher(trustedNetworks);
  const tracing = await openTracing(config, `cairn-${component.name}`, log);
  if (tracing) for (const pool of [database.pool, database.pipelined]) tracing.pool(pool);
  const running = await serveAlone({
    component, face, permissions, host: server.host, port: server.port, bodyLimit: server.bodyLimit, isTrusted, log, tracing, wrap,
    identify: identifyAlone({ isTrusted, jwksUrl: auth.jwksUrl, issuer: auth.issuer, audience: auth.audience }),
  });
  return { url: running.url, async close() { await running.close(); await tracing?.close(); await onClose(); } };
}
