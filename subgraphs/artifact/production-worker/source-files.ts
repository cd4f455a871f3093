// Provides the files of a run on this machine, from the store or from their source, and records their
// checksums.
import { createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Queryable } from '../../../platform/queryable.ts';
import { storedHashIn } from '../../../platform/stored-file-address.ts';
import { ArchiveRefused, DIRECTORY_MEDIA_TYPE, unpackDirectory } from '../storage/directory-archive.ts';
import type { ContentHash } from '../storage/object-store.ts';
import type { Storage } from '../storage/storage.service.ts';
import { type FoundFile, noteEntityFiles } from '../storage/stored-objects.store.ts';
import type { NamedFiles } from '../files/named-files.ts';
import { isSource, type SourceFile } from '../planning/bind-inputs.ts';
import { type FetchDeps, fetchSource } from './fetch-source.ts';
import { ProductionFailed } from './production-failed.ts';
import { besideOf, cleanName, nameOf } from './source-names.ts';

export interface SourceDeps extends FetchDeps {
  readonly db: Queryable;
  readonly storage: Storage;
}

/** A file or a directory as cwltool takes it. */
export interface LocalFile {
  readonly class: 'File' | 'Directory';
  readonly path: string;
  readonly basename: string;
  readonly format?: string;
  readonly secondaryFiles?: readonly LocalFile[];
}

/** The provenance of an input file. */
export interface GivenFile {
  readonly location: string;
  readonly hash: ContentHash;
  readonly entity_id?: string;
  /** The entity's field that names it. */
  readonly field?: string;
  /** Its name for the tools. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

const isWeb = (location: string): boolean => /^https?:/i.test(location);

export class SourceFiles {
  readonly #deps: SourceDeps;
  readonly #production: string;
  readonly #directory: string;
  readonly #stop: AbortSignal;
  readonly #named: NamedFiles;
  readonly given: GivenFile[] = [];
  #count = 0;

  /**
   * @param directory for fetched files
   * @param named the requester's view of files that entities hold
   */
  constructor(
    deps: SourceDeps,
    productionId: string,
    directory: string,
    stop: AbortSignal,
    named: NamedFiles,
  ) {
    this.#deps = deps;
    this.#named = named;
    this.#production = productionId;
    this.#directory = directory;
    this.#stop = stop;
  }

  /** The same input object with every file on this machine. @throws ProductionFailed */
  async bring(value: unknown): Promise<unknown> {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return Promise.all(value.map((item) => this.bring(item)));
    if (isSource(value)) return this.#source(value);
    if (Object.keys(value).some((key) => key.startsWith('$')))
      throw new ProductionFailed(
        'unsupported',
        'names in inputs must not begin with $, because CWL would read other documents by them',
      );
    return Object.fromEntries(
      await Promise.all(
        Object.entries(value).map(async ([key, item]) => [key, await this.bring(item)] as const),
      ),
    );
  }

  async #source({ class: kind, location, entity, format, beside = [] }: SourceFile): Promise<LocalFile> {
    if (typeof location !== 'string')
      throw new ProductionFailed(
        'unsupported',
        `a ${kind === 'File' ? 'file' : 'directory'} must have a location`,
      );
    const file = await this.#file(location, entity, kind);
    if (kind === 'Directory') return this.#unpacked(file, location);
    const fetched = storedHashIn(location) === null ? await this.#beside(location, entity, beside) : [];
    const secondary = [...(file.secondaryFiles ?? []), ...fetched];
    return {
      ...file,
      ...(format === undefined ? {} : { format }),
      ...(secondary.length === 0 ? {} : { secondaryFiles: secondary }),
    };
  }

  /** Secondary files of a remote file are beside it. Optional ones may be missing. */
  async #beside(
    location: string,
    entity: SourceFile['entity'],
    patterns: readonly string[],
  ): Promise<readonly LocalFile[]> {
    const found: LocalFile[] = [];
    for (const pattern of patterns) {
      try {
        found.push(await this.#file(besideOf(location, pattern.replace(/\?$/, '')), entity, 'File', true));
      } catch (fault) {
        if (!(
          pattern.endsWith('?') &&
          fault instanceof ProductionFailed &&
          fault.code === 'source_unavailable'
        ))
          throw fault;
      }
    }
    return found;
  }

  /** The file itself, or the archive of the directory. */
  async #file(
    location: string,
    entity: SourceFile['entity'],
    kind: SourceFile['class'],
    isBeside = false,
  ): Promise<LocalFile> {
    const known =
      entity === undefined ? [] : await this.#named.shown(await this.#deps.storage.filesOf([entity.id]));
    const own = storedHashIn(location);
    const fits = ({ field, hash, source }: FoundFile): boolean =>
      source === null ? hash === own : source === location && field.includes('/') === isBeside;
    const file =
      known.find((one) => fits(one) && one.field.split('/')[0] === entity?.field) ?? known.find(fits);
    if (own !== null && file?.hash === own)
      return this.#kept(location, file, kind === 'File' ? known : [], entity);
    if (own !== null && (await this.#isOwn(location, own)))
      throw new ProductionFailed(
        'source_unavailable',
        `${location} is in the artifact store, and no file of an entity that was asked for`,
      ); // prevents access to the store by guessed addresses
    if (file !== undefined && (await this.#isSound(file))) return this.#kept(location, file, [], entity);
    return this.#fetched(location, entity, file, { kind, isBeside });
  }

  /** Whether the address means our own store: not a file that another server keeps. */
  async #isOwn(location: string, hash: ContentHash): Promise<boolean> {
    const { storage } = this.#deps;
    return location === storage.addressOf(hash) || (!isWeb(location) && (await storage.isKnown(hash)));
  }

  /** A local directory with the contents of an archive. */
  async #unpacked({ path: archive, basename }: LocalFile, location: string): Promise<LocalFile> {
    const name = cleanName(basename.replace(/\.(?:tar|tgz|tar\.gz)$/i, ''));
    const place = await this.#place(name);
    const { bytes, entries } = this.#deps.limits;
    try {
      await unpackDirectory(archive, place, { bytes, entries }, this.#stop);
    } catch (fault) {
      if (fault instanceof ArchiveRefused)
        throw new ProductionFailed(
          'source_unavailable',
          `${location} cannot be unpacked: the archive ${fault.message}`,
          { location },
          { cause: fault },
        );
      throw fault;
    }
    return { class: 'Directory', path: place, basename: name };
  }

  async #isSound({ hash }: FoundFile): Promise<boolean> {
    return (await (await this.#deps.storage.objects()).check(hash)) === 'sound';
  }

  /** A file of the store, with its secondary files. */
  async #kept(
    location: string,
    file: FoundFile,
    all: readonly FoundFile[],
    entity: SourceFile['entity'],
  ): Promise<LocalFile> {
    if (!(await this.#isSound(file)))
      throw new ProductionFailed(
        'source_unavailable',
        `${location} of ${file.entityId} is missing from the artifact store, or was changed there`,
        { entity_id: file.entityId, hash: file.hash },
      );
    const beside = all.filter(({ field }) => field.startsWith(`${file.field}/`));
    const local = await this.#local(file);
    await this.#give(location, file.hash, local, entity);
    if (beside.length === 0) return local;
    return {
      ...local,
      secondaryFiles: await Promise.all(
        beside.map(async (one) =>
          one.mediaType === DIRECTORY_MEDIA_TYPE
            ? this.#unpacked(await this.#local(one), location)
            : this.#local(one),
        ),
      ),
    };
  }

  async #local({ hash, name }: FoundFile): Promise<LocalFile> {
    const store = await this.#deps.storage.objects();
    const basename = cleanName(name ?? hash.slice(-12));
    const place = store.localFile(hash);
    if (place !== null) return { class: 'File', path: place, basename };
    const copy = await this.#place(basename);
    await pipeline(await store.read(hash), createWriteStream(copy, { flags: 'wx' }), { signal: this.#stop });
    return { class: 'File', path: copy, basename };
  }

  async #fetched(
    location: string,
    entity: SourceFile['entity'],
    before: FoundFile | undefined,
    { kind, isBeside }: { readonly kind: SourceFile['class']; readonly isBeside: boolean },
  ): Promise<LocalFile> {
    const basename = nameOf(location);
    const copy = await this.#place(basename);
    const hash = await fetchSource(this.#deps, location, copy, this.#stop, kind);
    const expected = before?.hash ?? storedHashIn(location) ?? hash;
    if (expected !== hash) {
      throw new ProductionFailed(
        'source_changed',
        `${location} is no longer the file that it was: it had ${expected}, and now has ${hash}`,
        { location, expected, found: hash },
      );
    }
    if (entity !== undefined) {
      await this.#deps.storage.keep(copy, this.#production);
      await noteEntityFiles(this.#deps.db, [
        {
          entityId: entity.id,
          entityType: entity.entityType,
          field: isBeside ? `${entity.field}/${basename}` : entity.field,
          hash,
          productionId: null,
          name: basename,
          source: location,
          givenIn: null,
        },
      ]);
    }
    const local = { class: 'File', path: copy, basename } as const;
    await this.#give(location, hash, local, entity);
    return local;
  }

  async #give(
    location: string,
    hash: ContentHash,
    { path: place, basename }: LocalFile,
    entity: SourceFile['entity'],
  ): Promise<void> {
    const { size } = await stat(place);
    this.given.push({
      location,
      hash,
      ...(entity === undefined ? {} : { entity_id: entity.id, field: entity.field }),
      name: basename,
      size,
    });
  }

  async #place(basename: string): Promise<string> {
    const directory = path.join(this.#directory, String(++this.#count));
    await mkdir(directory, { recursive: true });
    return path.join(directory, basename);
  }
}
