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

async function load(entry: string): Promise<Record<string, unknown>> {
  const scripts = path.join(projectRoot, 'scripts', 'run.mjs');
  if (!existsSync(scripts))
    throw new Failure(
      'this command works on the server itself: run it in its installation, this is the package @cairn/cli',
      {
        error: 'no_server',
      },
    );
  const { build } = (await import(pathToFileURL(scripts).href)) as Builder; // scripts are plain JavaScript without types
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

/**
 * Ends a command whose reader has gone, such as `head`, as a signal would: a server stops, and what was sent is
 * answered. Node ignores SIGPIPE and would end it with a stack.
 */
function endWithoutReader(error: Error): void {
  if (systemErrorCode(error) !== 'EPIPE') throw error;
  process.kill(process.pid, 'SIGTERM');
}

export function processSession(): Session {
  const { env, stdin, stdout, stderr } = process;
  stdout.on('error', endWithoutReader);
  return {
    env,
    cwd: process.cwd(),
    stdin,
    stdout,
    stderr,
    load,
    onSignal,
    onHangup,
    abort: (status) => process.exit(status),
  };
}
