// What a command has of the world: environment, streams, signals. Tests bring their own.
import { closeSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Environment } from '../platform/config/environment.ts';
import { projectRoot } from '../platform/project-root.ts';

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
  /** The exports of a server's entry (`router/main.ts`). Each server is a bundle of its own, so that a client command loads none. */
  load(entry: string): Promise<Record<string, unknown>>;
  /** Calls back at each SIGINT and SIGTERM; answers how to stop listening. */
  onSignal(listener: (signal: NodeJS.Signals) => void): () => void;
  /** Calls back at each SIGHUP, which from then on does not end the process, with whether a terminal that was ours has gone with it. */
  onHangup(listener: (terminalIsGone: boolean) => void): void;
  /** Ends the process at once. */
  abort(status: number): void;
}

interface Builder {
  readonly build: (entry: string) => Promise<string>;
}

async function load(entry: string): Promise<Record<string, unknown>> {
  const scripts = pathToFileURL(path.join(projectRoot, 'scripts', 'run.mjs')).href;
  const { build } = (await import(scripts)) as Builder; // scripts are plain JavaScript
  const file = await build(entry);
  process.umask(0o077); // what servers write is their account's alone; what is built, and what other commands write, is as their user likes it
  return (await import(pathToFileURL(file).href)) as Record<string, unknown>; // a module's exports
}

function onSignal(listener: (signal: NodeJS.Signals) => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/** Whether the process belongs to a terminal: a terminal that is closed leaves its processes without one (POSIX, «General Terminal Interface»). */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false; // none to open
  }
}

function onHangup(listener: (terminalIsGone: boolean) => void): void {
  const had = hasTerminal();
  process.on('SIGHUP', () => {
    listener(had && !hasTerminal());
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
