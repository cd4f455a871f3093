// A backup as one file, which is a tar archive, encrypted as a whole or not at all.
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import tar from 'tar-stream';
import { HeaderGuard } from '../../platform/archive/header-guard.ts';
import { DomainError } from '../../platform/errors.ts';
import { syncFolder } from '../../platform/sync-folder.ts';
import {
  BACKUP_BEGINNING,
  type BackedUpFile,
  type BackupBeginning,
  backupDocumentText,
  backupFileName,
  type BackupManifest,
  BACKUP_MANIFEST,
  refusedBackup,
} from './backup-format.ts';
import {
  assertMayBeUnsealed,
  fileOpener,
  fileSealer,
  SEALED_BEGINNING,
  type Sealer,
  type Secrets,
} from './sealing.ts';
import type { BackupEntry, BackupSource, BackupTarget } from './target.ts';
import { systemErrorCode } from '../../platform/system-error-code.ts';

const header = (name: string, size: number): tar.Headers => ({
  name,
  size,
  type: 'file',
  mode: 0o600,
  mtime: new Date(0),
});

class FileTarget implements BackupTarget {
  readonly address: string;
  readonly atOnce = 1;
  readonly #pack = tar.pack();
  readonly #part: string | undefined;
  readonly #file: string | undefined;
  readonly #flowing: Promise<void>;

  /** @param file undefined for standard output */
  constructor(address: string, file: string | undefined, output: Writable, sealer: Sealer | undefined) {
    this.address = address;
    this.#file = file;
    this.#part = file === undefined ? undefined : `${file}.part`;
    this.#flowing = this.#flow(output, sealer);
    this.#flowing.catch((fault: unknown) => {
      this.#pack.destroy(fault instanceof Error ? fault : new Error(String(fault)));
    });
  }

  async #flow(output: Writable, sealer: Sealer | undefined): Promise<void> {
    if (sealer === undefined) return pipeline(this.#pack, output);
    const plain = new PassThrough();
    const sealed = await sealer.seal(plain);
    await Promise.all([pipeline(this.#pack, plain), pipeline(sealed, output)]);
  }

  #entry(name: string, content: Buffer): Promise<void> {
    const written = new Promise<void>((resolve, reject) => {
      this.#pack
        .entry(header(name, content.length), (fault) => {
          if (fault) reject(fault);
          else resolve();
        })
        .end(content);
    });
    return this.#unlessBroken(written);
  }

  /** What is written waits for its reader, who may have failed. */
  async #unlessBroken(work: Promise<void>): Promise<void> {
    await Promise.race([
      work,
      this.#flowing.then(() => {
        throw new Error('the output has ended');
      }),
    ]);
  }

  begin(beginning: BackupBeginning): Promise<void> {
    return this.#entry(BACKUP_BEGINNING, Buffer.from(backupDocumentText(beginning)));
  }

  part(name: string, content: Buffer): Promise<void> {
    return this.#entry(name, content);
  }

  async file({ hash, size }: BackedUpFile, content: () => Promise<Readable>): Promise<boolean> {
    await this.#unlessBroken(pipeline(await content(), this.#pack.entry(header(backupFileName(hash), size))));
    return true;
  }

  async finish(manifest: BackupManifest): Promise<void> {
    await this.#entry(BACKUP_MANIFEST, Buffer.from(backupDocumentText(manifest)));
    this.#pack.finalize();
    await this.#flowing;
    if (this.#file === undefined || this.#part === undefined) return;
    await rename(this.#part, this.#file);
    await syncFolder(path.dirname(this.#file));
  }

  async abandon(): Promise<void> {
    this.#pack.destroy(new Error('the backup was given up'));
    await this.#flowing.catch(() => undefined); // why is known
    if (this.#part !== undefined) await rm(this.#part, { force: true });
  }
}

/** @throws DomainError `conflict` where the file is there */
export async function fileTarget(file: string, secrets: Secrets): Promise<BackupTarget> {
  const there = await stat(file).catch(() => null); // why it cannot be written is told when it is
  if (there !== null)
    throw new DomainError('conflict', `${file} is there already: name another file, or remove it`);
  const output = createWriteStream(`${file}.part`, { mode: 0o600, flush: true });
  return new FileTarget(file, file, output, fileSealer(secrets));
}

export const streamTarget = (output: Writable, secrets: Secrets): BackupTarget =>
  new FileTarget('standard output', undefined, output, fileSealer(secrets));

async function isSealed(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const bytes = Buffer.alloc(SEALED_BEGINNING.length);
    await handle.read(bytes, 0, bytes.length, 0);
    return bytes.equals(SEALED_BEGINNING);
  } finally {
    await handle.close();
  }
}

/** What tar-stream says of bytes that are no archive: errors without a code. */
const isBadTar = (fault: unknown): boolean =>
  fault instanceof Error && Object.getPrototypeOf(fault) === Error.prototype && !('code' in fault);

class FileSource implements BackupSource {
  readonly address: string;
  readonly #content: () => Promise<Readable>;

  constructor(address: string, content: () => Promise<Readable>) {
    this.address = address;
    this.#content = content;
  }

  async *entries(): AsyncGenerator<BackupEntry, void, undefined> {
    const extract = tar.extract();
    const guard = new HeaderGuard((message) => refusedBackup(message));
    const content = await this.#content();
    let broken: Error | undefined;
    const flowing = pipeline(content, guard.stream, extract).catch((fault: unknown) => {
      broken = fault instanceof Error ? fault : new Error('the stream broke off', { cause: fault });
      extract.destroy(broken);
    });
    try {
      for await (const entry of extract) {
        const { name, type } = entry.header;
        if (type !== 'file')
          throw refusedBackup(`has an entry that is not a file: ${JSON.stringify(name.slice(0, 200))}`);
        yield { name, content: Readable.from(guard.counted(entry)) };
        entry.resume();
      }
      await flowing;
      if (broken !== undefined) throw broken;
    } catch (fault) {
      const cause = broken ?? fault;
      if (cause instanceof DomainError || !(isBadTar(cause) || isCut(cause))) throw cause;
      throw refusedBackup('is cut off or damaged, or is not a backup', { cause });
    } finally {
      content.destroy();
      extract.destroy();
      await flowing;
    }
  }
}

const isCut = (fault: unknown): boolean => /^(?:STREAM_|ERR_STREAM_)/.test(systemErrorCode(fault) ?? '');

/** @throws an error of the file system where it cannot be read */
export async function fileSource(file: string, secrets: Secrets): Promise<BackupSource> {
  const isOpen = !(await isSealed(file));
  if (isOpen) assertMayBeUnsealed(secrets, `the backup ${file}`);
  const opener = isOpen ? undefined : fileOpener(secrets);
  return new FileSource(file, async () => {
    const content = createReadStream(file);
    return opener === undefined ? content : opener.open(content);
  });
}
