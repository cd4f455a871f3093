// What of a configuration a process that serves cannot take anew.
import type { Config } from './load-config.ts';

const FIXED: Readonly<Record<string, (config: Config) => unknown>> = {
  database: (config) => config.database,
  'server.host': (config) => config.server.host,
  'server.port': (config) => config.server.port,
  'server.workers': (config) => config.server.workers,
};

/** @throws Error that names what differs and says what to do */
export function assertReloadable(now: Config, next: Config): void {
  const changed = Object.entries(FIXED)
    .filter(([, of]) => JSON.stringify(of(now)) !== JSON.stringify(of(next)))
    .map(([key]) => key);
  if (changed.length > 0)
    throw new Error(`${changed.join(', ')} cannot change while the server runs: stop it and start it again`);
}
