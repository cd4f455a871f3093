// The typed part of the graph as it is now: made again when the schemas have changed and somebody asks, and not before.
import type { Component, PreparedOperation, SchemaExtension } from '../../../platform/component.ts';
import { masked } from '../../../platform/errors.ts';
import type { SchemaCatalogue } from '../schemas/schema-catalogue.ts';
import { typedSdl } from './typed-sdl.ts';
import { type TypedTypes, typedTypes } from './typed-types.ts';

type Subgraph = Pick<Component, 'prepare'>;

/** The typed part at one revision of the schemas; each of its forms is made when it is first asked for. */
class Made implements SchemaExtension {
  readonly catalogue: SchemaCatalogue;
  readonly rootFields = ['typed'];
  readonly #base: string;
  #types: TypedTypes | undefined;
  #sdl: string | undefined;
  #subgraph: Subgraph | undefined;

  constructor(catalogue: SchemaCatalogue, base: string) {
    this.catalogue = catalogue;
    this.#base = base;
  }

  get version(): string { return String(this.catalogue.revision); }
  get types(): TypedTypes { return (this.#types ??= typedTypes(this.catalogue)); }
  get sdl(): string { return (this.#sdl ??= typedSdl(this.#base, this.types.types)); }
  subgraph(make: (sdl: string, types: TypedTypes) => Subgraph): Subgraph { return (this.#subgraph ??= make(this.sdl, this.types)); }
}

export class TypedApi {
  readonly #catalogue: () => SchemaCatalogue;
  readonly #base: string;
  readonly #make: (sdl: string, types: TypedTypes) => Subgraph;
  #made: Made | undefined;

  /**
   * @param base the part of the SDL that does not depend on schemas
   * @param make the subgraph with the typed part in it
   */
  constructor(catalogue: () => SchemaCatalogue, base: string, make: (sdl: string, types: TypedTypes) => Subgraph) {
    this.#catalogue = catalogue;
    this.#base = base;
    this.#make = make;
  }

  extension = (): SchemaExtension => this.#current();

  /** An operation of the typed part, answered by the schemas as they are whenever it runs. @throws DomainError `invalid_request` where it does not fit them now */
  prepare(source: string, operationName?: string): PreparedOperation {
    let subgraph = this.#subgraph();
    let run = subgraph.prepare(source, operationName);
    return (variables, caller) => {
      try {
        const now = this.#subgraph();
        if (now !== subgraph) [subgraph, run] = [now, now.prepare(source, operationName)];
      } catch (thrown) {
        const { message, extensions } = masked(thrown);
        return Promise.resolve({ errors: [{ message, extensions }] });
      }
      return run(variables, caller);
    };
  }

  #subgraph(): Subgraph {
    return this.#current().subgraph(this.#make);
  }

  #current(): Made {
    const catalogue = this.#catalogue();
    return this.#made?.catalogue.revision === catalogue.revision ? this.#made : (this.#made = new Made(catalogue, this.#base));
  }
}
