// Servers as a command runs them: how an entry is started, what a signal does, how all is closed.
import type { Logger } from 'pino';
import type { Config } from '../platform/config/load-config.ts';
import { Failure } from './failure.ts';
import type { Session } from './session.ts';

/** What a server's entry starts. `close` takes no more requests, finishes those in flight (10 s at most), then stops the store. */
export interface Running {
  readonly url: string;
  /** Where the first administrator's key is, if it is on this machine. */
  readonly adminKeyPath?: string;
  close(): Promise<void>;
  /** Goes on with another configuration, without a dropped request. @throws Error where that cannot be; then the old one stays */
  reload?(config: Config): Promise<void>;
}

export interface ServerOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Aborted by a signal to stop: what a start still waits for is given up. */
  readonly signal?: AbortSignal;
}

/** One function that an entry exports: `router/main.ts` has `startPlatform`, `startRouter`, `initPlatform`; `subgraphs/<name>/main.ts` has `startComponent`. */
export async function entryFunction<Result>(
  session: Session,
  entry: string,
  name: string,
): Promise<(options: ServerOptions) => Promise<Result>> {
  const found = (await session.load(entry))[name];
  if (typeof found !== 'function') throw new Failure(`${entry} exports no ${name}`);
  return found as (options: ServerOptions) => Promise<Result>; // the agreed signature; entries are bundles, loaded by name
}

/**
 * Takes the configuration anew at each SIGHUP, for servers that can; one with faults is logged, and the old one stays. A terminal that
 * is closed sends SIGHUP too: where it was ours and is gone, or no server can, that stops them like SIGTERM, and what is answered resolves.
 */
export function reloadOnHangup(
  session: Session,
  log: Logger,
  running: readonly Running[],
  readConfig: () => Config,
): Promise<void> {
  const reloadable = running.filter((server) => server.reload !== undefined);
  const reload = async (): Promise<void> => {
    log.info('SIGHUP: taking the configuration anew');
    try {
      const config = readConfig();
      for (const server of reloadable) await server.reload?.(config);
      log.info('the configuration is taken');
    } catch (error) {
      log.error(
        `the configuration was not taken, the one before stays: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  };
  return new Promise((resolve) => {
    session.onHangup((terminalIsGone) => {
      if (reloadable.length > 0 && !terminalIsGone) return void reload();
      log.info('SIGHUP: finishing what is in flight');
      resolve();
    });
  });
}

/** What `close` takes longer than this is given up, in milliseconds: its own limit is 10 s for requests and then the store. */
const CLOSE_LIMIT = 30_000;

/** Ctrl-C under `npm start` comes twice, from the terminal and from npm; signals so close, in milliseconds, are one. */
const ONE_SIGNAL = 500;

/** Resolves at the first SIGINT or SIGTERM from now on. A second one ends the process at once. */
export function stopSignal(session: Session, log: Logger): Promise<void> {
  let first: number | undefined;
  return new Promise<void>((resolve) => {
    session.onSignal((signal) => {
      const now = performance.now();
      if (first !== undefined) {
        if (now - first > ONE_SIGNAL) session.abort(signal === 'SIGINT' ? 130 : 143);
        return;
      }
      first = now;
      log.info(`${signal}: finishing what is in flight; once more ends at once`);
      resolve();
    });
  });
}

/** Closes all, last started first. @throws Failure where that takes too long or goes wrong */
export async function closeInTime(running: readonly Running[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Failure(`the servers did not close within ${CLOSE_LIMIT / 1000} s`)),
      CLOSE_LIMIT,
    );
  });
  try {
    await Promise.race([closeAll(running), limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Closes all, last first, whatever some of them throw; then throws the first. */
export async function closeAll(running: readonly Running[]): Promise<void> {
  const errors: unknown[] = [];
  for (const server of [...running].reverse()) {
    await server.close().catch((error: unknown) => {
      errors.push(error);
    });
  }
  if (errors.length > 0)
    throw new Failure(
      `closing failed: ${errors.map((e) => (e instanceof Error ? e.message : String(e))).join('; ')}`,
      {},
      { cause: errors[0] },
    );
}
