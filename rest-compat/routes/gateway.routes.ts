// The gateway's own endpoints over its subgraph; its other ones have handlers of their own.
import type { RestRoute } from '../route.ts';
import { apiKeyRows } from './gateway-api-keys.routes.ts';
import { auditRows } from './gateway-audit.routes.ts';
import { backupRows } from './gateway-backups.routes.ts';
import { configurationRows } from './gateway-configuration.routes.ts';
import { signInRows } from './gateway-sign-ins.routes.ts';
import { measurementRows } from './gateway-measurements.routes.ts';
import { syncRows } from './gateway-sync.routes.ts';
import { requestWhyRows, whyRows } from './why.routes.ts';

export const gatewayRows: readonly RestRoute[] = [
  ...apiKeyRows,
  ...syncRows,
  ...auditRows,
  ...configurationRows,
  ...signInRows,
  ...measurementRows,
  ...backupRows,
  ...whyRows,
  ...requestWhyRows,
];
