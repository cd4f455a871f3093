// Checks which configuration changes a running process cannot apply.
import type { Config } from './load-config.ts';

type Part = readonly [key: string, of: (config: Config) => unknown];

const LISTENING: readonly Part[] = [
  ['server.host', (config) => config.server.host],
  ['server.port', (config) => config.server.port],
  ['server.tls', (config) => config.server.tls !== undefined],
];
const DATABASE: Part = ['database', (config) => config.database];

/** One process serves by itself; several have a primary, which has opened the store and the audit log for them. */
const FIXED: Readonly<Record<'process' | 'workers', readonly Part[]>> = {
  process: [DATABASE, ...LISTENING, ['server.workers', (config) => config.server.workers]],
  workers: [DATABASE, ...LISTENING, ['observability.audit_log', (config) => config.observability.auditLog]],
};

/** @throws Error that names the changed keys and says what to do (docs/reference/gateway.md#reload) */
export function assertReloadable(now: Config, next: Config, served: keyof typeof FIXED): void {
  const changed = FIXED[served]
    .filter(([, of]) => JSON.stringify(of(now)) !== JSON.stringify(of(next)))
    .map(([key]) => key);
  if (changed.length > 0)
    throw new Error(`${changed.join(', ')} cannot change while the server runs: stop it and start it again`);
}
