// The real server as a separate process, observed from outside: its memory, event loop, and liveness latency.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { projectRoot } from '../../platform/project-root.ts';
import { scratchDatabase } from '../testkit/database.ts';

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly bytes: number;
  readonly ms: number;
}

/** Milliseconds of the slowest answer, and most milliseconds of one that the server itself was the cause of. */
export interface Liveness {
  readonly ms: number;
  readonly own: number;
}

export interface ServedProcess extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
  readonly databaseUrl: string;
  ask(method: string, target: string, body?: unknown, options?: AskOptions): Promise<Answered>;
  graphql(
    query: string,
    variables?: Readonly<Record<string, unknown>>,
    options?: AskOptions,
  ): Promise<Answered>;
  /**
   * Reads an event stream for some milliseconds. Returns its beginning, and as `bytes` the size of its
   * largest event.
   */
  stream(
    query: string,
    variables: Readonly<Record<string, unknown>>,
    options: { readonly key: string; readonly ms: number },
  ): Promise<Answered>;
  newKey(role: string): Promise<string>;
  /** Bytes of memory now, and the maximum so far. */
  memory(): Promise<{ readonly now: number; readonly most: number }>;
  /** Maximum milliseconds for which the event loop was blocked since the last call. */
  loopDelay(): Promise<number>;
  /** The slowest answers of the liveness probe since the last call, asked for from another process. */
  liveness(): Promise<Liveness>;
  isAlive(): boolean;
}
export interface AskOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

interface Told {
  readonly url: string;
  readonly admin_key_file: string;
}

/** The output once it is ready: JSON over several lines. */
function started(child: ChildProcess): Promise<Told> {
  let [said, errors] = ['', ''];
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.trimEnd().endsWith('}')) resolve(JSON.parse(said) as Told);
    });
    child.once('exit', () => {
      reject(new Error(`the server did not start: ${errors}`));
    });
  });
}

/** @throws Error where the probe ends, as it does with its server */
async function probed(probe: ChildProcess): Promise<Liveness> {
  const ended = new AbortController();
  const end = (): void => {
    ended.abort(new Error('the liveness probe has ended'));
  };
  probe.once('exit', end);
  probe.send('tell');
  try {
    return ((await once(probe, 'message', { signal: ended.signal })) as [Liveness])[0];
  } finally {
    probe.off('exit', end);
  }
}

async function readStream(
  url: string,
  query: string,
  variables: Readonly<Record<string, unknown>>,
  { key, ms }: { readonly key: string; readonly ms: number },
): Promise<Answered> {
  const from = performance.now();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query, variables }),
  });
  let [text, largest, current] = ['', 0, 0];
  const reader = response.body?.getReader();
  const late = setTimeout(() => {
    void reader?.cancel();
  }, ms);
  for (let step = await reader?.read(); step?.done === false; step = await reader?.read()) {
    const piece = Buffer.from(step.value as Uint8Array);
    if (text.length < 4000) text += piece.toString().slice(0, 4000);
    const end = piece.indexOf('\n\n');
    current += end < 0 ? piece.length : end;
    largest = Math.max(largest, current);
    if (end >= 0) current = piece.length - piece.lastIndexOf('\n\n');
  }
  clearTimeout(late);
  return { status: response.status, text, bytes: largest, ms: performance.now() - from };
}

/** Sends requests with the key, unless they have another. */
const asking =
  (url: string, key: string): ServedProcess['ask'] =>
  async (method, target, body, { key: given = key, headers = {}, signal } = {}) => {
    const from = performance.now();
    const response = await fetch(url + target, {
      method,
      headers: {
        'x-api-key': given,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return {
      status: response.status,
      text: bytes.subarray(0, 4000).toString(),
      bytes: bytes.length,
      ms: performance.now() - from,
    };
  };

/** `cairn start` over a database of its own. */
export async function serveProcess(config = ''): Promise<ServedProcess> {
  const scratch = await scratchDatabase();
  const directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-limits-'));
  await writeFile(
    path.join(directory, 'gateway.yaml'),
    `observability: {log_level: warn, audit_log: {enabled: false}}\n${config}`,
  );
  const child = spawn(process.execPath, [path.join(projectRoot, 'cli/cairn.mjs'), 'start', '--json'], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      CAIRN_CONFIG: path.join(directory, 'gateway.yaml'),
      CAIRN_PORT: '0',
      CAIRN_DATA_DIR: path.join(directory, 'data'),
      DATABASE_URL: scratch.url,
    },
  });
  const { url, admin_key_file: keyFile } = await started(child);
  const key = (await readFile(keyFile, 'utf8')).trim();
  const probe = fork(
    path.join(projectRoot, 'test/operation-limits/liveness-probe.mjs'),
    [`${url}/livez`, String(child.pid)],
    { execArgv: [] },
  );
  await once(probe, 'message');

  const ask = asking(url, key);
  return {
    url,
    key,
    databaseUrl: scratch.url,
    ask,
    graphql: (query, variables = {}, options = {}) => ask('POST', '/graphql', { query, variables }, options),
    stream: (query, variables, options) => readStream(url, query, variables, options),
    async newKey(role) {
      const { text } = await ask('POST', '/api/v1/gateway/auth/api-keys', { label: role, role });
      return (JSON.parse(text) as { secret: string }).secret;
    },
    async memory() {
      const text = await readFile(`/proc/${child.pid ?? 0}/status`, 'utf8');
      const of = (name: string): number =>
        Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024;
      return { now: of('VmRSS'), most: of('VmHWM') };
    },
    async loopDelay() {
      const response = await fetch(`${url}/api/v1/gateway/metrics`);
      return (
        Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(await response.text())?.[1] ?? Number.NaN) *
        1000
      );
    },
    liveness: () => probed(probe),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async [Symbol.asyncDispose]() {
      probe.kill();
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      await scratch[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
