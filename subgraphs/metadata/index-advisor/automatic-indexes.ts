// Decides when a field that is often filtered, but not marked by a schema, gets an index, and when the index
// is dropped.
import type { RangedField } from '../filters/ranged-fields.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { markedFields } from '../schema-model/marked-fields.ts';
import type { FieldUse, FieldUses } from './field-uses.ts';

export interface Automatic extends FieldUse {
  readonly entities: number;
}
export interface Kept extends Automatic {
  readonly name: string;
  readonly madeAt: string;
  readonly whole: boolean;
  readonly idle: boolean;
}

/** The operations on indexes that the lock's holder can perform. */
export interface IndexMaker {
  make(field: RangedField): Promise<void>;
  drop(name: string): Promise<void>;
}

export interface AutomaticIndexDeps {
  readonly uses: FieldUses;
  readonly catalogue: () => SchemaCatalogue;
  /** The schemas as they are in the database now. */
  newest(): Promise<SchemaCatalogue>;
  addUses(uses: readonly FieldUse[]): Promise<void>;
  oftenUsed(often: number): Promise<readonly FieldUse[]>;
  entitiesOf(types: readonly string[]): Promise<number>;
  kept(): Promise<readonly Kept[]>;
  want(index: Automatic): Promise<void>;
  forget(field: RangedField): Promise<void>;
  /**
   * Runs `work` under the lock for creating indexes; returns whether it was free. Null if this process may
   * not create any.
   */
  readonly alone: ((work: (maker: IndexMaker) => Promise<void>) => Promise<boolean>) | null;
  onMade(index: Automatic): void;
  onFault(error: unknown): void;
}

/**
 * Filters within a day from which an index pays off: it adds some microseconds to every write of such
 * entities.
 */
export const MIN_USES = 100;
/** Number of entities from which reading all of them takes noticeably long: some hundredths of a second. */
const MANY = 10_000;
const MAX_INDEXES = 16;
const MAX_INDEXES_PER_TYPE = 4;
/** In milliseconds. */
const EVERY = 60_000;
/** Rounds without new counts after which unused indexes are checked, and after which a failure is retried. */
const IDLE_ROUNDS = 60;

export class AutomaticIndexes {
  readonly #deps: AutomaticIndexDeps;
  readonly #timer: NodeJS.Timeout;
  #round: Promise<void> | undefined;
  #rounds = 0;
  #pause = 0;
  #closed = false;

  constructor(deps: AutomaticIndexDeps, everyMs = EVERY) {
    this.#deps = deps;
    this.#timer = setInterval(() => void this.round(), everyMs).unref();
  }

  /** Stores the counts, and creates or drops the indexes that follow from them. Never rejects. */
  round(): Promise<void> {
    return (this.#round ??= this.#work()
      .catch((error: unknown) => {
        this.#pause = IDLE_ROUNDS; // a failed creation may have taken long: it is not retried at once
        if (!this.#closed) this.#deps.onFault(error);
      })
      .finally(() => {
        this.#round = undefined;
      }));
  }

  /** Stops. A creation in progress ends with the database's connections, and the next process repeats it. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
  }

  async #work(): Promise<void> {
    const marked = markedFields(this.#deps.catalogue());
    const counted = this.#deps.uses.take().filter((use) => this.#isField(use) && !marked.has(keyOf(use)));
    if (counted.length > 0) await this.#deps.addUses(counted);
    if (
      this.#closed ||
      this.#deps.alone === null ||
      --this.#pause > 0 ||
      (counted.length === 0 && this.#rounds++ % IDLE_ROUNDS !== 0)
    )
      return;
    if ((await this.#due(marked)) !== null) await this.#deps.alone((maker) => this.#doAll(maker));
  }

  /** Runs while nobody changes the marks of schemas: such a change waits for the same lock. */
  async #doAll(maker: IndexMaker): Promise<void> {
    const marked = markedFields(await this.#deps.newest());
    for (let due = await this.#due(marked); due !== null && !this.#closed; due = await this.#due(marked))
      await due(maker);
  }

  #isField({ entityType, field }: FieldUse): boolean {
    const catalogue = this.#deps.catalogue();
    return (
      catalogue
        .get(entityType)
        ?.selfAndSubtypes.some((name) => catalogue.get(name)?.fields.has(field) === true) ?? false
    );
  }

  /** The next action; null if none is needed. */
  async #due(
    marked: ReadonlyMap<string, RangedField>,
  ): Promise<((maker: IndexMaker) => Promise<void>) | null> {
    const deps = this.#deps;
    const kept = await deps.kept();
    const taken = kept.find((index) => marked.has(keyOf(index)));
    if (taken) return () => deps.forget(taken); // a schema now marks it
    const idle = kept.find((index) => index.idle);
    if (idle)
      return async (maker) => {
        await maker.drop(idle.name);
        await deps.forget(idle);
      };
    const begun = kept.find((index) => !index.whole);
    if (begun)
      return async (maker) => {
        await maker.make(begun);
        deps.onMade(begun);
      };
    const wanted = kept.length < MAX_INDEXES ? await this.#wanted(kept, marked) : null;
    return (
      wanted &&
      (async (maker) => {
        await deps.want(wanted);
        await maker.make(wanted);
        deps.onMade(wanted);
      })
    );
  }

  async #wanted(kept: readonly Kept[], marked: ReadonlyMap<string, RangedField>): Promise<Automatic | null> {
    const catalogue = this.#deps.catalogue();
    for (const use of await this.#deps.oftenUsed(MIN_USES)) {
      const type = catalogue.get(use.entityType);
      if (
        !type ||
        marked.has(keyOf(use)) ||
        kept.filter((index) => index.entityType === use.entityType).length >= MAX_INDEXES_PER_TYPE
      )
        continue;
      const entities = await this.#deps.entitiesOf(type.selfAndSubtypes);
      if (entities >= MANY) return { ...use, entities };
    }
    return null;
  }
}

const keyOf = ({ field, kind }: RangedField): string => JSON.stringify([field, kind]);

/** The reason of each index, in a sentence. */
export const whyThere = (
  names: readonly string[],
  automatic: readonly Kept[],
): readonly { readonly name: string; readonly why: string }[] =>
  names.map((name) => {
    const made = automatic.find((index) => index.name === name);
    const given = OVER_A_FIELD.test(name) ? 'a schema marks the field as indexed' : 'it always exists';
    return { name, why: made ? whyMade(made) : given };
  });
const OVER_A_FIELD = /^entity_(?:number|text)_/;

const whyMade = ({ field, entityType, uses, entities, madeAt }: Kept): string =>
  `created on ${madeAt}, after ${uses} queries of ${entityType} (${entities} entities) by ranges of ${field} within a day; it is dropped after a month without such queries`;
