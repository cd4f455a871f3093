// Backups that share a place: each has a folder, and all share the files that are there already
// (docs/reference/backups.md#in-a-directory-or-a-bucket).
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { createInterface } from 'node:readline';
import {
  BACKUP_BEGINNING,
  type BackedUpFile,
  type BackupBeginning,
  backupDocumentText,
  FILE_LIST,
  backupFileName,
  hexOf,
  type BackupManifest,
  BACKUP_MANIFEST,
  backupPartName,
  readBeginning,
  readFileLine,
  readManifest,
  refusedBackup,
} from './backup-format.ts';
import { BlobMissing, type Blobs } from './blobs.ts';
import {
  assertMayBeUnsealed,
  type Opener,
  placeOpener,
  placeSealer,
  type Sealer,
  type Secrets,
} from './sealing.ts';
import type { BackupEntry, BackupSource, BackupTarget } from './target.ts';

const BACKUPS = 'backups';
/** Names what is not sealed. */
export const UNSEALED = 'plain';
/** In clear: whether the rest is sealed, and for whom. */
const SEAL = 'sealed';

const fileAt = (mark: string, hash: string): string => {
  const hex = hexOf(hash);
  return `files/${mark}/${hex.slice(0, 2)}/${hex.slice(2, 4)}/${hex}`;
};

/** Copies a file to where all backups of a place have it. @returns false where it is there already */
export async function putFile(
  blobs: Blobs,
  sealer: Sealer | undefined,
  { hash, size }: BackedUpFile,
  content: () => Promise<Readable>,
): Promise<boolean> {
  const name = fileAt(sealer?.mark ?? UNSEALED, hash);
  const there = await blobs.size(name);
  // what is there was written whole; a sealed file is longer by what opens it
  if (there !== null && (sealer === undefined ? there === size : there > size)) return false;
  const plain = await content();
  await blobs.write(name, sealer === undefined ? plain : await sealer.seal(plain));
  return true;
}

/** @throws BlobMissing */
export async function getFile(
  blobs: Blobs,
  mark: string,
  opener: Opener | undefined,
  hash: string,
): Promise<Readable> {
  const content = await blobs.read(fileAt(mark, hash));
  return opener === undefined ? content : opener.open(content);
}

const ofText = (content: string): Readable => Readable.from([Buffer.from(content)]);

class RepositoryTarget implements BackupTarget {
  readonly address: string;
  readonly atOnce = 4;
  readonly #blobs: Blobs;
  readonly #sealer: Sealer | undefined;
  #folder = '';

  constructor(blobs: Blobs, sealer: Sealer | undefined) {
    this.address = blobs.address;
    this.#blobs = blobs;
    this.#sealer = sealer;
  }

  get #mark(): string {
    return this.#sealer?.mark ?? UNSEALED;
  }

  async #write(name: string, content: Readable): Promise<void> {
    await this.#blobs.write(name, this.#sealer === undefined ? content : await this.#sealer.seal(content));
  }

  async begin(beginning: BackupBeginning): Promise<void> {
    this.#folder = `${BACKUPS}/${beginning.id}`;
    await this.#blobs.write(`${this.#folder}/${SEAL}`, ofText(`${this.#mark}\n`));
    await this.#write(`${this.#folder}/${BACKUP_BEGINNING}`, ofText(backupDocumentText(beginning)));
  }

  part(name: string, content: Buffer): Promise<void> {
    return this.#write(`${this.#folder}/${name}`, Readable.from([content]));
  }

  file(file: BackedUpFile, content: () => Promise<Readable>): Promise<boolean> {
    return putFile(this.#blobs, this.#sealer, file, content);
  }

  async finish(manifest: BackupManifest): Promise<void> {
    await this.#write(`${this.#folder}/${BACKUP_MANIFEST}`, ofText(backupDocumentText(manifest)));
  }

  abandon(): Promise<void> {
    return Promise.resolve(); // files may serve the next one; without a manifest the rest is no backup
  }
}

export const repositoryTarget = async (blobs: Blobs, secrets: Secrets): Promise<BackupTarget> =>
  new RepositoryTarget(blobs, await placeSealer(blobs, secrets));

export interface KeptBackup {
  readonly id: string;
  /** Whether it has its manifest. */
  readonly whole: boolean;
  readonly encrypted: boolean;
}

/** The backups of a place, the newest first. */
export async function listBackups(blobs: Blobs): Promise<readonly KeptBackup[]> {
  const ids = [...(await blobs.folders(BACKUPS))].sort().reverse();
  const found: KeptBackup[] = [];
  for (const id of ids) {
    const folder = `${BACKUPS}/${id}`;
    if ((await blobs.size(`${folder}/${SEAL}`)) === null) continue;
    found.push({
      id,
      whole: (await blobs.size(`${folder}/${BACKUP_MANIFEST}`)) !== null,
      encrypted: (await text(await blobs.read(`${folder}/${SEAL}`))).trim() !== UNSEALED,
    });
  }
  return found;
}

class RepositorySource implements BackupSource {
  readonly address: string;
  readonly #blobs: Blobs;
  readonly #folder: string;
  readonly #mark: string;
  readonly #opener: Opener | undefined;

  constructor(blobs: Blobs, id: string, mark: string, opener: Opener | undefined) {
    this.address = `${blobs.address} (${id})`;
    this.#blobs = blobs;
    this.#folder = `${BACKUPS}/${id}`;
    this.#mark = mark;
    this.#opener = opener;
  }

  async #read(name: string): Promise<Readable> {
    const content = await this.#blobs.read(name).catch((cause: unknown) => {
      if (!(cause instanceof BlobMissing)) throw cause;
      throw refusedBackup(`lacks ${name}`, { cause });
    });
    return this.#opener === undefined ? content : this.#opener.open(content);
  }

  async *entries(): AsyncGenerator<BackupEntry, void, undefined> {
    const beginning = await text(await this.#read(`${this.#folder}/${BACKUP_BEGINNING}`));
    readBeginning(beginning);
    const manifestText = await text(await this.#read(`${this.#folder}/${BACKUP_MANIFEST}`));
    const manifest = readManifest(manifestText);
    yield { name: BACKUP_BEGINNING, content: ofText(beginning) };
    for (const { name, parts } of manifest.sections)
      for (const [i] of parts.entries()) {
        const part = backupPartName(name, i + 1);
        yield { name: part, content: await this.#read(`${this.#folder}/${part}`) };
      }
    const lost = new Set(manifest.lost.map(({ hash }) => hash));
    for await (const { hash } of this.#files(manifest))
      if (!lost.has(hash))
        yield { name: backupFileName(hash), content: await this.#read(fileAt(this.#mark, hash)) };
    yield { name: BACKUP_MANIFEST, content: ofText(manifestText) };
  }

  /** Their list, read a second time: nothing of it is kept in memory. */
  async *#files({ sections }: BackupManifest): AsyncGenerator<BackedUpFile, void, undefined> {
    const parts = sections.find(({ name }) => name === FILE_LIST)?.parts ?? [];
    for (const [i] of parts.entries()) {
      const content = await this.#read(`${this.#folder}/${backupPartName(FILE_LIST, i + 1)}`);
      const plain = content.pipe(createGunzip());
      content.once('error', (fault) => plain.destroy(fault));
      for await (const line of createInterface({ input: plain, crlfDelay: Infinity }))
        yield readFileLine(line);
    }
  }
}

/** @param id of one backup; by default the newest that is whole. @throws DomainError `not_found` */
export async function repositorySource(
  blobs: Blobs,
  id: string | undefined,
  secrets: Secrets,
): Promise<BackupSource> {
  const backups = await listBackups(blobs);
  const chosen = backups.find((backup) => (id === undefined ? backup.whole : backup.id === id));
  if (chosen === undefined)
    throw refusedBackup(
      id === undefined
        ? `is not there: ${blobs.address} has no whole backup`
        : `${id} is not in ${blobs.address}`,
    );
  if (!chosen.whole) throw refusedBackup(`${chosen.id} was interrupted: it has no manifest`);
  const mark = (await text(await blobs.read(`${BACKUPS}/${chosen.id}/${SEAL}`))).trim();
  if (!/^[0-9a-z]+$/.test(mark)) throw refusedBackup('does not say whether it is encrypted');
  if (mark === UNSEALED) assertMayBeUnsealed(secrets, `the backup ${chosen.id}`);
  const opener = mark === UNSEALED ? undefined : await placeOpener(blobs, secrets);
  return new RepositorySource(blobs, chosen.id, mark, opener);
}
