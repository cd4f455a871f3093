// Explains to the user of the command line why a server could not start, and what to do.
import type { Config } from '../platform/config/load-config.ts';

/** A failed system call as Node reports it. */
interface SystemError extends Error {
  readonly code: string;
  readonly syscall?: string;
  readonly address?: string;
  readonly port?: number;
  readonly path?: string;
}

const isSystemError = (cause: unknown): cause is SystemError =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string';

/** Codes for a directory or file that cannot be written. */
const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']);

function listenFailure({ code, message, address = '', port }: SystemError): string {
  const place = `${address.includes(':') ? `[${address}]` : address}:${port}`;
  switch (code) {
    case 'EADDRINUSE':
      return `${place} is in use by another program: stop that program, or set another port with CAIRN_PORT or server.port (0 means any free port)`;
    case 'EACCES':
      return `this user may not listen on ${place}: set a port above 1023 with CAIRN_PORT or server.port`;
    case 'EADDRNOTAVAIL':
      return `${address} is not an address of this machine: change server.host`;
    default:
      return message;
  }
}

/** Returns the cause in one line, with the setting that would help if there is one. */
export function startFailure(cause: unknown, { database }: Pick<Config, 'database'>): string {
  if (!isSystemError(cause)) return cause instanceof Error ? cause.message : String(cause);
  if (cause.syscall === 'listen') return listenFailure(cause);
  if (cause.code === 'ENOSPC')
    return `there is no space left on the disk of ${cause.path ?? database.dataDir}`;
  if (UNWRITABLE.has(cause.code))
    return `${cause.message}; set a data directory that this user can write to with CAIRN_DATA_DIR or database.data_dir`;
  if (cause.code === 'component_unavailable' && database.url !== undefined)
    return `${cause.message}; check DATABASE_URL or database.url`;
  return cause.message;
}
