// The current typed part of the graph: rebuilt on demand after the schemas have changed, and only the types
// that are used.
import type {
  Component,
  PreparedOperation,
  SchemaExtension,
  SchemaParts,
} from '../../../platform/component.ts';
import { masked } from '../../../platform/errors.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { changesSince, type TypedChanges } from './typed-changes.ts';
import { rootFieldSdl, schemaSdl, typeSdl } from './typed-sdl.ts';
import { TypedTypes } from './typed-types.ts';

type Subgraph = Pick<Component, 'prepare'>;
/** Builds the subgraph with the typed part. */
type Make = (parts: SchemaParts, types: TypedTypes) => Subgraph;

/** Number of schemas whose SDL is written without yielding. */
const AT_ONCE = 50;

/** The typed part at one revision of the schemas; each of its forms is built on first use. */
export class TypedSchema implements SchemaExtension, SchemaParts {
  readonly catalogue: SchemaCatalogue;
  readonly rootFields = ['typed'];
  readonly holder = 'Typed';
  readonly sdl: string;
  #types: TypedTypes | undefined;
  #subgraph: Subgraph | undefined;
  #whole: Promise<string> | undefined;

  /** @param base SDL that does not depend on schemas */
  constructor(catalogue: SchemaCatalogue, base: string) {
    this.catalogue = catalogue;
    this.sdl = base;
  }

  get version(): string {
    return String(this.catalogue.revision);
  }
  get parts(): SchemaParts {
    return this;
  }
  get typed(): TypedTypes {
    return (this.#types ??= new TypedTypes(this.catalogue));
  }
  subgraph(make: Make): Subgraph {
    return (this.#subgraph ??= make(this, this.typed));
  }

  types(): Iterable<string> {
    return this.typed.typeNames();
  }
  fields(): Iterable<string> {
    return this.typed.fieldNames();
  }

  type(name: string): string | undefined {
    const found = this.typed.typeNamed(name);
    return found && typeSdl(found.type, found.role);
  }

  field(name: string): string | undefined {
    const found = this.typed.fieldNamed(name);
    return found && rootFieldSdl(found.type, found.role, name);
  }

  changes(since: string | null): TypedChanges {
    return changesSince(this.catalogue.revision, this.typed, since);
  }

  /** All of it, written once for whoever asks, however often. */
  whole(): Promise<string> {
    return (this.#whole ??= this.#written());
  }

  /** A piece at a time: others are answered meanwhile. */
  async #written(): Promise<string> {
    const pieces = [this.sdl];
    for (const { schema } of this.typed.since()) {
      if (pieces.push(schemaSdl(this.typed.ofSchema(schema))) % AT_ONCE === 0)
        await new Promise(setImmediate);
    }
    return pieces.join('\n');
  }
}

export class TypedApi {
  readonly #catalogue: () => SchemaCatalogue;
  readonly #base: string;
  readonly #make: Make;
  #current: TypedSchema | undefined;

  /**
   * @param base the part of the SDL that does not depend on schemas
   * @param make builds the subgraph with the typed part
   */
  constructor(catalogue: () => SchemaCatalogue, base: string, make: Make) {
    this.#catalogue = catalogue;
    this.#base = base;
    this.#make = make;
  }

  current = (): TypedSchema => {
    const catalogue = this.#catalogue();
    return this.#current?.catalogue === catalogue
      ? this.#current
      : (this.#current = new TypedSchema(catalogue, this.#base));
  };

  /**
   * An operation of the typed part, executed with the schemas at that time.
   * @throws DomainError `invalid_request` if it is not valid for them
   */
  prepare(source: string, operationName?: string): PreparedOperation {
    let subgraph = this.#subgraph();
    let run = subgraph.prepare(source, operationName);
    return (variables, caller) => {
      try {
        const now = this.#subgraph();
        if (now !== subgraph) [run, subgraph] = [now.prepare(source, operationName), now];
      } catch (thrown) {
        const { message, extensions } = masked(thrown);
        return Promise.resolve({ errors: [{ message, extensions }] });
      }
      return run(variables, caller);
    };
  }

  #subgraph(): Subgraph {
    return this.current().subgraph(this.#make);
  }
}

/** The slice of the resolvers' context. */
export interface TypedSlice {
  readonly typedSchema: () => TypedSchema;
}
