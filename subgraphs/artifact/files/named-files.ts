// Which files the states of an entity that a caller may see name (docs/reference/artifact.md#who-may-read-a-file).
import DataLoader from 'dataloader';
import { DomainError } from '../../../platform/errors.ts';
import type { Caller } from '../../../platform/identity.ts';
import { storedHashIn } from '../../../platform/stored-file-address.ts';
import { inFilters } from '../in-filters.ts';
import { type AskPlatform, question } from '../platform-port.ts';

const PRESENT = `query FilesNamed($filter: String!, $limit: Int!) {
  entities(filter: $filter, limit: $limit, includeUnavailable: true, count: NONE) { items { id data } }
}`;
const PAST = `query FilesNamedBefore($id: ID!, $cursor: String) {
  entityHistoryPage(entityId: $id, eventTypes: ["EntityCreated", "EntityUpdated"], limit: 200, cursor: $cursor) {
    items { payload }
    nextCursor
  }
}`;
/** Entities whose data is read at once: it may be large. */
const BATCH = 20;

/** A file that an entity holds. */
export interface HeldFile {
  readonly entityId: string;
  readonly hash: string;
  /** The addresses that it was fetched from. */
  readonly sources: readonly string[];
}

/** Adds the texts of a JSON value, and the hashes of the stored files that they are addresses of. */
function addNames(value: unknown, names: Set<string>): void {
  if (typeof value === 'string') {
    names.add(value);
    const hash = storedHashIn(value);
    if (hash !== null) names.add(hash);
  } else if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) addNames(item, names);
}

/** The texts of JSON values, and the hashes of the stored files that they are addresses of. */
export const namesIn = (values: readonly unknown[]): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const value of values) addNames(value, names);
  return names;
};

const isIn = (names: ReadonlySet<string>, { hash, sources }: HeldFile): boolean =>
  names.has(hash) || sources.some((source) => names.has(source));

interface Data {
  readonly id: string;
  readonly data: unknown;
}
interface Events {
  readonly items: readonly { readonly payload: unknown }[];
  readonly nextCursor: string | null;
}

/** One operation's view. */
export class NamedFiles {
  readonly #ask: AskPlatform;
  readonly #caller: Caller;
  readonly #present: DataLoader<string, ReadonlySet<string>>;
  readonly #past = new Map<string, Promise<ReadonlySet<string>>>();

  constructor(ask: AskPlatform, caller: Caller) {
    this.#ask = ask;
    this.#caller = caller;
    this.#present = new DataLoader((ids) => this.#presentNames(ids), { maxBatchSize: BATCH });
  }

  /**
   * Whether a state of the entity that the caller may see names the file: an entity that came from another
   * project brings none of the files that it held only there.
   */
  async has(file: HeldFile): Promise<boolean> {
    if (this.#caller.projects === '*') return true;
    return this.isNamed(file);
  }

  /** The same, for callers in all projects, too. */
  async isNamed(file: HeldFile): Promise<boolean> {
    if (isIn(await this.#present.load(file.entityId), file)) return true;
    return isIn(await this.#pastNames(file.entityId), file);
  }

  async #presentNames(ids: readonly string[]): Promise<ReadonlySet<string>[]> {
    const pages = await Promise.all(
      inFilters(ids).map((group) =>
        question<{ readonly items: readonly Data[] }>(
          this.#ask,
          PRESENT,
          'entities',
          { filter: `id in [${group}]`, limit: ids.length },
          this.#caller,
        ),
      ),
    );
    const found = new Map(pages.flatMap(({ items }) => items).map(({ id, data }) => [id, namesIn([data])]));
    return ids.map((id) => found.get(id) ?? new Set());
  }

  #pastNames(entityId: string): Promise<ReadonlySet<string>> {
    let names = this.#past.get(entityId);
    if (names === undefined) this.#past.set(entityId, (names = this.#readPast(entityId)));
    return names;
  }

  async #readPast(entityId: string): Promise<ReadonlySet<string>> {
    const names = new Set<string>();
    let cursor: string | null = null;
    do {
      const page: Events | null = await question<Events | null>(
        this.#ask,
        PAST,
        'entityHistoryPage',
        { id: entityId, cursor },
        this.#caller,
      ).catch((fault: unknown) => {
        if (fault instanceof DomainError && fault.code === 'not_found') return null;
        throw fault;
      });
      for (const { payload } of page?.items ?? []) addNames(payload, names);
      cursor = page?.nextCursor ?? null;
    } while (cursor !== null);
    return names;
  }
}
