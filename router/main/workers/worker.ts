// One of several processes behind one port: its primary starts and stops it.
import process from 'node:process';
import type { Logger } from 'pino';
import { stuckReason } from '../../../platform/database/liveness.ts';
import { limitHeapGrowth } from '../../../platform/heap-growth.ts';
import { createLogger } from '../../../platform/logger.ts';
import type { TlsPair } from '../../../platform/tls/read-tls.ts';
import { type RunningPlatform, startPlatform } from '../../main.ts';
import { openCalls } from './calls.ts';
import { unpackConfig } from './portable-config.ts';
import { bridgeTo } from './worker-bridge.ts';

/** The start message from the primary. */
export interface StartMessage {
  readonly config: unknown;
  readonly logLevel: string;
  readonly tlsPair: TlsPair | undefined;
}

// a terminal and a service manager signal every process of the group: only the primary handles it
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

limitHeapGrowth();

let running: RunningPlatform | undefined;
let log: Logger | undefined;

/** The primary replaces a worker that has ended; a probe would meet any of them. */
const LOOK_MS = 5000;
setInterval(() => {
  const stuck = running?.stuck();
  if (stuck === undefined) return;
  log?.error({ stuck }, `this worker cannot go on, and ends: ${stuckReason(stuck)}`);
  process.exit(1);
}, LOOK_MS).unref();

const primary = openCalls(process, {
  async start(message) {
    const { config: packed, logLevel, tlsPair } = message as StartMessage; // The primary sent it.
    const config = unpackConfig(packed);
    log = createLogger({ mode: config.server.mode, level: logLevel });
    running = await startPlatform({
      config,
      log,
      bridge: bridgeTo(primary),
      tlsPair,
    });
    return running.url;
  },
  metrics: async () => running?.metrics?.snapshot(),
  async renew(pair) {
    running?.renew(pair as TlsPair); // The primary sent it.
  },
  async retire() {
    await running?.retire();
  },
  async close(lingerMs) {
    await running?.close(Number(lingerMs));
  },
});
// earlier messages would have been lost: modules are loaded first; where the primary has ended meanwhile, nothing is to be done
await primary.call('listening').catch(() => process.exit());
