// Runs the command line in this process, with streams, signals and servers that a test can observe.
import { Readable } from 'node:stream';
import { main } from '../../cli/main.ts';
import type { Session } from '../../cli/session.ts';

export interface CommandLine {
  readonly env?: Session['env'];
  readonly cwd?: string;
  readonly stdin?: string | Buffer | Readable;
  readonly terminal?: boolean;
  /** Entry modules by path, as `start` and `init` load them. */
  readonly entries?: Readonly<Record<string, Record<string, unknown>>>;
}

export interface Started {
  readonly ended: Promise<number>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly aborted: readonly number[];
  signal(signal: NodeJS.Signals): void;
  hangUp(terminalIsGone?: boolean): void;
}

export function begin(args: readonly string[], line: CommandLine = {}): Started {
  const written = { stdout: '', stderr: '' };
  const aborted: number[] = [];
  const listeners: ((signal: NodeJS.Signals) => void)[] = [];
  const hangups: ((terminalIsGone: boolean) => void)[] = [];
  const output = (name: 'stdout' | 'stderr') => ({
    isTTY: line.terminal ?? false,
    write: (text: string) => {
      written[name] += text;
    },
  });
  const session: Session = {
    env: line.env ?? {},
    cwd: line.cwd ?? process.cwd(),
    stdin: line.stdin instanceof Readable ? line.stdin : Readable.from([Buffer.from(line.stdin ?? '')]),
    stdout: output('stdout'),
    stderr: output('stderr'),
    load: (entry) => {
      const found = line.entries?.[entry];
      return found === undefined ? Promise.reject(new Error(`no entry ${entry}`)) : Promise.resolve(found);
    },
    onSignal: (listener) => {
      listeners.push(listener);
      return () => undefined;
    },
    onHangup: (listener) => {
      hangups.push(listener);
    },
    abort: (status) => {
      aborted.push(status);
    },
  };
  return {
    ended: main(args, session),
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    aborted,
    signal: (signal) => {
      for (const listener of listeners) listener(signal);
    },
    hangUp: (terminalIsGone = false) => {
      for (const listener of hangups) listener(terminalIsGone);
    },
  };
}

export async function run(
  args: readonly string[],
  line: CommandLine = {},
): Promise<{ status: number; stdout: string; stderr: string }> {
  const started = begin(args, line);
  const status = await started.ended;
  return { status, stdout: started.stdout(), stderr: started.stderr() };
}
