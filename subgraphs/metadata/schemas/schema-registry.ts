// The schemas known to this process: read once, and again when any process has changed them.
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';

export interface RegistrySource {
  /** The stored schemas; known ones are not read again. */
  read(known?: SchemaCatalogue): Promise<SchemaCatalogue>;
  /** Calls back whenever the schemas may have changed, also after a reconnection. */
  watch(onChange: () => void): Promise<() => Promise<void>>;
}

export class SchemaRegistry {
  #current: SchemaCatalogue;
  readonly #source: RegistrySource;
  readonly #listeners = new Set<(catalogue: SchemaCatalogue) => void>();
  #stop: (() => Promise<void>) | undefined;

  private constructor(source: RegistrySource, current: SchemaCatalogue) {
    this.#source = source;
    this.#current = current;
  }

  static async start(source: RegistrySource, onFault: (error: unknown) => void): Promise<SchemaRegistry> {
    const registry = new SchemaRegistry(source, await source.read());
    registry.#stop = await source.watch(() => {
      registry.refresh().catch(onFault);
    });
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
