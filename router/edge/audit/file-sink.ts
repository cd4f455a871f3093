// Audit records as JSON lines in a file that is rotated by size.
import { constants } from 'node:fs';
import { mkdir, open, rename, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { AuditSink } from './audit-log.ts';
import { jsonLines } from './stdout-sink.ts';
import { systemErrorCode } from '../../../platform/system-error-code.ts';

export interface FileSinkOptions {
  readonly path: string;
  /** Size in bytes at which the file becomes `<path>.1`, that one `<path>.2`, and so on. */
  readonly rotateAt?: number;
  /** Number of rotated files. */
  readonly keep?: number;
}

const isMissing = (error: unknown): boolean => systemErrorCode(error) === 'ENOENT';

async function setAside(file: string, keep: number): Promise<void> {
  for (let age = keep; age >= 1; age--) {
    const from = age === 1 ? file : `${file}.${age - 1}`;
    await rename(from, `${file}.${age}`).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }
}

/**
 * Opens the file on first use, and again after a failure, so that it recovers from a full disk or a removed
 * folder.
 */
export function fileSink({ path: file, rotateAt = 64 * 1024 * 1024, keep = 10 }: FileSinkOptions): AuditSink {
  let handle: FileHandle | undefined;
  let size = 0;

  const openFile = async (): Promise<FileHandle> => {
    const folder = path.dirname(file);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const owner = await stat(folder);
    // the folder's account could lead root to another file
    const isOfAnother = process.getuid?.() === 0 && owner.uid !== 0;
    const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants;
    const opened = await open(file, O_APPEND | O_CREAT | O_WRONLY | (isOfAnother ? O_NOFOLLOW : 0), 0o600);
    const now = await opened.stat();
    size = now.size;
    if (process.getuid?.() !== now.uid) return opened;
    if ((now.mode & 0o077) !== 0) await opened.chmod(0o600);
    // an administrator's command may have created it: the server must be able to write it
    if (isOfAnother && now.isFile() && now.nlink === 1) await opened.chown(owner.uid, owner.gid);
    return opened;
  };
  const closeFile = async (): Promise<void> => {
    const open = handle;
    handle = undefined;
    await open?.close();
  };

  return {
    async write(records) {
      const text = Buffer.from(jsonLines(records));
      try {
        handle ??= await openFile();
        if (size > 0 && size + text.length > rotateAt) {
          await closeFile();
          await setAside(file, keep);
          handle = await openFile();
        }
        await handle.writeFile(text);
        size += text.length;
      } catch (cause) {
        await closeFile();
        throw cause;
      }
    },
    close: closeFile,
  };
}
