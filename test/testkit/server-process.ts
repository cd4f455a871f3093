// A real `cairn start` process over its own data directory and embedded database.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../../platform/project-root.ts';

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** The administrator's key. */
  readonly key: string;
  /** Its stderr so far. */
  readonly log: () => string;
  /** Sends the signal; returns its exit status, null if the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface ProcessOptions {
  readonly dataDir: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory: where another version of the product is. */
  readonly cwd?: string;
  /** What is started; by default the product in the working directory. */
  readonly program?: string;
  /** The account to run it under; by default the test's own. */
  readonly account?: { readonly uid?: number; readonly gid?: number };
  /** The words before Node's: a program that becomes what its arguments name. */
  readonly through?: readonly string[];
}

/** Starts it on a free port; rejects with its output if it ends before it is ready. */
export async function startProcess({
  dataDir,
  args = ['start'],
  env = {},
  cwd = projectRoot,
  program = 'cli/cairn.mjs',
  account = {},
  through = [],
}: ProcessOptions): Promise<ServerProcess> {
  const [command = '', ...words] = [...through, process.execPath, program, ...args, '--json'];
  const child = spawn(command, words, {
    cwd,
    ...account,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CAIRN_PORT: '0', CAIRN_DATA_DIR: dataDir, ...env },
  });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let output = '';
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /"url":\s*"([^"]+)"/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    void exited.then(([status]) => {
      reject(new Error(`cairn ended with ${status} before it was ready: ${output}${errors}`));
    });
  });
  return {
    url,
    pid: child.pid ?? 0,
    log: () => errors,
    key: (await readFile(path.join(dataDir, 'admin-key'), 'utf8')).trim(),
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return (await exited)[0];
    },
  };
}
