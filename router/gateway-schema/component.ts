// The gateway's own functions as a component beside the others: keys, sync events, scans, health, the current
// actor.
import type { Logger } from 'pino';
import { dateTimeScalar } from '../../platform/date-time-scalar.ts';
import { type Permissions, readSdl } from '../../platform/subgraph-module.ts';
import { createLocalComponent, type LocalComponent } from '../../platform/subgraph.ts';
import { type GatewayContext, gatewayResolvers } from './gateway.resolvers.ts';

export const gatewayPermissions: Permissions = {
  'Query.me': 'authenticated',
  'Query.apiKeys': 'api-keys:own',
  'Query.syncEvents': 'sync:manage',
  'Query.syncEvent': 'sync:manage',
  'Query.latestScan': 'sync:manage',
  'Query.auditRecords': 'audit:read',
  'Query.health': 'authenticated',
  'Mutation.createApiKey': 'api-keys:own',
  'Mutation.revokeApiKey': 'api-keys:own',
  'Mutation.rotateApiKey': 'api-keys:own',
  'Mutation.resolveSyncEvent': 'sync:manage',
  'Mutation.startScan': 'sync:manage',
};

export interface GatewayComponentOptions extends Pick<GatewayContext, 'keys' | 'sync' | 'health' | 'audit'> {
  readonly log: Logger;
}

const modules = [
  {
    typeDefs: readSdl('router/gateway-schema/gateway.graphql'),
    resolvers: { ...gatewayResolvers, DateTime: dateTimeScalar() },
    permissions: gatewayPermissions,
  },
];

export function createGatewayComponent({ log, ...parts }: GatewayComponentOptions): LocalComponent {
  return createLocalComponent<GatewayContext>({
    name: 'gateway',
    modules,
    context: (caller) => ({ caller, extensions: {}, ...parts }),
    isReady: async () => await parts.health.isReady(),
    log,
  });
}
