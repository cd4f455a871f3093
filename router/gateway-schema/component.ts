// The gateway's own functions as a component beside the others: keys, sync events, scans, health, the current actor.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import type { Permission } from '../../platform/permissions.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { createLocalComponent, type LocalComponent, type RootCoordinate } from '../../platform/subgraph.ts';
import { type GatewayContext, gatewayResolvers } from './gateway.resolvers.ts';

export const gatewayPermissions: Readonly<Record<RootCoordinate, Permission>> = {
  'Query.me': 'authenticated',
  'Query.apiKeys': 'api-keys:own',
  'Query.syncEvents': 'sync:manage',
  'Query.syncEvent': 'sync:manage',
  'Query.latestScan': 'sync:manage',
  'Query.health': 'authenticated',
  'Mutation.createApiKey': 'api-keys:own',
  'Mutation.revokeApiKey': 'api-keys:own',
  'Mutation.rotateApiKey': 'api-keys:own',
  'Mutation.resolveSyncEvent': 'sync:manage',
  'Mutation.startScan': 'sync:manage',
};

export interface GatewayComponentOptions extends Pick<GatewayContext, 'keys' | 'sync' | 'health'> {
  readonly log: Logger;
}

export function createGatewayComponent({ keys, sync, health, log }: GatewayComponentOptions): LocalComponent {
  return createLocalComponent<GatewayContext>({
    name: 'gateway',
    typeDefs: readFileSync(path.join(projectRoot, 'router/gateway-schema/gateway.graphql'), 'utf8'),
    resolvers: gatewayResolvers,
    permissions: gatewayPermissions,
    context: (caller) => ({ caller, extensions: {}, keys, sync, health }),
    isReady: async () => await health.isReady(),
    log,
  });
}
