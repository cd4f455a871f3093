// `node scripts/run.mjs bench/transfer.ts [--mib n --rounds n --nginx file --alone]` measures uploads and downloads of a large
// file against nginx, with curl as the client of both.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
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

/** Seconds that one transfer took, and of the processors of its server. */
interface Took {
  readonly seconds: number;
  readonly cpu: number;
}
interface Sides {
  readonly cairn: Took;
  readonly nginx: Took;
}

/** Ticks of /proc in a second. */
const TICKS = 100;

/** Seconds of the processors that a process has taken, with what the kernel did for it. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** nginx serves from a process that its first one starts. */
async function timedOf(pid: number, transfer: () => Promise<number>): Promise<Took> {
  const pids = await withChildren(pid);
  const cpu = () =>
    pids.filter((one) => existsSync(`/proc/${one}`)).reduce((sum, one) => sum + cpuSeconds(one), 0);
  const before = cpu();
  const seconds = await transfer();
  return { seconds, cpu: cpu() - before };
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
    const ratios = sides.map(({ cairn, nginx }) => nginx.seconds / cairn.seconds);
    const ratio = median(ratios);
    const perGib = (side: keyof Sides): string =>
      ((median(sides.map((both) => both[side].cpu)) * 1024) / mib).toFixed(2);
    say(
      `${name.padEnd(16)} ${ratio.toFixed(2)} of nginx (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})  ≥ ${AIM}: ${ratio >= AIM ? 'met' : 'missed'}; processor seconds per GiB: ${perGib('cairn')} against ${perGib('nginx')}`,
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
    const isFirst = round % 2 === 0;
    const before = isFirst ? undefined : await timedOf(nginxPid, theirs);
    const side = await timedOf(cairn.pid, ours);
    const sides = { cairn: side, nginx: before ?? (await timedOf(nginxPid, theirs)) };
    found.get(name)?.push(sides);
    const speed = ({ seconds }: Took): string => `${Math.round(mib / seconds)} MiB/s`;
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
