// A child process that cannot outlive us: in a process group of its own, with a shell that kills the group
// when we are gone.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { systemErrorCode } from '../../../platform/system-error-code.ts';

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Maximum bytes of each file that it writes. */
  readonly fileBytes?: number;
}

export interface SupervisedProcess {
  readonly pid: number;
  /** Exit status, or the signal that ended it; its whole group is dead by then. */
  readonly ended: Promise<{ readonly status: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Asks it to end, and kills the rest after the grace period. */
  end(graceMs?: number): void;
}

/**
 * The watchdog reads from a pipe whose other end only we hold: it reads the end when we close it, or are
 * killed. Then the group is killed, including the watchdog. The command itself does not inherit the pipe.
 */
const WATCHED =
  'ulimit -c 0; ulimit -f "$1"; shift; (cat <&3 >/dev/null 2>&1; kill -9 -$$) >/dev/null 2>&1 & exec "$@" 3<&-';

/** The unit of `ulimit -f`. */
const ULIMIT_BLOCK = 512;

/** Ends a process with its whole group, if it still exists. */
export function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (fault) {
    if (systemErrorCode(fault) !== 'ESRCH') throw fault; // already gone
  }
}

/**
 * Starts a command whose group is killed when we end.
 * @param stdin its input: nothing, or what is written to the child's `stdin`
 */
export function spawnWatched(
  { command, args, cwd, env, fileBytes }: Command,
  stdin: 'ignore' | 'pipe',
): ChildProcess {
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      WATCHED,
      'sh',
      fileBytes === undefined ? 'unlimited' : String(Math.ceil(fileBytes / ULIMIT_BLOCK)),
      command,
      ...args,
    ],
    { cwd, env, detached: true, stdio: [stdin, 'pipe', 'pipe', 'pipe'] },
  );
  child.stdio[3]?.on('error', () => undefined); // the watcher may be gone before us: that is what it is for
  return child;
}

/** Rejects where it cannot be started. What it writes goes to the two listeners. */
export async function startSupervised(
  command: Command,
  onOutput: (chunk: Buffer) => void,
  onErrors: (chunk: Buffer) => void,
): Promise<SupervisedProcess> {
  const child = spawnWatched(command, 'ignore');
  const { stdout, stderr } = child;
  // they are asked for above
  if (stdout === null || stderr === null) throw new Error('the child process has no pipes');
  stdout.on('data', onOutput);
  stderr.on('data', onErrors);
  await once(child, 'spawn');
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command.command} could not be started`);
  let late: NodeJS.Timeout | undefined;

  const ended = (async () => {
    // the arguments of 'exit'
    const [status, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    clearTimeout(late);
    killGroup(pid, 'SIGKILL');
    child.stdio[3]?.destroy();
    const closed = stdout.closed && stderr.closed ? undefined : once(child, 'close');
    await Promise.race([
      closed,
      new Promise((resolve) => {
        setTimeout(resolve, 2000).unref();
      }),
    ]); // somebody who left the group may hold them open
    stdout.destroy();
    stderr.destroy();
    return { status, signal };
  })();

  return {
    pid,
    ended,
    end(graceMs = 5000) {
      killGroup(pid, 'SIGINT');
      late ??= setTimeout(() => {
        killGroup(pid, 'SIGKILL');
      }, graceMs).unref();
    },
  };
}
