// Runs servers for a command: loads their entry modules, handles signals, and closes them.
import type { Logger } from 'pino';
import type { Config } from '../platform/config/load-config.ts';
import { LINGER_MS } from '../platform/drain.ts';
import { Failure } from './failure.ts';
import type { Session } from './session.ts';

/**
 * A running server. `close` stops accepting requests, waits for requests in flight (10 s at most), then
 * closes the store.
 */
export interface Running {
  readonly url: string;
  /** Path of the file with the first administrator's key, if it is on this machine. */
  readonly adminKeyPath?: string;
  close(): Promise<void>;
  /** Announces that it stops while it still serves; resolves after `server.lame_duck_seconds`. */
  retire(): Promise<void>;
  /**
   * Applies another configuration without dropping requests.
   * @throws Error where that is not possible; the old configuration stays in effect
   */
  reload?(config: Config): Promise<void>;
  /** Metrics say that the last reload failed, be it before {@link reload}, or did not. */
  noteReload?(failed: boolean): void;
}

export interface ServerOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Aborted by a termination signal, which cancels a start that is still waiting. */
  readonly signal?: AbortSignal;
  /** An instance is begun where there is none, in production too. */
  readonly initialise?: boolean;
}

/**
 * Loads a function that an entry module exports: `router/main.ts` has `startPlatform`, `startRouter`,
 * `initPlatform`; `standalone/<name>.ts` has `startComponent`.
 */
export async function entryFunction<Result>(
  session: Session,
  entry: string,
  name: string,
): Promise<(options: ServerOptions) => Promise<Result>> {
  const found = (await session.load(entry))[name];
  if (typeof found !== 'function') throw new Failure(`${entry} exports no ${name}`);
  // Entry modules are bundles that are loaded by name, so the compiler cannot check this signature.
  return found as (options: ServerOptions) => Promise<Result>;
}

/**
 * Reloads the configuration on SIGHUP, for the servers that support it. An invalid configuration is logged,
 * and the old one stays in effect. A closing terminal also sends SIGHUP: where this process had a terminal
 * that is now gone, or where no server can reload, the signal stops the servers like SIGTERM, and the
 * returned promise resolves.
 */
export function reloadOnHangup(
  session: Session,
  log: Logger,
  running: readonly Running[],
  readConfig: () => Config,
): Promise<void> {
  const reloadable = running.filter((server) => server.reload !== undefined);
  const note = (failed: boolean): void => {
    for (const server of reloadable) server.noteReload?.(failed);
  };
  const reload = async (): Promise<void> => {
    log.info('SIGHUP: reloading the configuration');
    try {
      const config = readConfig();
      for (const server of reloadable) await server.reload?.(config);
      log.info('the configuration was reloaded');
      note(false);
    } catch (error) {
      log.error(
        `the configuration was not reloaded, the previous one stays in use: ${error instanceof Error ? error.message : String(error)}`,
      );
      note(true);
    }
  };
  return new Promise((resolve) => {
    session.onHangup((terminalIsGone) => {
      if (reloadable.length > 0 && !terminalIsGone) return void reload();
      log.info('SIGHUP: finishing requests in flight');
      resolve();
    });
  });
}

/**
 * Milliseconds after which pending `close`s are abandoned, beside what each server lingers after a lame duck. Its own limit
 * is 10 s for requests, 20 s for a whole worker; then the store closes.
 */
const CLOSE_LIMIT = 30_000;

/**
 * Under `npm start`, Ctrl-C arrives twice: from the terminal and from npm. Two signals within this number of
 * milliseconds count as one.
 */
const ONE_SIGNAL = 500;

/** Resolves at the first SIGINT or SIGTERM after the call. A second one ends the process at once. */
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
      log.info(`${signal}: finishing requests in flight; a second signal ends the process immediately`);
      resolve();
    });
  });
}

/** Closes all servers, last started first. @throws Failure where that fails or takes too long */
export async function closeInTime(running: readonly Running[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limitMs = CLOSE_LIMIT + running.length * LINGER_MS;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Failure(`the servers did not close within ${limitMs / 1000} s`)),
      limitMs,
    );
  });
  try {
    await Promise.race([closeAll(running), limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Closes all servers, last started first, even if some throw; then throws the first error. */
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
