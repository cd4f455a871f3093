// Clients of several processes that read and write a few entities at random, and note what they were answered.
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type ServerProcess, startProcess } from '../testkit/server-process.ts';
import type { Operation } from './check-history.ts';

const CLIENTS = 12;
const ENTITIES = 40;

export interface Answer {
  readonly status: number;
  readonly body: ReturnType<typeof JSON.parse>;
}

export class Cluster {
  /** Undefined while one is being started again. */
  readonly servers: (ServerProcess | undefined)[] = [];
  readonly operations: Operation[] = [];
  readonly #directory: string;
  readonly #env: (i: number) => Readonly<Record<string, string>>;
  #value = 0;

  private constructor(directory: string, env: (i: number) => Readonly<Record<string, string>>) {
    this.#directory = directory;
    this.#env = env;
  }

  /** Starts so many processes over one database, and writes the first version of each entity. */
  static async start(
    processes: number,
    env: (i: number) => Readonly<Record<string, string>>,
  ): Promise<Cluster> {
    const cluster = new Cluster(await mkdtemp(path.join(os.tmpdir(), 'cairn-history-')), env);
    await cluster.#start(0);
    for (let i = 1; i < processes; i++) {
      await mkdir(cluster.#dataDir(i));
      await cp(path.join(cluster.#dataDir(0), 'admin-key'), path.join(cluster.#dataDir(i), 'admin-key'));
      await cluster.#start(i);
    }
    await cluster.surely('POST', '/api/v1/metadata/schemas', {
      name: 'Thing',
      version: '1',
      fields: [{ name: 'n', field_type: 'int', required: true }],
    });
    for (let i = 0; i < ENTITIES; i++) {
      const body = { entity_type: 'Thing', id: `e${i}`, data: { n: 0 } };
      await cluster.surely('POST', '/api/v1/metadata/ingest', body);
    }
    const probe = { entity_type: 'Thing', id: 'probe', data: { n: 0 } };
    await cluster.surely('POST', '/api/v1/metadata/ingest', probe);
    return cluster;
  }

  async end(): Promise<void> {
    for (const server of this.servers) await server?.end('SIGKILL');
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }

  #dataDir(i: number): string {
    return path.join(this.#directory, `process-${i}`);
  }

  async #start(i: number): Promise<void> {
    this.servers[i] = await startProcess({ dataDir: this.#dataDir(i), env: this.#env(i) });
  }

  #any(): number {
    return Math.floor(Math.random() * this.servers.length);
  }

  /** Kills one of the processes, and starts it again. */
  async killOne(): Promise<void> {
    const i = this.#any();
    const victim = this.servers[i];
    this.servers[i] = undefined;
    await victim?.end('SIGKILL');
    await this.#start(i);
  }

  /** Pauses one of the processes for so many milliseconds. */
  async pauseOne(ms: number): Promise<void> {
    const pid = this.servers[this.#any()]?.pid;
    if (pid === undefined) return;
    process.kill(pid, 'SIGSTOP');
    await sleep(ms);
    process.kill(pid, 'SIGCONT');
  }

  get living(): ServerProcess[] {
    return this.servers.filter((server) => server !== undefined);
  }

  /** Undefined for an unknown outcome. */
  async ask(method: string, target: string, body?: unknown): Promise<Answer | undefined> {
    const { living } = this;
    const server = living[Math.floor(Math.random() * living.length)];
    if (server === undefined) return undefined;
    try {
      const response = await fetch(server.url + target, {
        method,
        signal: AbortSignal.timeout(30_000),
        headers: { 'x-api-key': server.key, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    } catch {
      return undefined; // the process was killed, or the connection was closed
    }
  }

  async surely(method: string, target: string, body?: unknown): Promise<Answer['body']> {
    for (;;) {
      const answer = await this.ask(method, target, body);
      if (answer?.status === 200) return answer.body;
      await sleep(100);
    }
  }

  /** One operation of a client: what it was answered is noted, and anything but an answer or a 503 is a fault. */
  async #operate(): Promise<void> {
    const entity = `e${Math.floor(Math.random() * ENTITIES)}`;
    const begun = performance.now();
    if (Math.random() < 0.6) {
      const answer = await this.ask('GET', `/api/v1/metadata/entities/${entity}`);
      if (answer?.status === 200) {
        const { data, version } = answer.body.data;
        const ended = performance.now();
        this.operations.push({ kind: 'read', entity, value: data.n, version, begun, ended });
      } else if (answer !== undefined) expect([503]).toContain(answer.status);
      return;
    }
    const value = ++this.#value;
    const answer = await this.ask('PUT', `/api/v1/metadata/entities/Thing/${entity}`, { data: { n: value } });
    if (answer !== undefined) expect([200, 503]).toContain(answer.status);
    const version = answer?.status === 200 ? { version: answer.body.data.version } : {};
    this.operations.push({ kind: 'write', entity, value, ...version, begun, ended: performance.now() });
  }

  /** Milliseconds until every process has written something that it was told after now. */
  async writesAgain(): Promise<number> {
    const since = performance.now();
    await Promise.all(
      this.living.map(async ({ url, key }) => {
        for (;;) {
          const answer = await fetch(`${url}/api/v1/metadata/entities/Thing/probe`, {
            method: 'PUT',
            signal: AbortSignal.timeout(30_000),
            headers: { 'x-api-key': key, 'content-type': 'application/json' },
            body: JSON.stringify({ data: { n: ++this.#value } }),
          }).catch(() => undefined); // it is paused, or has no database
          await answer?.arrayBuffer();
          if (answer?.status === 200) return;
          if (performance.now() - since > 120_000) throw new Error(`a process still writes nothing: ${url}`);
          await sleep(100);
        }
      }),
    );
    return Math.round(performance.now() - since);
  }

  /** Clients work as long as the function says. */
  async work(goesOn: () => boolean): Promise<void> {
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (goesOn()) {
          await this.#operate();
          if (this.living.length === 0) await sleep(50);
        }
      }),
    );
  }
}
