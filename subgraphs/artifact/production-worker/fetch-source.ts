// Fetches input files: from public addresses by http(s), and from allowed directories and buckets
// (docs/reference/artifact.md#input-files).
import { createReadStream, createWriteStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { fetchGuarded, type FetchOptions, FetchRefused } from '../cwl-source/guarded-fetch.ts';
import { type ArchiveLimits, ArchiveRefused } from '../storage/directory-archive.ts';
import { hashFile, hashing } from '../storage/hash-stream.ts';
import type { ContentHash } from '../storage/object-store.ts';
import { packDirectory } from '../storage/pack-directory.ts';
import { ProductionFailed } from './production-failed.ts';

export interface FetchDeps {
  readonly fetch: Pick<FetchOptions, 'mayConnect'>;
  /** Reads an object of an S3 service: `s3://bucket/key`. */
  readonly readS3: (bucket: string, key: string) => Promise<Readable>;
  /** Allowed prefixes of file: and s3: addresses; anything public may be fetched by http. */
  readonly allowSources: readonly string[];
  /** Maximum bytes of one file, or of a whole directory; maximum entries of a directory. */
  readonly limits: ArchiveLimits;
  readonly timeoutMs: number;
}

/**
 * Fetches a file by http(s), file: or s3: to this machine; a directory as an existing archive or, if it is
 * local, packed.
 * @throws ProductionFailed `source_unavailable`
 */
export async function fetchSource(
  deps: FetchDeps,
  location: string,
  copy: string,
  stop: AbortSignal,
  kind: 'File' | 'Directory' = 'File',
): Promise<ContentHash> {
  const save = async (content: Readable): Promise<ContentHash> => {
    const through = hashing(deps.limits.bytes);
    await pipeline(content, through, createWriteStream(copy, { flags: 'wx' }), { signal: stop });
    return through.kept().hash;
  };
  try {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(location)?.[1]?.toLowerCase();
    if (scheme === 'file') {
      const place = await placeOf(deps, location);
      const found = await stat(place);
      if (kind === 'Directory' && found.isDirectory()) {
        await packDirectory(place, copy, deps.limits, stop);
        return (await hashFile(copy)).hash;
      }
      if (!found.isFile()) throw new FetchRefused('is not a file');
      return await save(createReadStream(place));
    }
    if (scheme === 's3') return await save(await openS3(deps, location));
    return await fetchGuarded(location, { ...deps.fetch, timeoutMs: deps.timeoutMs, signal: stop }, save);
  } catch (cause) {
    stop.throwIfAborted();
    if (cause instanceof ProductionFailed) throw cause;
    const reason =
      cause instanceof FetchRefused || cause instanceof RangeError || cause instanceof ArchiveRefused
        ? cause.message
        : 'cannot be read';
    throw new ProductionFailed('source_unavailable', `${location} ${reason}`, { location }, { cause });
  }
}

/** Only below the allowed directories, after resolving links. */
async function placeOf({ allowSources }: FetchDeps, location: string): Promise<string> {
  const allowed = allowSources
    .filter((source) => source.startsWith('file:'))
    .map((source) => fileURLToPath(source));
  const place = await realpath(fileURLToPath(location));
  // a missing directory allows nothing
  const roots = await Promise.all(allowed.map((root) => realpath(root).catch(() => null)));
  if (
    !roots.some(
      (root) =>
        root !== null &&
        (place === root || place.startsWith(root.endsWith(path.sep) ? root : root + path.sep)),
    )
  ) {
    throw new FetchRefused('is not below a location that artifact.allow_sources lists');
  }
  return place;
}

async function openS3({ allowSources, readS3 }: FetchDeps, location: string): Promise<Readable> {
  if (!allowSources.some((source) => source.startsWith('s3:') && location.startsWith(source)))
    throw new FetchRefused('is not below a location that artifact.allow_sources lists');
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/i.exec(location) ?? [];
  if (bucket === undefined || key === undefined) throw new FetchRefused('is not of the form s3://bucket/key');
  return readS3(bucket, key);
}
