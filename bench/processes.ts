// Starts the contenders as processes, and stops all of them however the run ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../platform/project-root.ts';

const START_MS = 180_000;
const STOP_MS = 20_000;

export interface Started {
  readonly url: string;
  readonly pid: number;
}

export interface ProcessOptions {
  readonly name: string;
  /** Arguments of Node, relative to the project root. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
  /** Polled until it responds with any status but 5xx. */
  readonly readyPath: string;
}

/** Returns a free port of the loopback interface. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('a TCP server has a port'));
      });
    });
  });
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

export class Processes {
  readonly #children: ChildProcess[] = [];
  readonly #directory: string;
  #isStopping = false;

  /** `directory` is for their logs. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * Resolves when the process responds.
   * @throws Error with the end of its log, if it ends or does not respond in time
   */
  async start({ name, args, env, port, readyPath }: ProcessOptions): Promise<Started> {
    if (this.#isStopping) throw new Error('the run is being stopped');
    const logFile = path.join(this.#directory, `${name}.log`);
    const log = openSync(logFile, 'w');
    // A separate process group: Ctrl-C only reaches this process, which then stops the others once and in
    // order.
    const child = spawn(process.execPath, args, {
      cwd: projectRoot,
      env: { ...process.env, NODE_ENV: 'production', ...env },
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    this.#children.push(child);
    const url = `http://127.0.0.1:${port}`;
    for (
      const deadline = Date.now() + START_MS;
      Date.now() < deadline && !hasEnded(child);
      await sleep(100)
    ) {
      if (await answers(url + readyPath)) return { url, pid: child.pid ?? 0 };
    }
    throw new Error(
      `${name} did not start; the end of its log:\n${readFileSync(logFile, 'utf8').split('\n').slice(-15).join('\n')}`,
    );
  }

  /** Stops all processes, last started first. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const child of this.#children.splice(0).reverse()) {
      if (hasEnded(child)) continue;
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(timer);
    }
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1000) });
    await response.arrayBuffer();
    return response.status < 500;
  } catch {
    return false; // not listening yet: the caller retries until its deadline
  }
}
