// The interface of adapters: a stream of records, and two kinds of errors
// (docs/reference/workflow.md#adapter-errors).

/** One record of the source, or why it could not be read; reading continues. */
export type AdapterRecord = { readonly row: unknown } | { readonly fault: string };

export interface Pull {
  /** The time of the last run, for incremental pulls; null: everything. */
  readonly since: string | null;
  readonly signal: AbortSignal;
  /** Adds a line to the log of the run. */
  readonly note: (line: string) => void;
}

/** @throws AdapterFetchError */
export type ReadRecords = (pull: Pull) => AsyncIterable<AdapterRecord>;

/** The source could not be read: the run fails. */
export class AdapterFetchError extends Error {
  override name = 'AdapterFetchError';
}

/** One record could not become an entity: it is skipped, the run is `partial_success`. */
export class AdapterTransformError extends Error {
  override name = 'AdapterTransformError';
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
