// Starts a postmaster that stops with its last user, and reads the state of a running one.
import { type ChildProcess, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { type Listening, openSocket } from './address.ts';
import type { ClusterFiles } from './cluster.ts';
import type { RunAs } from './run-as.ts';
import { systemErrorCode } from '../../system-error-code.ts';

/**
 * Settings for a machine that also runs everything else. Durability is PostgreSQL's default: fsync and
 * synchronous_commit on.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  max_connections: '100',
  shared_buffers: '128MB',
  effective_cache_size: '1GB',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  random_page_cost: '1.1',
  jit: 'off',
  wal_compression: 'on',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  log_checkpoints: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

export interface PostmasterState {
  /** `ready`, `starting`, `stopping`, `standby`. */
  readonly state: string;
  /** Where it listens: port, directory of its socket, first address. */
  readonly place: string;
}

/** Reads the pid file; undefined where there is none. */
export function postmasterState(files: ClusterFiles): PostmasterState | undefined {
  let text: string;
  try {
    text = fs.readFileSync(path.join(files.cluster, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  const lines = text.split('\n');
  return { state: (lines[7] ?? '').trim(), place: lines.slice(3, 6).join('\n') };
}

/**
 * Opens the FIFO of the server's users; returns the file descriptor. The kernel closes it when this process
 * ends for any reason.
 */
export function holdOpen(files: ClusterFiles): number {
  const found = fs.lstatSync(files.users, { throwIfNoEntry: false });
  if (found === undefined) spawnSync('mkfifo', ['-m', '600', files.users]);
  else if (!found.isFIFO()) throw new Error(`${files.users} is not the FIFO that it should be: remove it`);
  // read and write, so that opening does not block
  return fs.openSync(files.users, fs.constants.O_RDWR | fs.constants.O_NOFOLLOW);
}

const listenOn = (port: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => {
      resolve(undefined);
    });
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' ? address?.port : undefined);
      });
    });
  });

async function openPort(files: ClusterFiles, host: string): Promise<Listening> {
  const port = await choosePort(files);
  return { address: `${host}:${port}`, port, settings: { unix_socket_directories: '' } };
}

async function choosePort(files: ClusterFiles): Promise<number> {
  const last = fs.existsSync(files.port) ? Number(fs.readFileSync(files.port, 'utf8')) : 0;
  const port = (last > 0 ? await listenOn(last) : undefined) ?? (await listenOn(0));
  if (port === undefined) throw new Error('there is no free port on 127.0.0.1');
  writeHere(files.port, String(port));
  return port;
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = fs.constants;

/** Not through a link: the folder may belong to another account than that of an administrator's command. */
function writeHere(file: string, text: string): void {
  const fd = fs.openSync(file, O_CREAT | O_TRUNC | O_WRONLY | O_NOFOLLOW);
  try {
    fs.writeFileSync(fd, text);
  } finally {
    fs.closeSync(fd);
  }
}

const LOG_LIMIT = 10 * 1024 * 1024;

// $1: the FIFO; the rest: postgres and its arguments. `read` returns when the last holder has closed the
// FIFO; nothing is ever written to it. Where processors are busy, who answers health goes before what writes
// (docs/decisions/0208-one-thread-of-v8-beside-the-main-one.md).
const SCRIPT = `fifo=$1; shift; trap "" HUP
nice -n 5 "$@" & postmaster=$!
(read -r _ <"$fifo"; kill -INT $postmaster 2>/dev/null) & watchdog=$!
wait $postmaster; status=$?
kill $watchdog 2>/dev/null
exit $status`;

/**
 * Starts a postmaster. The child process ends when the postmaster has ended; a second one on the same cluster
 * ends at once.
 */
export async function startPostmaster(
  bin: string,
  files: ClusterFiles,
  as: RunAs,
  settings: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  if (fs.existsSync(files.log) && fs.statSync(files.log).size > LOG_LIMIT)
    fs.renameSync(files.log, `${files.log}.1`);
  const host = settings['listen_addresses'];
  const {
    address,
    port,
    settings: listening,
  } = host === undefined ? openSocket(files, as) : await openPort(files, host);
  writeHere(files.address, address);
  as.own(files.users); // as root, it is somebody else who sees us go
  const log = fs.openSync(files.log, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
  try {
    const options = Object.entries({ ...SETTINGS, ...listening, ...settings }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const child = as.start(
      'sh',
      [
        '-c',
        SCRIPT,
        'cairn-postgres',
        files.users,
        path.join(bin, 'postgres'),
        '-D',
        files.cluster,
        '-p',
        String(port),
        ...options,
      ],
      log,
    );
    child.unref();
    return child;
  } finally {
    fs.closeSync(log);
  }
}
