// `node scripts/run.mjs bench/transfer.ts [--mib n --rounds n --nginx file --alone]` measures uploads and downloads of a large
// file against nginx, with curl as the client of both.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { startCairn } from './cairn-server.ts';
import { watchMemory } from './memory.ts';
import { freePort, Processes, type Started } from './processes.ts';
import { median } from './statistics.ts';

/** At least so much of nginx's bytes a second. */
const AIM = 0.7;
const MIB = 1024 * 1024;

const run = promisify(execFile);
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** How many seconds a transfer takes, as curl counts them. @throws Error where it is answered with a failure */
async function transferred(
  client: readonly string[],
  ...args: string[]
): Promise<{ readonly seconds: number; readonly location: string }> {
  const always = ['--silent', '--show-error', '--fail', '--output', '/dev/null'];
  const told = ['--write-out', '%{time_total} %header{location}'];
  const [command = '', ...words] = [...client, ...always, ...told, ...args];
  const { stdout } = await run(command, words);
  const [seconds = '', location = ''] = stdout.split(' ');
  return { seconds: Number(seconds), location };
}

/** A process and all that it has started. */
async function withChildren(pid: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch(() => ({ stdout: '' })); // none
  const children = stdout.split('\n').filter((line) => line.trim() !== '');
  return [pid, ...(await Promise.all(children.map((child) => withChildren(Number(child))))).flat()];
}

/**
 * Has the operating system run the threads of a server before all else during a transfer, where that was asked for:
 * Cairn is busy on two processors and nginx on one, so that whatever else runs slows the first down more.
 */
async function alone<T>(servers: readonly number[], transfer: () => Promise<T>): Promise<T> {
  const pids = (await Promise.all(servers.map(withChildren))).flat();
  const schedule = (...policy: string[]) =>
    Promise.all(
      pids.map((pid) =>
        run('chrt', [...policy, String(pid)]).catch((fault: unknown) => {
          if (existsSync(`/proc/${pid}`)) throw fault; // a connection of the database may have ended meanwhile
        }),
      ),
    );
  await schedule('--all-tasks', '--rr', '--pid', '1');
  try {
    return await transfer();
  } finally {
    await schedule('--all-tasks', '--other', '--pid', '0');
  }
}

/** A file of so many MiB, another one each time, and its hash. */
function fileOf(place: string, mib: number, first: number): string {
  const hash = createHash('sha256');
  const block = Buffer.alloc(MIB);
  const file = openSync(place, 'w');
  for (let i = 0; i < mib; i++) {
    block.fill(`${first + i} `);
    hash.update(block);
    writeSync(file, block);
  }
  closeSync(file);
  return hash.digest('hex');
}

interface Sides {
  readonly cairn: number;
  readonly nginx: number;
}

const { values } = parseArgs({
  options: {
    mib: { type: 'string', default: '1024' },
    rounds: { type: 'string', default: '3' },
    nginx: { type: 'string', default: 'nginx' },
    directory: { type: 'string', default: os.tmpdir() },
    alone: { type: 'boolean', default: false },
  },
});
const [mib, rounds] = [Number(values.mib), Number(values.rounds)];
const directory = mkdtempSync(path.join(values.directory, 'cairn-transfer-'));
chmodSync(directory, 0o755); // when this runs as root, PostgreSQL runs as another user
const processes = new Processes(directory);

function startNginx(port: number): Promise<Started> {
  const env = { PORT: String(port), DIRECTORY: directory, NGINX: values.nginx };
  return processes.start({
    name: 'nginx',
    args: ['scripts/run.mjs', 'bench/baseline/nginx-files.ts'],
    env,
    port,
    readyPath: '/',
  });
}

const MEASURED = ['PUT', 'tus PATCH', 'GET', 'GET of a range'] as const;
type Measured = (typeof MEASURED)[number];

function report(
  found: ReadonlyMap<Measured, readonly Sides[]>,
  { before, most }: { readonly before: number; readonly most: number },
): void {
  for (const [name, sides] of found) {
    const ratios = sides.map((side) => side.nginx / side.cairn);
    const ratio = median(ratios);
    say(
      `${name.padEnd(16)} ${ratio.toFixed(2)} of nginx (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})  ≥ ${AIM}: ${ratio >= AIM ? 'met' : 'missed'}`,
    );
  }
  say(`memory of the server: ${before} MiB before, at most ${most} MiB`);
}

async function measure(): Promise<void> {
  const cairn = await startCairn(processes, directory);
  const { url: nginx, pid: nginxPid } = await startNginx(await freePort());
  const servers = [cairn.pid, nginxPid];
  const client = values.alone ? ['chrt', '--rr', '1', 'curl'] : ['curl'];
  const timed = (...args: string[]) =>
    values.alone ? alone(servers, () => transferred(client, ...args)) : transferred(client, ...args);
  const auth = ['--header', `Authorization: Bearer ${cairn.key}`];
  const files = `${cairn.url}/api/v1/artifact/files`;
  const file = path.join(directory, 'sent');
  const found = new Map<Measured, Sides[]>(MEASURED.map((name) => [name, []]));
  const put = (url: string, ...more: string[]) => timed('--upload-file', file, ...more, url);
  const get = (url: string, ...more: string[]) => timed(...more, url);
  /** Both sides, each first in turn. */
  const compare = async (
    round: number,
    name: Measured,
    ours: () => Promise<number>,
    theirs: () => Promise<number>,
  ) => {
    const sides = { cairn: 0, nginx: 0 };
    const each = [
      async () => void (sides.cairn = await ours()),
      async () => void (sides.nginx = await theirs()),
    ];
    for (const side of round % 2 === 0 ? each : each.reverse()) await side();
    found.get(name)?.push(sides);
    const speed = (seconds: number): string => `${Math.round(mib / seconds)} MiB/s`;
    say(`round ${round + 1}: ${name}: Cairn ${speed(sides.cairn)}, nginx ${speed(sides.nginx)}`);
  };
  const memory = watchMemory(cairn.pid);
  for (let round = 0; round < rounds; round++) {
    const hex = fileOf(file, mib, 2 * round * mib);
    await compare(
      round,
      'PUT',
      async () => (await put(`${files}/${hex}`, ...auth)).seconds,
      async () => (await put(`${nginx}/file-${round}`)).seconds,
    );
    const range = ['--range', `1000-${mib * MIB - 1000}`];
    await compare(
      round,
      'GET',
      async () => (await get(`${files}/${hex}`, ...auth)).seconds,
      async () => (await get(`${nginx}/file-${round}`)).seconds,
    );
    await compare(
      round,
      'GET of a range',
      async () => (await get(`${files}/${hex}`, ...auth, ...range)).seconds,
      async () => (await get(`${nginx}/file-${round}`, ...range)).seconds,
    );
    fileOf(file, mib, (2 * round + 1) * mib);
    const tus = ['--header', 'Tus-Resumable: 1.0.0', ...auth];
    const { location } = await transferred(
      ['curl'],
      '--request',
      'POST',
      ...tus,
      '--header',
      `Upload-Length: ${mib * MIB}`,
      `${cairn.url}/api/v1/artifact/uploads`,
    );
    const part = [
      '--request',
      'PATCH',
      '--header',
      'Upload-Offset: 0',
      '--header',
      'Content-Type: application/offset+octet-stream',
    ];
    await compare(
      round,
      'tus PATCH',
      async () => (await put(new URL(location, cairn.url).href, ...tus, ...part)).seconds,
      async () => (await put(`${nginx}/file-tus-${round}`)).seconds,
    );
  }
  report(found, memory.stop());
}

try {
  await measure();
} finally {
  await processes.stop();
  rmSync(directory, { recursive: true, force: true });
}
