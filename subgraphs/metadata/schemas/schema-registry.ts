// The schemas known to this process: read once, and again when any process has changed them
// (docs/decisions/0211-a-schema-is-registered-once-all-judge-by-it.md).
import { setTimeout as sleep } from 'node:timers/promises';
import { waitAtMost } from '../../../platform/wait-at-most.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';

export interface RegistrySource {
  /** The stored schemas; known ones are not read again. */
  read(known?: SchemaCatalogue): Promise<SchemaCatalogue>;
  /** Calls back whenever the schemas may have changed, also after a reconnection. */
  watch(onChange: () => void): Promise<() => Promise<void>>;
  /** Tells the other processes by which revision this one judges. */
  tell(revision: number): Promise<void>;
  /** Whether any process judges by an older revision. */
  isAnyBehind(revision: number): Promise<boolean>;
}

/** A process that stands still holds up a registration for so long. */
const EVERYWHERE_MS = 1000;
const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 50;

export class SchemaRegistry {
  #current: SchemaCatalogue;
  readonly #source: RegistrySource;
  readonly #onFault: (error: unknown) => void;
  readonly #listeners = new Set<(catalogue: SchemaCatalogue) => void>();
  #stop: (() => Promise<void>) | undefined;
  /** Settles once the others know by which revision this process judges. */
  #told: Promise<void>;

  private constructor(source: RegistrySource, current: SchemaCatalogue, onFault: (error: unknown) => void) {
    this.#source = source;
    this.#current = current;
    this.#onFault = onFault;
    this.#told = this.#tell();
  }

  static async start(source: RegistrySource, onFault: (error: unknown) => void): Promise<SchemaRegistry> {
    const registry = new SchemaRegistry(source, await source.read(), onFault);
    registry.#stop = await source.watch(() => {
      registry.refresh().catch(onFault);
    });
    await registry.#told;
    await registry.refresh(); // what has changed before it was watched
    return registry;
  }

  current = (): SchemaCatalogue => this.#current;

  async refresh(): Promise<SchemaCatalogue> {
    const known = this.#current;
    const stored = await this.#source.read(known);
    const isOther = stored.server !== known.server || stored.revision < known.revision;
    if (isOther && this.#current === known)
      this.#take(stored); // after a failover, or restored to an earlier state: the known schemas are invalid
    else if (stored.server === this.#current.server) this.adopt(stored);
    return this.#current;
  }

  /** Adopts a catalogue that has just been written, unless it is older than the current one of its server. */
  adopt(catalogue: SchemaCatalogue): void {
    const current = this.#current;
    if (catalogue.server !== current.server || catalogue.revision > current.revision) this.#take(catalogue);
  }

  #take(catalogue: SchemaCatalogue): void {
    this.#current = catalogue;
    for (const listener of this.#listeners) listener(catalogue);
    this.#told = this.#tell();
  }

  #tell(): Promise<void> {
    return this.#source.tell(this.#current.revision).catch(this.#onFault);
  }

  /** Resolves once every process judges by the revision, so that no answer of theirs lacks it any more. */
  async everywhere(revision: number): Promise<void> {
    const end = performance.now() + EVERYWHERE_MS;
    await waitAtMost(EVERYWHERE_MS, this.#told);
    try {
      for (
        let pause = FIRST_PAUSE_MS;
        (await this.#source.isAnyBehind(revision)) && performance.now() < end;
        pause = Math.min(pause * 2, MAX_PAUSE_MS)
      )
        await sleep(pause);
    } catch (error) {
      this.#onFault(error); // it is registered all the same
    }
  }

  onChange(listener: (catalogue: SchemaCatalogue) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  async close(): Promise<void> {
    await this.#stop?.();
  }
}
