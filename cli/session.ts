// Gives a command access to the environment, streams and signals. Tests provide their own.
import { closeSync, existsSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Environment } from '../platform/config/environment.ts';
import { projectRoot } from '../platform/project-root.ts';
import { systemErrorCode } from '../platform/system-error-code.ts';
import { Failure } from './failure.ts';

export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface Session {
  readonly env: Environment;
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  /**
   * Returns the exports of a server's entry module (`router/main.ts`). Each server is a separate bundle, so
   * that a client command loads none.
   */
  load(entry: string): Promise<Record<string, unknown>>;
  /** Calls the listener at each SIGINT and SIGTERM; returns a function that removes the listener. */
  onSignal(listener: (signal: NodeJS.Signals) => void): () => void;
  /**
   * Calls the listener at each SIGHUP, which then no longer ends the process. The argument says whether the
   * process has lost its terminal.
   */
  onHangup(listener: (terminalIsGone: boolean) => void): void;
  /** Ends the process at once. */
  abort(status: number): void;
}

interface Builder {
  readonly build: (entry: string) => Promise<string>;
}

const SCRIPTS = path.join(projectRoot, 'scripts', 'run.mjs');

/** @throws Failure where the command is a package of its own */
export function assertInstallation(): void {
  if (!existsSync(SCRIPTS))
    throw new Failure(
      'this command works on the server itself: run it in its installation, this is the package @cairn/cli',
      { error: 'no_server' },
    );
}

async function load(entry: string): Promise<Record<string, unknown>> {
  assertInstallation();
  const { build } = (await import(pathToFileURL(SCRIPTS).href)) as Builder; // scripts are plain JavaScript without types
  const file = await build(entry);
  // Files that servers write are for their account only. The user's umask applies to builds and to other
  // commands.
  process.umask(0o077);
  return (await import(pathToFileURL(file).href)) as Record<string, unknown>; // a module's exports
}

function onSignal(listener: (signal: NodeJS.Signals) => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/**
 * Whether the process has a controlling terminal. Processes lose it when the terminal is closed (POSIX,
 * «General Terminal Interface»).
 */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false; // there is no terminal
  }
}

function onHangup(listener: (terminalIsGone: boolean) => void): void {
  const had = hasTerminal();
  process.on('SIGHUP', () => {
    listener(had && !hasTerminal());
  });
}

/** Of a command that a SIGPIPE has ended, as shells tell it. */
const ENDED_BY_PIPE = 141;

/**
 * A reader that wants no more, such as `head`, ends the command quietly, as it ends others. What ends by a signal, such
 * as a server, ends in that way: what was sent to it is answered.
 */
export function endWithReader({ stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'> = process): void {
  for (const stream of [stdout, stderr])
    stream.on('error', (fault: Error) => {
      if (systemErrorCode(fault) !== 'EPIPE') throw fault;
      if (process.listenerCount('SIGTERM') > 0) process.kill(process.pid, 'SIGTERM');
      else process.exit(ENDED_BY_PIPE);
    });
}

export const processSession = (): Session => ({
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  load,
  onSignal,
  onHangup,
  abort: (status) => process.exit(status),
});
