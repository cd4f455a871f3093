// Determines the address of the embedded server: a Unix socket for its own account, unless `listen_addresses`
// requests TCP.
import fs from 'node:fs';
import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { DomainError } from '../../errors.ts';
import type { ClusterFiles } from './cluster.ts';
import type { RunAs } from './run-as.ts';

/**
 * Maximum length of a socket path (`sun_path` has 108 bytes on Linux and 104 on macOS, including the
 * terminating zero).
 */
const MAX_SOCKET_PATH = 103;
/** Only part of the socket's name: each data directory has a separate socket directory. */
const SOCKET_PORT = 5432;
const socketName = `.s.PGSQL.${SOCKET_PORT}`;

export interface Listening {
  /** `host:port` for a connection URL; a socket's directory is percent-encoded. */
  readonly address: string;
  readonly port: number;
  /** Settings for PostgreSQL. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Returns a directory below the data directory or, where that path is too long for a socket, a unique one in
 * the system's temporary directory.
 */
export function socketDirectory(root: string): string {
  const inside = path.join(root, 'socket');
  if (Buffer.byteLength(path.join(inside, socketName)) <= MAX_SOCKET_PATH) return inside;
  return path.join(os.tmpdir(), `cairn-${createHash('sha256').update(root).digest('hex').slice(0, 24)}`);
}

/**
 * Creates the socket's directory, for its account only.
 * @throws DomainError where another user owns it, who could listen in the server's place
 */
export function openSocket(files: ClusterFiles, as: RunAs): Listening {
  const directory = socketDirectory(files.root);
  if (fs.mkdirSync(directory, { recursive: true, mode: 0o700 }) !== undefined) as.own(directory);
  const { uid } = fs.lstatSync(directory);
  const owners = [process.getuid?.(), fs.statSync(files.cluster).uid];
  if (!fs.lstatSync(directory).isDirectory() || !owners.includes(uid))
    throw new DomainError(
      'component_unavailable',
      `the directory of the database's socket, ${directory}, belongs to another user`,
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
