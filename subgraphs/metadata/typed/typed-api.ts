// The current typed part of the graph: rebuilt on demand after the schemas have changed, and only the types
// that are used.
import type { PreparedOperation, SchemaExtension, SchemaParts } from '../../../platform/component.ts';
import { masked } from '../../../platform/errors.ts';
import type { LocalComponent } from '../../../platform/subgraph.ts';
import type { EntityPage } from '../entities/entities.service.ts';
import type { ReferringRequest } from '../referring/referring.service.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { changesSince, type TypedChanges } from './typed-changes.ts';
import { addedFieldSdl } from './added-field-sdl.ts';
import { schemaSdl } from './schema-sdl.ts';
import { enumSdl, typeSdl } from './typed-sdl.ts';
import { TypedTypes } from './typed-types.ts';

type Subgraph = Pick<LocalComponent, 'prepare' | 'subscribe'>;
/** Builds the subgraph with the typed part. */
type Make = (parts: SchemaParts, types: TypedTypes) => Subgraph;

/** Number of schemas whose SDL is written without yielding. */
const AT_ONCE = 50;

/** The typed part at one revision of the schemas; each of its forms is built on first use. */
export class TypedSchema implements SchemaExtension, SchemaParts {
  readonly catalogue: SchemaCatalogue;
  readonly rootFields = ['typed', 'node'];
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
  holds(type: string): boolean {
    return this.typed.holds(type);
  }
  fields(holder: string): Iterable<string> {
    return this.typed.fieldNames(holder);
  }

  type(name: string): string | undefined {
    const found = this.typed.typeNamed(name);
    if (found) return typeSdl(found.type, found.role);
    const field = this.typed.enumNamed(name);
    return field && enumSdl(field);
  }

  field(holder: string, name: string): string | undefined {
    const found = this.typed.fieldNamed(holder, name);
    return found && addedFieldSdl(found, name);
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
      const part = schemaSdl(this.typed.ofSchema(schema), (name) => this.catalogue.get(name) !== undefined);
      if (pieces.push(part) % AT_ONCE === 0) await new Promise(setImmediate);
    }
    return pieces.join('\n');
  }
}

/** Operations that may name types of schemas: below `typed`, and in conditions below `node`. */
const NAMES_TYPES = /\btyped\b|\bnode\s*\(/;

export class TypedApi {
  /** Whether the operation is one of the typed part; all others are the plain subgraph's. */
  static isFor = (source: string): boolean => NAMES_TYPES.test(source);

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

  /** A subscription of the typed part, with the schemas at that time. */
  subscribe: Subgraph['subscribe'] = (source, variables, caller, operationName) =>
    this.#subgraph().subscribe(source, variables, caller, operationName);

  #subgraph(): Subgraph {
    return this.current().subgraph(this.#make);
  }
}

/** The slice of the resolvers' context. */
export interface TypedSlice {
  readonly typedSchema: () => TypedSchema;
  /** The page of what refers to an entity; equal pages of several are read together. */
  readonly referringTo: (id: string, request: ReferringRequest) => Promise<EntityPage>;
}
