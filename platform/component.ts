// The one interface through which the router reaches a subgraph, in this process or over HTTP.
import type { Caller } from './identity.ts';

export interface ComponentError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** What a component says beside its data; REST puts it into `meta` and headers. */
export interface ComponentExtensions {
  /** The deployment's schema revision (metadata only), `"0"` before any schema. */
  schemaVersion?: string;
  /** The version of the one entity that was answered: becomes its `ETag`. */
  entityVersion?: number;
  /** Of a bare list: the cursor of what comes after it, null where nothing does; becomes `meta.next_cursor`. */
  nextCursor?: string | null;
  /** Sentences for `meta.warnings`. */
  warnings?: string[];
}

/**
 * An answer. Either `data` holds values, or `texts` holds, by response key of each root field, finished JSON text
 * that is passed through as it is (design «Hot path» 3); never both.
 */
export interface ComponentResult {
  readonly data?: Record<string, unknown> | null;
  readonly texts?: Readonly<Record<string, string>>;
  readonly errors?: readonly ComponentError[];
  readonly extensions?: ComponentExtensions;
}

/** A GraphQL operation in the subgraph's own schema, made ready once and run often. */
export type PreparedOperation = (
  variables: Readonly<Record<string, unknown>>,
  caller: Caller,
) => Promise<ComponentResult>;

/** Types of an extension that are told one by one, because there may be thousands: whoever needs one asks for it by name. */
export interface SchemaParts {
  /** The type that parts add fields to; the extension's own SDL defines it. */
  readonly holder: string;
  /** SDL of the type with a name; undefined where no part has one. */
  type(name: string): string | undefined;
  /** SDL of a field that a part adds to the holder; undefined where none does. */
  field(name: string): string | undefined;
  types(): Iterable<string>;
  fields(): Iterable<string>;
}

/** Types and root fields beside a component's SDL that follow what is stored. One of these objects never changes: what is another has another version. */
export interface SchemaExtension {
  /** Another one whenever the SDL, or a part, is another. */
  readonly version: string;
  /** Root fields of queries that it adds: whoever uses none of them need not look at its SDL. */
  readonly rootFields: readonly string[];
  /** What does not depend on its parts. */
  readonly sdl: string;
  readonly parts?: SchemaParts;
}

export interface Component {
  readonly name: string;
  /** Where it is reached; absent for a component of this process. */
  readonly url?: string;
  /** The subgraph's SDL, for composition. @throws DomainError `component_unavailable` */
  sdl(): Promise<string>;
  /**
   * What the component has beside its SDL, as last known: no part of the composition, so it may change at any time. What an
   * operation asks of its root fields goes to this component. Null where there is none now.
   */
  extension?(): SchemaExtension | null;
  /** Parses and compiles one operation; running it never throws: failures are in `errors`. */
  prepare(source: string, operationName?: string): PreparedOperation;
  /**
   * Runs a subscription: results as they come, pulled one by one; absent where the component has none. `caller.signal` ends it at once.
   * @throws DomainError where it cannot begin. What goes wrong later is a last result with `errors`
   */
  subscribe?(
    source: string,
    variables: Readonly<Record<string, unknown>>,
    caller: Caller,
    operationName?: string,
  ): Promise<AsyncIterable<ComponentResult>>;
  /** One probe, as for health: resolves to its HTTP status, null where nothing answered. */
  probe(signal: AbortSignal): Promise<number | null>;
  /** Tells when the SDL may have changed; answers the way to stop listening. Without it, changes are found by asking. */
  onChange?(listener: () => void): () => void;
  close(): Promise<void>;
}
