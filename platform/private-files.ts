// The data folder is the server's account's alone: what an earlier version, or a lax umask, has left open is closed at start.
import fs from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';

/** Read and write, and enter where it is a folder, for the owner alone. */
const PRIVATE = 0o700;
/** Others may pass through, and see nothing: as root, PostgreSQL runs as somebody else. */
const PASSABLE = 0o711;
const STICKY = 0o1000;

/** Folders that an embedded PostgreSQL has to reach, below the data folder. */
const POSTGRES = 'postgres';

/** What Cairn keeps directly in the data folder: whatever else lies there is somebody else's, and stays as it is. */
const OURS = /^(?:postgres|admin-key|audit\.jsonl(?:\.\d+)?|artifacts|artifact-runs|sdl)$/;

/** Takes rights away, and gives none. A folder that is shared on purpose (`/tmp`), or not ours, stays as it is. */
function close(file: string, mask: number): void {
  const { mode, uid } = fs.lstatSync(file);
  const open = mode & 0o777 & ~mask;
  if (
    open === 0 ||
    (mode & STICKY) !== 0 ||
    uid !== process.geteuid?.() ||
    (mode & fs.constants.S_IFMT) === fs.constants.S_IFLNK
  )
    return;
  fs.chmodSync(file, mode & 0o777 & mask);
}

/**
 * Closes the data folder and what lies directly in it; what lies deeper is behind that. New files are made so by the process's umask.
 * What cannot be closed is told, and stops nothing.
 */
export function keepPrivate(dataDir: string, log: Logger): void {
  const passable =
    process.geteuid?.() === 0 && fs.existsSync(path.join(dataDir, POSTGRES)) ? PASSABLE : PRIVATE;
  const attempt = (file: string, mask: number): void => {
    try {
      close(file, mask);
    } catch (err) {
      if (!(err instanceof Error && 'code' in err && err.code === 'ENOENT'))
        log.warn({ err, file }, 'others may read this: its rights could not be taken away');
    }
  };
  if (!fs.existsSync(dataDir)) return;
  attempt(dataDir, passable);
  for (const name of fs.readdirSync(dataDir).filter((each) => OURS.test(each)))
    attempt(path.join(dataDir, name), name === POSTGRES ? passable : PRIVATE);
  const beside = path.join(dataDir, POSTGRES);
  if (passable === PRIVATE && fs.existsSync(beside))
    for (const name of fs.readdirSync(beside)) attempt(path.join(beside, name), PRIVATE);
}
