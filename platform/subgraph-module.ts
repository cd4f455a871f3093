// A noun of a subgraph as one value: its SDL, its resolvers, who may call its root fields, and what its resolvers
// work with. A subgraph is a list of these.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ComponentExtensions } from './component.ts';
import type { Caller } from './identity.ts';
import type { OperationContext } from './operation-context.ts';
import type { Permission } from './permissions.ts';
import { projectRoot } from './project-root.ts';
import type { TextField } from './text-fields.ts';

/** `Query.entity`, `Mutation.ingestEntity`: a root field. */
export type RootCoordinate = `${'Query' | 'Mutation' | 'Subscription'}.${string}`;
export type Permissions = Readonly<Record<RootCoordinate, Permission>>;

/** A member of the context that is made for each operation, when its first resolver looks at it. */
class PerOperation<Context, Value> {
  readonly make: (operation: Context) => Value;

  constructor(make: (operation: Context) => Value) {
    this.make = make;
  }
}

export const perOperation = <Context, Value>(
  make: (operation: Context) => Value,
): PerOperation<Context, Value> => new PerOperation(make);

/** The members of a slice: the same for all operations, or made for each. */
export type Services<Context, Slice> = {
  readonly [Name in keyof Slice]: Slice[Name] | PerOperation<Context, Slice[Name]>;
};

type MembersOf<Modules extends readonly { readonly services: (deps: never) => object }[]> = ReturnType<
  Modules[number]['services']
>;
type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  whole: infer Whole,
) => void
  ? Whole
  : never;
type Made<Members> = {
  readonly [Name in keyof Members]: Exclude<Members[Name], PerOperation<never, unknown>>;
};

/** The slices of all these nouns together: what they add to the context of an operation. */
export type SlicesOf<Modules extends readonly { readonly services: (deps: never) => object }[]> = Made<
  Together<MembersOf<Modules>>
>;

/** What a schema needs of a noun. */
export interface SchemaModule<Context extends OperationContext> {
  /** Its SDL. */
  readonly typeDefs: string;
  /** Type → field → function; a noun types its own as `Resolvers`, which are generated from the SDL. */
  readonly resolvers: object;
  /** One entry for every root field: a root field without one stops the start (default-deny). */
  readonly permissions: Permissions;
  /** Root fields that can answer with finished JSON text. */
  readonly texts?: Readonly<Record<string, TextField<Context>>>;
}

/**
 * A noun: `Slice` is what it adds to the context of an operation, `Context` what its resolvers find there, of its
 * own and of other nouns'.
 */
export interface SubgraphModule<
  Deps,
  Slice extends object,
  Context extends OperationContext = OperationContext & Slice,
> extends SchemaModule<Context> {
  readonly services: (deps: Deps) => Services<Context, Slice>;
}

/** The SDL in a file of the project. */
export const readSdl = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');

/** The permissions of all nouns. */
export const permissionsOf = (modules: readonly { readonly permissions: Permissions }[]): Permissions =>
  Object.assign({}, ...modules.map(({ permissions }) => permissions)) as Permissions; // a merge of such records

export const textsOf = <Context extends OperationContext>(
  modules: readonly SchemaModule<Context>[],
): Readonly<Record<string, TextField<Context>>> =>
  Object.assign({}, ...modules.map(({ texts }) => texts)) as Record<string, TextField<Context>>; // likewise

/**
 * The context of an operation over these nouns: all their slices. What operations share stands on the prototype, so
 * that making one costs the same however many nouns there are.
 * @throws Error for a member that two modules provide
 */
export function contextsOver<Deps, Context extends OperationContext>(
  modules: readonly SubgraphModule<Deps, object, Context>[],
  deps: Deps,
): (caller: Caller, extensions: ComponentExtensions) => Context {
  class Operation implements OperationContext {
    readonly caller: Caller;
    readonly extensions: ComponentExtensions;
    #made: unknown[] | undefined;

    constructor(caller: Caller, extensions: ComponentExtensions) {
      this.caller = caller;
      this.extensions = extensions;
    }

    static provide(name: string, make: (operation: Context) => unknown, at: number): void {
      Object.defineProperty(Operation.prototype, name, {
        get(this: Operation): unknown {
          // whole once every noun has provided its slice
          return ((this.#made ??= [])[at] ??= make(this as OperationContext as Context));
        },
      });
    }
  }
  const members = modules.flatMap((module): [string, unknown][] => Object.entries(module.services(deps)));
  for (const [at, [name, member]] of members.entries()) {
    if (Object.hasOwn(Operation.prototype, name)) throw new Error(`two modules provide ${name}`);
    if (member instanceof PerOperation) Operation.provide(name, member.make, at);
    else Object.defineProperty(Operation.prototype, name, { value: member });
  }
  // its members were defined on the prototype, above
  return (caller, extensions) => new Operation(caller, extensions) as OperationContext as Context;
}
