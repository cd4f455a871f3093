// Where the embedded server is reached: a Unix socket that only its account may use, unless TCP is asked for by `listen_addresses`.
import fs from 'node:fs';
import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { DomainError } from '../../errors.ts';
import type { ClusterFiles } from './cluster.ts';
import type { RunAs } from './run-as.ts';

/** A socket's path may be this long (`sun_path` of Linux has 108 bytes, that of macOS 104, with the zero at the end). */
const MAX_SOCKET_PATH = 103;
/** Of the socket's name alone: each data directory has a socket directory of its own. */
const SOCKET_PORT = 5432;
const socketName = `.s.PGSQL.${SOCKET_PORT}`;

export interface Listening {
  /** In a connection URL, `host:port`; a socket's directory is percent-encoded there. */
  readonly address: string;
  readonly port: number;
  /** What PostgreSQL is told. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Below the data directory, or where that is too deep for a socket in the system's directory for temporary files, under a name of its own. */
export function socketDirectory(root: string): string {
  const inside = path.join(root, 'socket');
  if (Buffer.byteLength(path.join(inside, socketName)) <= MAX_SOCKET_PATH) return inside;
  return path.join(os.tmpdir(), `cairn-${createHash('sha256').update(root).digest('hex').slice(0, 24)}`);
}

/** Makes the socket's directory, for its account alone. @throws DomainError where somebody else has it, who could listen in our place */
export function openSocket(files: ClusterFiles, as: RunAs): Listening {
  const directory = socketDirectory(files.root);
  if (fs.mkdirSync(directory, { recursive: true, mode: 0o700 }) !== undefined) as.own(directory);
  const { uid } = fs.lstatSync(directory);
  const owners = [process.getuid?.(), fs.statSync(files.cluster).uid];
  if (!fs.lstatSync(directory).isDirectory() || !owners.includes(uid))
    throw new DomainError(
      'component_unavailable',
      `the directory of the database's socket, ${directory}, belongs to somebody else`,
    );
  fs.chmodSync(directory, 0o700);
  return {
    address: `${encodeURIComponent(directory)}:${SOCKET_PORT}`,
    port: SOCKET_PORT,
    settings: {
      listen_addresses: '',
      unix_socket_directories: `"${directory}"`,
      unix_socket_permissions: '0700',
      ssl: 'off',
    },
  };
}
