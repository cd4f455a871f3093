// Finds where a backup is written to or read from, by the name that the operator gives.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';
import type { Config } from '../../platform/config/load-config.ts';
import { systemErrorCode } from '../../platform/system-error-code.ts';
import { refusedBackup } from './backup-format.ts';
import type { Blobs } from './blobs.ts';
import { directoryBlobs, directoryToWrite } from './directory-blobs.ts';
import { repositorySource, repositoryTarget } from './repository.ts';
import type { Secrets } from './sealing.ts';
import { fileSource, fileTarget, streamTarget } from './single-file.ts';
import type { BackupSource, BackupTarget } from './target.ts';

type StoreSettings = Config['artifact']['store'];

const isBucket = (name: string): boolean => name.startsWith('s3://');
/** `.tar`, `.tar.age`: what else has no directory there yet becomes one. */
const isFileName = (name: string): boolean => /\.(?:tar|age)$/.test(name);

async function inBucket(name: string, store: StoreSettings): Promise<Blobs> {
  const { s3Blobs } = await import('./s3-blobs.ts'); // takes time and memory
  return s3Blobs(name, store);
}

async function kindOf(place: string): Promise<'file' | 'directory' | undefined> {
  try {
    return (await stat(place)).isDirectory() ? 'directory' : 'file';
  } catch (fault) {
    if (systemErrorCode(fault) === 'ENOENT') return undefined;
    throw fault;
  }
}

export interface NamedPart {
  /** A file, a directory, `s3://bucket/prefix`, or `-`. */
  readonly name: string;
  readonly cwd: string;
  readonly store: StoreSettings;
  readonly secrets: Secrets;
}

/** Where a backup goes, without what opens it. */
export interface TargetPlace {
  readonly kind: 'file' | 'directory' | 's3' | 'stream';
  readonly destination: string;
}

async function targetPlace(
  { name, cwd }: Pick<NamedPart, 'name' | 'cwd'>,
  kindAt = kindOf,
): Promise<TargetPlace> {
  if (name === '-') return { kind: 'stream', destination: 'standard output' };
  if (isBucket(name)) {
    const { host, pathname } = new URL(name); // not the user and the query, which nothing of ours reads
    return { kind: 's3', destination: `s3://${host}${pathname}` };
  }
  const destination = path.resolve(cwd, name);
  const kind = (await kindAt(destination)) ?? (isFileName(destination) ? 'file' : 'directory');
  return { kind, destination };
}

/** It for the record of an attempt: what cannot be looked at fails when it is written to. */
export const recordedPlace = (named: Pick<NamedPart, 'name' | 'cwd'>): Promise<TargetPlace> =>
  targetPlace(named, (place) => kindOf(place).catch(() => undefined));

export async function targetOf(
  { name, cwd, store, secrets }: NamedPart,
  stdout: Writable,
): Promise<BackupTarget> {
  const { kind, destination } = await targetPlace({ name, cwd });
  switch (kind) {
    case 'stream':
      return streamTarget(stdout, secrets);
    case 's3':
      return repositoryTarget(await inBucket(name, store), secrets);
    case 'file':
      return fileTarget(destination, secrets);
    case 'directory':
      return repositoryTarget(await directoryToWrite(destination), secrets);
    default:
      return kind satisfies never;
  }
}

/** A directory or a bucket, to write into. */
export const blobsToWrite = ({ name, cwd, store }: Omit<NamedPart, 'secrets'>): Promise<Blobs> =>
  isBucket(name) ? inBucket(name, store) : directoryToWrite(path.resolve(cwd, name));

/** A place with several backups; null for a single file. */
export async function blobsOf({ name, cwd, store }: Omit<NamedPart, 'secrets'>): Promise<Blobs | null> {
  if (isBucket(name)) return inBucket(name, store);
  const place = path.resolve(cwd, name);
  const kind = await kindOf(place);
  if (kind === undefined) throw refusedBackup(`is not there: ${place}`);
  return kind === 'directory' ? directoryBlobs(place) : null;
}

/** @param id of one of several backups; by default the newest that is whole */
export async function sourceOf(named: NamedPart, id: string | undefined): Promise<BackupSource> {
  const blobs = await blobsOf(named);
  if (blobs !== null) return repositorySource(blobs, id, named.secrets);
  if (id !== undefined) throw refusedBackup(`${id} is not in ${named.name}, which is one backup`);
  return fileSource(path.resolve(named.cwd, named.name), named.secrets);
}
