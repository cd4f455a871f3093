// Executes the calls that cwltool makes from inside its sandbox: the container engine, as far as a run needs
// it, and JavaScript, in a sandbox of its own.
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { checkEngineCall, type EnginePolicy, EngineRefused } from './engine-policy.ts';
import { type Command, killGroup, spawnWatched } from './supervised-process.ts';
import type { ToolAccount } from './tool-account.ts';

export interface BrokerDeps {
  /** The path of the engine, and its environment. */
  readonly engine: Command;
  readonly policy: EnginePolicy;
  /** Options that precede all others of `run`. */
  readonly limits: readonly string[];
  /** Whether the engine refuses to keep the user's id. */
  readonly refusesKeepId: boolean;
  /** Runs JavaScript with arguments, in its sandbox. */
  readonly javascript: (args: readonly string[]) => Command;
  /** Resolves before an image that it names is run. */
  readonly onImage: (image: string) => Promise<void>;
  /** The other account that may connect. */
  readonly account: ToolAccount | null;
}

export interface Broker {
  readonly socket: string;
  /** Process ids of running calls. */
  pids(): readonly number[];
  /** Ends all of it. */
  close(): Promise<void>;
}

export const BROKER_SOCKET = '/run/cairn/programs';

const CALL = 0,
  IN = 1,
  IN_END = 2,
  OUT = 1,
  ERRORS = 2,
  EXIT = 3;
const MAX_FRAME = 64 * 1024 * 1024;

/** A frame: its kind, the length of its content, and the content. */
function frame(kind: number, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(kind, 0);
  head.writeUInt32BE(content.length, 1);
  return Buffer.concat([head, content]);
}

/** Calls `take` with every incoming frame, in order. */
function readFrames(socket: net.Socket, take: (kind: number, content: Buffer) => void): void {
  let held = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    while (held.length >= 5) {
      const length = held.readUInt32BE(1);
      if (length > MAX_FRAME) return socket.destroy();
      if (held.length < 5 + length) return;
      take(held.readUInt8(0), held.subarray(5, 5 + length));
      held = held.subarray(5 + length);
    }
  });
}

const isWords = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((word) => typeof word === 'string');

class Calls implements Broker {
  readonly socket: string;
  readonly #directory: string;
  readonly #deps: BrokerDeps;
  readonly #server: net.Server;
  readonly #children = new Set<ChildProcess>();
  readonly #open = new Set<net.Socket>();

  constructor(directory: string, deps: BrokerDeps) {
    this.#directory = directory;
    this.#deps = deps;
    this.socket = path.join(directory, 'programs');
    this.#server = net.createServer((socket) => {
      this.#serve(socket);
    });
  }

  async begin(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(this.socket, resolve);
    });
    if (this.#deps.account !== null) await chown(this.socket, this.#deps.account.uid, this.#deps.account.gid);
  }

  pids(): readonly number[] {
    return [...this.#children].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
    for (const pid of this.pids()) killGroup(pid, 'SIGKILL');
    await rm(this.#directory, { recursive: true, force: true });
  }

  #serve(socket: net.Socket): void {
    let child: ChildProcess | undefined;
    this.#open.add(socket);
    socket
      .on('error', () => {
        socket.destroy();
      })
      .once('close', () => {
        this.#open.delete(socket);
        // the caller is gone
        if (child?.pid !== undefined && this.#children.has(child)) killGroup(child.pid, 'SIGKILL');
      });
    const early: [number, Buffer][] = [];
    const feed = (kind: number, content: Buffer): void => {
      if (child === undefined) early.push([kind, Buffer.from(content)]);
      else if (kind === IN) child.stdin?.write(content);
      else if (kind === IN_END) child.stdin?.end();
    };
    let isCalled = false;
    readFrames(socket, (kind, content) => {
      if (kind !== CALL || isCalled) return feed(kind, content);
      isCalled = true;
      this.#call(content.toString('utf8')).then(
        ({ command, after }) => {
          if (socket.destroyed) return;
          child = this.#start(command, socket, after);
          for (const [kept, bytes] of early.splice(0)) feed(kept, bytes);
        },
        (fault: unknown) => {
          socket.write(
            frame(
              ERRORS,
              Buffer.from(
                `refused: ${fault instanceof EngineRefused ? fault.message : 'the command cannot be run'}\n`,
              ),
            ),
          );
          socket.end(frame(EXIT, Buffer.from('125')));
        },
      );
    });
  }

  /** The command of a call, and the function to call after it has ended. @throws EngineRefused */
  async #call(text: string): Promise<{ readonly command: Command; readonly after: () => Promise<void> }> {
    const asked: unknown = JSON.parse(text);
    if (!isWords(asked)) throw new EngineRefused('the call is malformed');
    const [name, ...words] = asked;
    if (name === 'node') return { command: this.#deps.javascript(words), after: () => Promise.resolve() };
    const { engine, policy, limits, refusesKeepId } = this.#deps;
    await checkEngineCall(words, policy);
    if (words[0] !== 'run')
      return { command: { ...engine, args: [...engine.args, ...words] }, after: () => Promise.resolve() };
    const image = words.findIndex((word, i) => i > 0 && !word.startsWith('-'));
    const options = words.slice(1, image).filter((word) => !(refusesKeepId && word === '--userns=keep-id'));
    await this.#deps.onImage(words[image] ?? '');
    const ids = options.find((word) => word.startsWith('--cidfile='))?.slice('--cidfile='.length);
    return {
      command: { ...engine, args: [...engine.args, 'run', ...limits, ...options, ...words.slice(image)] },
      // cwltool waits forever for the id of a container that was not started, or that it may not read: the engine
      // writes it with our account and mask
      after: async () => {
        if (ids === undefined) return;
        if (existsSync(ids)) await chmod(ids, 0o644);
        else await writeFile(ids, '-\n', { flag: 'wx', mode: 0o644 });
        if (this.#deps.account !== null) await chown(ids, this.#deps.account.uid, this.#deps.account.gid);
      },
    };
  }

  #start(command: Command, socket: net.Socket, after: () => Promise<void>): ChildProcess {
    const child = spawnWatched(command, 'pipe');
    this.#children.add(child);
    child.stdin?.on('error', () => undefined); // it need not read everything
    for (const [kind, stream] of [
      [OUT, child.stdout],
      [ERRORS, child.stderr],
    ] as const) {
      stream?.on('data', (chunk: Buffer) => {
        if (socket.destroyed || socket.write(frame(kind, chunk))) return;
        stream.pause();
        socket.once('drain', () => {
          stream.resume();
        });
      });
    }
    const end = (status: number): void => {
      this.#children.delete(child);
      void after()
        .catch(() => undefined)
        .finally(() => {
          if (!socket.destroyed) socket.end(frame(EXIT, Buffer.from(String(status))));
        }); // the file exists already, or its directory was removed with the run
    };
    child.once('error', () => {
      end(127);
    });
    child.once('exit', (status, signal) => {
      child.stdio[3]?.destroy();
      if (child.pid !== undefined) killGroup(child.pid, 'SIGKILL');
      const late = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, 30_000).unref(); // a process that left the group may hold them open
      const done = (): void => {
        clearTimeout(late);
        end(status ?? 128 + (signal === null ? 0 : os.constants.signals[signal]));
      };
      if (child.stdout?.closed === true && child.stderr?.closed === true) done();
      else child.once('close', done);
    });
    return child;
  }
}

/** Begins to serve calls. */
export async function startBroker(deps: BrokerDeps): Promise<Broker> {
  // short, because the path of a socket is limited
  const calls = new Calls(await mkdtemp(path.join(os.tmpdir(), 'cairn-programs-')), deps);
  await calls.begin();
  return calls;
}

/**
 * A stand-in program: passes its arguments and input to the broker, and exits with the status of the real
 * program.
 */
const STAND_IN = `const [socketPath, name, ...words] = process.argv.slice(2);
const socket = require('node:net').connect(socketPath);
const send = (kind, content) => { const head = Buffer.alloc(5); head.writeUInt8(kind, 0); head.writeUInt32BE(content.length, 1); return socket.write(Buffer.concat([head, content])); };
send(0, Buffer.from(JSON.stringify([name, ...words])));
process.stdin.on('data', (chunk) => { if (!send(1, chunk)) { process.stdin.pause(); socket.once('drain', () => process.stdin.resume()); } });
process.stdin.on('end', () => send(2, Buffer.alloc(0))).on('error', () => send(2, Buffer.alloc(0)));
let held = Buffer.alloc(0), status = 126;
socket.on('data', (chunk) => {
  held = Buffer.concat([held, chunk]);
  while (held.length >= 5 && held.length >= 5 + held.readUInt32BE(1)) {
    const kind = held.readUInt8(0), content = Buffer.from(held.subarray(5, 5 + held.readUInt32BE(1)));
    held = held.subarray(5 + content.length);
    if (kind === 1) process.stdout.write(content);
    if (kind === 2) process.stderr.write(content);
    if (kind === 3) status = Number(content.toString());
  }
});
socket.on('error', () => {}).on('close', () => process.exit(status));`;

/** Words of a command for a shell. */
export const quoted = (words: readonly string[]): string =>
  words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');

/**
 * Writes stand-in programs into a directory.
 * @param node the Node.js that runs them
 * @param names what each calls, by its file name
 */
export async function layStandIns(
  directory: string,
  node: string,
  socket: string,
  names: Readonly<Record<string, string>>,
): Promise<void> {
  await writeFile(path.join(directory, 'stand-in.cjs'), STAND_IN);
  for (const [file, name] of Object.entries(names))
    await writeFile(
      path.join(directory, file),
      `#!/bin/sh\nexec ${quoted([node, path.join(directory, 'stand-in.cjs'), socket, name])} "$@"\n`,
      { mode: 0o755 },
    );
}
