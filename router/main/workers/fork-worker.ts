// The primary's handle of one worker: starts it with a configuration, stops it gracefully or by force.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Logger } from 'pino';
import { LINGER_MS } from '../../../platform/drain.ts';
import { projectRoot } from '../../../platform/project-root.ts';
import { type Calls, type Handlers, openCalls } from './calls.ts';
import { packConfig } from './portable-config.ts';
import type { Settings } from './settings.ts';
import type { StartMessage } from './worker.ts';

export interface Forked {
  readonly worker: Worker;
  readonly calls: Calls;
  readonly url: string;
  readonly startedAt: number;
  /** Resolves with its exit status when the process has ended. */
  readonly gone: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Whether it was told to stop. */
  readonly isClosing: () => boolean;
  /** It announces its stop; resolves after `server.lame_duck_seconds`, or when it has ended. */
  retire(): Promise<void>;
  /** Resolves when the process has ended: by itself within its grace period, by force after that. */
  close(lingerMs: number): Promise<void>;
}

/** Milliseconds, longer than a platform needs for requests in flight and its own shutdown, without what lingers. */
const CLOSE_MS = 20_000;

/**
 * glibc's allocator gives memory back that is free: by itself it keeps an arena for each of several threads, and what a start
 * needed once (docs/decisions/0181-memory-that-is-given-back.md).
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

interface Builder {
  readonly build: (entry: string) => Promise<string>;
}

/** Bundles the workers' entry; every later fork runs it. */
export async function prepareWorkers(): Promise<void> {
  const { build } = (await import(
    pathToFileURL(path.join(projectRoot, 'scripts', 'run.mjs')).href
  )) as Builder; // scripts are plain JavaScript
  const before = process.umask(0o022); // The bundle's module has no declared type.
  const exec = await build('router/main/workers/worker.ts').finally(() => {
    process.umask(before);
  });
  cluster.setupPrimary({
    exec,
    args: [],
    execArgv: ['--enable-source-maps', '--v8-pool-size=1'],
    serialization: 'advanced',
  });
}

/**
 * Resolves when it serves.
 * @throws Error with the worker's reason if it cannot; then its process has ended
 */
export async function forkWorker(
  { config, tlsPair }: Settings,
  log: Logger,
  handlers: Handlers,
): Promise<Forked> {
  const worker = cluster.fork({ ...ALLOCATOR, ...process.env });
  worker.on('error', (error) => {
    log.warn({ err: error, pid: worker.process.pid }, 'the channel to a worker failed');
  });
  let listens = (): void => undefined;
  const listening = new Promise<void>((resolve) => {
    listens = resolve;
  });
  const calls = openCalls(worker, {
    ...handlers,
    listening: async () => {
      listens();
    },
  });
  const gone = once(worker, 'exit').then(([code, signal]: (string | number | null)[]) => ({
    code: code as number | null,
    signal: signal as string | null,
  })); // The arguments of 'exit'.
  let closing = false;
  let hasRetired = false;
  const end = async (): Promise<void> => {
    if (!worker.isDead()) worker.process.kill('SIGKILL');
    await gone;
  };
  const message: StartMessage = { config: packConfig(config), logLevel: log.level, tlsPair };
  try {
    const ended = await Promise.race([listening, gone]);
    if (ended !== undefined)
      throw new Error(`a worker ended before it could start (${ended.signal ?? ended.code})`);
    const url = String(await calls.call('start', message));
    return {
      worker,
      calls,
      url,
      startedAt: performance.now(),
      gone,
      isClosing: () => closing,
      async retire() {
        hasRetired = true; // it lingers by itself after that
        await calls.call('retire').catch((error: unknown) => {
          if (!worker.isDead()) throw error; // one that has ended serves nobody
        });
      },
      async close(lingerMs) {
        closing = true;
        await calls.call('close', lingerMs, CLOSE_MS + Math.max(lingerMs, hasRetired ? LINGER_MS : 0)).then(
          () => {
            if (worker.isConnected()) worker.process.disconnect();
          }, // which ends it
          (error: unknown) => {
            if (!worker.isDead())
              log.error({ err: error, pid: worker.process.pid }, 'a worker did not shut down properly');
          },
        );
        const late = setTimeout(() => void end(), 2000);
        await gone;
        clearTimeout(late);
      },
    };
  } catch (error) {
    closing = true;
    await end();
    throw error;
  }
}
