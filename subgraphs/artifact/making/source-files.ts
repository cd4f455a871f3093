// Brings the files that a run needs to this machine: from the store, or fetched, with their checksums put down.
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Queryable } from '../../../platform/queryable.ts';
import type { ContentHash } from '../storage/object-store.ts';
import type { Storage } from '../storage/storage.service.ts';
import { type EntityFile, noteEntityFiles } from '../storage/stored-objects.store.ts';
import type { SourceFile } from './bind-inputs.ts';
import { type FetchMeans, fetchSource } from './fetch-source.ts';
import { ProductionFailed } from './production-failed.ts';

export interface SourceMeans extends FetchMeans {
  readonly db: Queryable;
  readonly storage: Storage;
}

/** A file as cwltool takes it. */
export interface LocalFile {
  readonly class: 'File';
  readonly path: string;
  readonly basename: string;
  readonly secondaryFiles?: readonly LocalFile[];
}

/** What provenance says of a file that a run was given. */
export interface GivenFile { readonly location: string; readonly hash: ContentHash; readonly entity_id?: string }

const isFile = (value: unknown): value is SourceFile =>
  typeof value === 'object' && value !== null && (value as { class?: unknown }).class === 'File';

const isKindOfDirectory = (value: object): boolean => (value as { class?: unknown }).class === 'Directory';

/** A file name that a tool can be given, whatever the address holds. */
const cleanName = (name: string): string => {
  const clean = name.replaceAll(/[^A-Za-z0-9._+=@,-]/g, '_').replace(/^[-.]+/, '_').slice(-120);
  return clean === '' ? 'file' : clean;
};

function nameOf(location: string): string {
  const pathname = URL.canParse(location) ? new URL(location).pathname : location;
  try {
    return cleanName(decodeURIComponent(pathname.split('/').at(-1) ?? ''));
  } catch (fault) {
    if (fault instanceof URIError) return cleanName(pathname.split('/').at(-1) ?? '');
    throw fault;
  }
}

export class SourceFiles {
  readonly #means: SourceMeans;
  readonly #production: string;
  readonly #directory: string;
  readonly #stop: AbortSignal;
  readonly given: GivenFile[] = [];
  #count = 0;

  /** @param directory where fetched files are put */
  constructor(means: SourceMeans, productionId: string, directory: string, stop: AbortSignal) {
    this.#means = means;
    this.#production = productionId;
    this.#directory = directory;
    this.#stop = stop;
  }

  /** The same input object with every file on this machine. @throws ProductionFailed */
  async bring(value: unknown): Promise<unknown> {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return Promise.all(value.map((item) => this.bring(item)));
    if (isKindOfDirectory(value)) throw new ProductionFailed('unsupported', 'directories cannot be given to a workflow');
    if (isFile(value)) return this.#file(value);
    if (Object.keys(value).some((key) => key.startsWith('$'))) throw new ProductionFailed('unsupported', 'inputs have no names that begin with $: documents would be read by them');
    return Object.fromEntries(await Promise.all(Object.entries(value).map(async ([key, item]) => [key, await this.bring(item)] as const)));
  }

  async #file({ location, entity }: SourceFile): Promise<LocalFile> {
    if (typeof location !== 'string') throw new ProductionFailed('unsupported', 'a file has to be given by its location');
    const known = entity === undefined ? [] : await this.#means.storage.filesOf([entity.id]);
    const own = (await this.#means.storage.objects()).hashOf(location);
    const file = known.find(({ field, hash, source }) => (source === null ? hash === own : source === location && !field.includes('/')));
    if (own !== null) {
      if (file === undefined) throw new ProductionFailed('source_unavailable', `${location} is in the artifact store, and no file of an entity that was asked for`); // nobody reads the store by guessing
      return this.#kept(location, file, known);
    }
    if (file !== undefined && await this.#isSound(file)) return this.#kept(location, file, []);
    return this.#fetched(location, entity, file);
  }

  async #isSound({ hash }: EntityFile): Promise<boolean> {
    return await (await this.#means.storage.objects()).check(hash) === 'sound';
  }

  /** A file of the store, with those that belong beside it. */
  async #kept(location: string, file: EntityFile, all: readonly EntityFile[]): Promise<LocalFile> {
    if (!await this.#isSound(file)) throw new ProductionFailed('source_unavailable', `${location} of ${file.entityId} is no longer in the artifact store as it was`, { entity_id: file.entityId, hash: file.hash });
    this.given.push({ location, hash: file.hash, entity_id: file.entityId });
    const beside = all.filter(({ field }) => field.startsWith(`${file.field}/`));
    const local = await this.#local(file);
    if (beside.length === 0) return local;
    return { ...local, secondaryFiles: await Promise.all(beside.map((one) => this.#local(one))) };
  }

  async #local({ hash, name }: EntityFile): Promise<LocalFile> {
    const store = await this.#means.storage.objects();
    const basename = cleanName(name ?? hash.slice(-12));
    const place = store.localFile(hash);
    if (place !== null) return { class: 'File', path: place, basename };
    const copy = await this.#place(basename);
    await pipeline(await store.read(hash), createWriteStream(copy, { flags: 'wx' }), { signal: this.#stop });
    return { class: 'File', path: copy, basename };
  }

  async #fetched(location: string, entity: SourceFile['entity'], before: EntityFile | undefined): Promise<LocalFile> {
    const basename = nameOf(location);
    const copy = await this.#place(basename);
    const hash = await fetchSource(this.#means, location, copy, this.#stop);
    if (before !== undefined && before.hash !== hash) {
      throw new ProductionFailed('source_changed', `${location} is no longer the file that it was: it had ${before.hash}, and now has ${hash}`, { location, expected: before.hash, found: hash });
    }
    if (entity !== undefined) {
      await this.#means.storage.keep(copy, this.#production);
      await noteEntityFiles(this.#means.db, [{ entityId: entity.id, entityType: entity.entityType, field: 'uri', hash, productionId: null, name: basename, source: location }]);
    }
    this.given.push({ location, hash, ...(entity === undefined ? {} : { entity_id: entity.id }) });
    return { class: 'File', path: copy, basename };
  }

  async #place(basename: string): Promise<string> {
    const directory = path.join(this.#directory, String(++this.#count));
    await mkdir(directory, { recursive: true });
    return path.join(directory, basename);
  }
}
