// The type of a noun of the gateway's subgraph, and what its services are.
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/load-config.ts';
import type { OperationContext } from '../../platform/operation-context.ts';
import type { SubgraphModule } from '../../platform/subgraph-module.ts';
import type { ApiKeys } from '../api-keys/api-keys.service.ts';
import type { AuditRecords } from '../edge/audit/audit-records.service.ts';
import type { Backups } from '../backups/backups.service.ts';
import type { Health } from '../health/health.ts';
import type { SystemMetrics } from '../system-metrics/system-metrics.service.ts';
import type { Sync } from '../sync/sync.service.ts';
import type { SignIns } from '../users/sign-ins.service.ts';
import type { Why } from '../why/why.service.ts';
import type { Resolvers } from './generated/resolvers.ts';

/** What of the configuration is shown. */
export type ShownConfig = Pick<Config, 'file' | 'settings'>;

export interface GatewayDeps {
  readonly keys: ApiKeys;
  readonly sync: Sync;
  readonly health: Health;
  readonly audit: AuditRecords;
  readonly signIns: SignIns;
  readonly systemMetrics: SystemMetrics;
  readonly backups: Backups;
  readonly why: Why;
  readonly configuration: ShownConfig;
  readonly log: Logger;
}

/** `Slice` is what the noun adds to the context. */
export interface GatewayNoun<Slice extends object> extends SubgraphModule<GatewayDeps, Slice> {
  readonly resolvers: Resolvers<OperationContext & Slice>;
}
