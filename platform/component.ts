// Declares the interface through which the router calls a subgraph, in the same process or over HTTP.
import type { Readable, Writable } from 'node:stream';
import type { Caller } from './identity.ts';

export interface ComponentError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Metadata that a component returns beside its data. The REST API puts it into `meta` and headers. */
export interface ComponentExtensions {
  /** The deployment's schema revision (metadata component only); `"0"` before any schema exists. */
  schemaVersion?: string;
  /** The version of the single entity in the response; becomes its `ETag`. */
  entityVersion?: number;
  /**
   * For a list without a connection wrapper: the cursor of the next page, null on the last page. Becomes
   * `meta.next_cursor`.
   */
  nextCursor?: string | null;
  /** Messages for `meta.warnings`. */
  warnings?: string[];
  /** What the answer is based on, if that was asked for; becomes `meta.basis`. */
  basis?: { readonly position: string | null; readonly time: string; readonly schemaRevision: string };
}

/**
 * The result of an operation. Either `data` holds values, or `texts` holds finished JSON text by the response
 * key of each root field, which is passed through unchanged (docs/architecture.md#the-way-of-a-request).
 * Never both.
 */
export interface ComponentResult {
  readonly data?: Record<string, unknown> | null;
  readonly texts?: Readonly<Record<string, string>>;
  readonly errors?: readonly ComponentError[];
  readonly extensions?: ComponentExtensions;
}

const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);
/** Whether an upstream answer of this status means that the component is unavailable (docs/reference/gateway.md#component-failures). */
export const meansUnavailable = (status: number): boolean => AWAY.has(status);

/** A GraphQL operation in the subgraph's own schema, compiled once and run many times. */
export type PreparedOperation = (
  variables: Readonly<Record<string, unknown>>,
  caller: Caller,
) => Promise<ComponentResult>;

/** The results of a subscription; the variables and the caller are its only input. */
export type Subscribe = (
  variables: Readonly<Record<string, unknown>>,
  caller: Caller,
) => Promise<AsyncIterable<ComponentResult>>;

/** A part of a stored file. */
export interface FilePart {
  /** `sha256:<hex>`. */
  readonly hash: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** The first byte, from 0. */
  readonly first: number;
  /** The last byte, which is a part of it. */
  readonly last: number;
}

/** A part of a stored file as a stream that nobody reads yet. */
export interface StoredContent extends Readable {
  /**
   * Instead of reading it: writes it to an answer, ends that, and closes the file, in the way that is fastest for
   * this store. Absent where there is none but to read it.
   */
  writeTo?(answer: Writable): Promise<void>;
}

/**
 * Opens a part of a file that an operation has just shown to the caller; a component in another process checks
 * that again.
 * @throws DomainError `not_found` where the content is not there as it was, `component_unavailable`
 */
export type OpenContent = (part: FilePart, caller: Caller) => Promise<StoredContent>;

/** The checksum of what one request brings of an upload. */
export interface ChunkChecksum {
  readonly algorithm: 'sha1' | 'sha256' | 'md5';
  /** In base64. */
  readonly digest: string;
}

/** A part of an upload, which one request brings. */
export interface ReceivedPart {
  readonly uploadId: string;
  /** Where it begins: as much as was received before. */
  readonly offset: number;
  /** The bytes of the whole, if the upload is told now; null where it is not. */
  readonly length: number | null;
  /** Null where none is compared. */
  readonly checksum: ChunkChecksum | null;
}

/** The state of an upload after a part. */
export interface Received {
  readonly offset: number;
  /** `sha256:<hex>` of the whole, once it is in the store; null before. */
  readonly hash: string | null;
  /** When it is removed, unless more is received before; null once it is in the store. */
  readonly expiresAt: string | null;
}

/**
 * Receives a part of an upload of the caller's. `stop` ends it early, by throwing its reason.
 * @throws DomainError as the upload is refused
 */
export type ReceiveContent = (
  part: ReceivedPart,
  content: Readable,
  caller: Caller,
  stop: AbortSignal,
) => Promise<Received>;

/** Types of an extension that are looked up by name, because there may be thousands of them. */
export interface SchemaParts {
  /** Whether parts may add fields to the type, which the extension's own SDL defines, or a part. */
  holds(type: string): boolean;
  /** Returns the SDL of the named type; undefined where no part defines it. */
  type(name: string): string | undefined;
  /** Returns the SDL of a field that a part adds to `holder`; undefined where no part adds it. */
  field(holder: string, name: string): string | undefined;
  types(): Iterable<string>;
  /** The fields that parts add to `holder`. */
  fields(holder: string): Iterable<string>;
}

/**
 * Types and root fields that a component has beside its SDL and that depend on stored data. An object is
 * immutable: a change of content produces a new object with a new version.
 */
export interface SchemaExtension {
  /** Changes whenever the SDL or a part changes. */
  readonly version: string;
  /** Root fields that the extension adds. An operation that uses none of them does not need its SDL. */
  readonly rootFields: readonly string[];
  /** The SDL that does not depend on the parts. */
  readonly sdl: string;
  readonly parts?: SchemaParts;
}

export interface Component {
  readonly name: string;
  /** The component's URL; absent for a component in this process. */
  readonly url?: string;
  /** Returns the subgraph's SDL, for composition. @throws DomainError `component_unavailable` */
  sdl(): Promise<string>;
  /**
   * The component's current schema extension, as last read; null where there is none. It is not part of the
   * composition, so it may change at any time. Selections of its root fields are sent to this component.
   */
  extension?(): SchemaExtension | null;
  /** Reads the extension anew, for a second at most; absent where it is always the present one. */
  followExtension?(): Promise<void>;
  /** Parses and compiles one operation. Running it never throws: failures are in `errors`. */
  prepare(source: string, operationName?: string): PreparedOperation;
  /**
   * Runs a subscription and returns its results as an async iterable; absent where the component has no
   * subscriptions. `caller.signal` ends it at once.
   * @throws DomainError where it cannot start. A later failure is a last result with `errors`
   */
  subscribe?(
    source: string,
    variables: Readonly<Record<string, unknown>>,
    caller: Caller,
    operationName?: string,
  ): Promise<AsyncIterable<ComponentResult>>;
  /** Opens stored files; absent where the component keeps none. */
  readonly content?: OpenContent;
  /** Receives uploads; absent where the component keeps no files. */
  readonly receive?: ReceiveContent;
  /** Sends one health probe. Resolves to the HTTP status, or null where there was no response. */
  probe(signal: AbortSignal): Promise<number | null>;
  /**
   * Calls `listener` when the SDL may have changed. Returns a function that removes the listener. Where a
   * component lacks this method, the router polls for changes.
   */
  onChange?(listener: () => void): () => void;
  close(): Promise<void>;
}
