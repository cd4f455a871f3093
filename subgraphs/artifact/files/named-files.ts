// Which files the states of an entity that a caller may see name (docs/reference/artifact.md#who-may-read-a-file).
import DataLoader from 'dataloader';
import { DomainError } from '../../../platform/errors.ts';
import { type Caller, isMember } from '../../../platform/identity.ts';
import { storedHashIn } from '../../../platform/stored-file-address.ts';
import { foundByIds } from '../in-filters.ts';
import { type AskPlatform, question } from '../platform-port.ts';

const PRESENT = `query FilesNamed($filter: String!, $limit: Int!) {
  entities(filter: $filter, limit: $limit, includeUnavailable: true, count: NONE) { items { id data } }
}`;
const PAST = `query FilesNamedBefore($id: ID!, $cursor: String) {
  entityHistoryPage(entityId: $id, eventTypes: ["EntityCreated", "EntityUpdated"], limit: 200, cursor: $cursor) {
    items { actor payload }
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
  /** The projects that the entity was in when it got the file: '' for none, null where unknown. */
  readonly givenIn: readonly (string | null)[];
}

/** A row of what entities hold. */
interface HeldRow {
  readonly entityId: string;
  readonly hash: string;
  readonly isNamed: boolean;
  readonly source: string | null;
  readonly givenIn: string | null;
}

/** What an entity has named in states that a caller may see. */
interface Past {
  readonly named: ReadonlySet<string>;
  /** In the states in which it came from where the caller does not see it. */
  readonly brought: ReadonlySet<string>;
  /** In the state in which it was created, or by productions. */
  readonly made: ReadonlySet<string>;
}

/** Who writes what is produced. */
const PRODUCER = 'service:artifact';

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

const someIn = (names: ReadonlySet<string>, wanted: readonly string[]): boolean =>
  wanted.some((one) => names.has(one));

interface Data {
  readonly id: string;
  readonly data: unknown;
}
interface Events {
  readonly items: readonly {
    readonly actor: string;
    readonly payload: {
      readonly initial_state?: unknown;
      /** Null where the caller did not see the entity before. */
      readonly previous_state?: unknown;
      readonly new_state?: unknown;
    };
  }[];
  readonly nextCursor: string | null;
}

/** One operation's view. */
export class NamedFiles {
  readonly #ask: AskPlatform;
  readonly #caller: Caller;
  readonly #present: DataLoader<string, ReadonlySet<string>>;
  readonly #past = new Map<string, Promise<Past>>();

  constructor(ask: AskPlatform, caller: Caller) {
    this.#ask = ask;
    this.#caller = caller;
    this.#present = new DataLoader((ids) => this.#presentNames(ids), { maxBatchSize: BATCH });
  }

  /**
   * Whether the entity holds the file for the caller: some state that they may see names it, and it got the file
   * where they may see it, or came from elsewhere with it. What is written later of a hash that somebody knew
   * opens nothing.
   */
  async has({ entityId, hash, sources, givenIn }: HeldFile): Promise<boolean> {
    if (this.#caller.projects === '*') return true;
    const isGivenHere = givenIn.some(
      (project) => project !== null && (project === '' || isMember(this.#caller, project)),
    );
    const present = await this.#present.load(entityId);
    if (someIn(present, isGivenHere ? [hash, ...sources] : sources)) return true;
    const { named, brought, made } = await this.#pastNames(entityId);
    return (
      someIn(named, isGivenHere ? [hash, ...sources] : sources) ||
      brought.has(hash) ||
      (givenIn.includes(null) && made.has(hash))
    );
  }

  /** Whether a state of the entity that the caller may see names the file. */
  async isNamed({ entityId, hash }: Pick<HeldFile, 'entityId' | 'hash'>): Promise<boolean> {
    if ((await this.#present.load(entityId)).has(hash)) return true;
    return (await this.#pastNames(entityId)).named.has(hash);
  }

  /** Without those that entities held only where the caller may not see them. */
  async shown<File extends HeldRow>(files: readonly File[]): Promise<readonly File[]> {
    const shown = await Promise.all(
      files.map(
        async ({ entityId, hash, isNamed, source, givenIn }) =>
          !isNamed ||
          (await this.has({ entityId, hash, sources: source === null ? [] : [source], givenIn: [givenIn] })),
      ),
    );
    return files.filter((_, i) => shown[i]);
  }

  async #presentNames(ids: readonly string[]): Promise<ReadonlySet<string>[]> {
    const present = await foundByIds<Data>(ids, (wanted) =>
      question(this.#ask, PRESENT, 'entities', wanted, this.#caller),
    );
    const found = new Map(present.map(({ id, data }) => [id, namesIn([data])]));
    return ids.map((id) => found.get(id) ?? new Set());
  }

  #pastNames(entityId: string): Promise<Past> {
    let names = this.#past.get(entityId);
    if (names === undefined) this.#past.set(entityId, (names = this.#readPast(entityId)));
    return names;
  }

  async #readPast(entityId: string): Promise<Past> {
    const past = { named: new Set<string>(), brought: new Set<string>(), made: new Set<string>() };
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
      for (const { actor, payload } of page?.items ?? []) {
        addNames(payload, past.named);
        if (payload.previous_state === null) addNames(payload.new_state, past.brought);
        if (payload.initial_state !== undefined || actor === PRODUCER) addNames(payload, past.made);
      }
      cursor = page?.nextCursor ?? null;
    } while (cursor !== null);
    return past;
  }
}
