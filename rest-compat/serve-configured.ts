// A component served by itself as the configuration says.
import type { Logger } from 'pino';
import type { Config } from '../platform/config/load-config.ts';
import { networkMatcher } from '../platform/config/networks.ts';
import { identifyAlone } from '../platform/identify-alone.ts';
import type { Permission } from '../platform/permissions.ts';
import type { LocalComponent } from '../platform/subgraph.ts';
import type { FaceKind } from './faces.ts';
import { type RunningComponent, serveAlone } from './serve-alone.ts';

export type { RunningComponent };

export interface ConfiguredOptions {
  readonly component: LocalComponent;
  readonly face: FaceKind;
  readonly permissions: Readonly<Record<string, Permission>>;
  readonly config: Config;
  readonly log: Logger;
  /** Run when everything else is closed. */
  readonly onClose: () => Promise<void>;
}

export async function serveConfigured({ component, face, permissions, config, log, onClose }: ConfiguredOptions): Promise<RunningComponent> {
  const { server, auth, trustedNetworks } = config;
  const isTrusted = networkMatcher(trustedNetworks);
  const running = await serveAlone({
    component, face, permissions, host: server.host, port: server.port, bodyLimit: server.bodyLimit, isTrusted, log,
    identify: identifyAlone({ isTrusted, jwksUrl: auth.jwksUrl, issuer: auth.issuer, audience: auth.audience }),
  });
  return { url: running.url, async close() { await running.close(); await onClose(); } };
}
