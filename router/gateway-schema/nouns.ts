// The nouns of the gateway's subgraph.
import { dateTimeScalar } from '../../platform/date-time-scalar.ts';
import type { OperationContext } from '../../platform/operation-context.ts';
import { permissionsOf, readSdl, type SlicesOf } from '../../platform/subgraph-module.ts';
import { actors } from './actors.module.ts';
import { apiKeys } from './api-keys.module.ts';
import { audit } from './audit.module.ts';
import { backups } from './backups.module.ts';
import { configuration } from './configuration.module.ts';
import { health } from './health.module.ts';
import type { GatewayNoun } from './noun.ts';
import { signIns } from './sign-ins.module.ts';
import { sync } from './sync.module.ts';
import { systemMetrics } from './system-metrics.module.ts';
import { why } from './why.module.ts';

const scalars: GatewayNoun<object> = {
  typeDefs: readSdl('router/gateway-schema/schema.graphql'),
  resolvers: { DateTime: dateTimeScalar() },
  permissions: {},
  services: () => ({}),
};

export const GATEWAY_NOUNS = [
  scalars,
  actors,
  apiKeys,
  sync,
  audit,
  health,
  configuration,
  signIns,
  systemMetrics,
  backups,
  why,
] as const;

export type GatewayContext = OperationContext & SlicesOf<typeof GATEWAY_NOUNS>;

/** The permissions of the root fields (docs/reference/gateway.md#roles). */
export const gatewayPermissions = permissionsOf(GATEWAY_NOUNS);
