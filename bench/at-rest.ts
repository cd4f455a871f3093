// The memory of the built product at rest (docs/operations.md#memory): one process, and four workers with their primary.
// Ends with 1 where one process takes more than 180 MB, or all five more than 500 MB. `npm run build` first.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from './cairn-server.ts';

const CLI = fileURLToPath(new URL('../build/cairn/cli/cairn.mjs', import.meta.url));
const REST_MS = 60_000;
const START_MS = 120_000;
const MAX_MB = 180;
const MAX_FOUR_MB = 500;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

const megabytes = (rollup: string, name: string): number =>
  (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) * 1024) / 1e6;

/** A process of Node and its descendants that are of Node: not PostgreSQL's. */
async function nodesBelow(pid: number): Promise<number[]> {
  const below: number[] = [];
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const children = (await readFile(`/proc/${pid}/task/${thread}/children`, 'utf8')).trim();
    for (const child of children.split(' ').filter(Boolean)) below.push(...(await nodesBelow(Number(child))));
  }
  const [program = ''] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
  return path.basename(program) === 'node' ? [pid, ...below] : below;
}

async function ready(port: number, server: ChildProcess): Promise<void> {
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(200)) {
    if (server.exitCode !== null) break;
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
  }
  throw new Error('the server did not start');
}

/** Starts the product as `npm start` and the units do, and measures its processes when it has rested. */
async function atRest(workers: number): Promise<{ readonly rss: number; readonly shared: number }> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-at-rest-'));
  const port = await freePort();
  const config = path.join(directory, 'gateway.yaml');
  await writeFile(
    config,
    `server: {mode: production, host: 127.0.0.1, port: ${port}, workers: ${workers}}\nauth: {issuer: "http://127.0.0.1:${port}"}\n`,
  );
  const env = {
    ...process.env,
    CAIRN_CONFIG: config,
    CAIRN_DATA_DIR: path.join(directory, 'data'),
    MALLOC_ARENA_MAX: '2',
    MALLOC_TRIM_THRESHOLD_: '131072',
  };
  const server = spawn('node', [...NODE_FLAGS, CLI, 'start', '--initialise'], {
    env,
    cwd: directory,
    stdio: 'ignore',
  });
  const ended = once(server, 'exit');
  try {
    await ready(port, server);
    await sleep(REST_MS);
    const rollups = await Promise.all(
      (await nodesBelow(server.pid ?? 0)).map((pid) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8')),
    );
    const sum = (name: string): number =>
      Math.round(rollups.reduce((all, rollup) => all + megabytes(rollup, name), 0));
    return { rss: sum('Rss'), shared: sum('Pss') };
  } finally {
    server.kill('SIGTERM');
    await ended;
    await rm(directory, { recursive: true, force: true });
  }
}

if (!existsSync(CLI)) throw new Error('there is no build: npm run build');
const one = await atRest(1);
console.info(`one process: ${one.rss} MB`);
const four = await atRest(4);
console.info(
  `four workers and their primary: ${four.shared} MB, pages that they share counted once (${four.rss} MB otherwise)`,
);
process.exitCode = one.rss > MAX_MB || four.shared > MAX_FOUR_MB ? 1 : 0;
