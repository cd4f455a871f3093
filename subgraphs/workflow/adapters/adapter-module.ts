// An adapter that a deployment writes itself: a JavaScript or TypeScript file whose default export is this
// interface (docs/reference/workflow.md#module-adapter).
import { loadDefaultExport } from '../../../platform/load-module.ts';
import { AdapterFetchError, messageOf } from './adapter.ts';

/** The file's `default` export. */
export interface AdapterModule {
  /** The type of the entities, if the configuration does not name it. */
  readonly entityType?: string;
  /** Whether `fetch` can return only what has changed since a time. */
  readonly incremental?: boolean;
  /**
   * The records, one by one. An exception fails the run. `since` is ISO 8601, null for everything;
   * `directory` is the module's. `note` adds a line to the log of the run.
   */
  fetch(pull: {
    readonly since: string | null;
    readonly directory: string;
    readonly options: Readonly<Record<string, unknown>>;
    readonly signal: AbortSignal;
    readonly note: (line: string) => void;
  }): AsyncIterable<unknown> | Iterable<unknown>;
  /** An entity's fields from a record, if the configuration has no `map`. An exception fails that record. */
  transform?(record: unknown): Readonly<Record<string, unknown>>;
}

function isModule(value: unknown): value is AdapterModule {
  if (typeof value !== 'object' || value === null || !('fetch' in value) || typeof value.fetch !== 'function')
    return false;
  return !('transform' in value) || value.transform === undefined || typeof value.transform === 'function';
}

/** @throws AdapterFetchError if the file cannot be loaded or exports something else */
export async function loadAdapterModule(file: string): Promise<AdapterModule> {
  let exported: unknown;
  try {
    exported = await loadDefaultExport(file);
  } catch (error) {
    throw new AdapterFetchError(`the adapter's module could not be loaded: ${messageOf(error)}`, {
      cause: error,
    });
  }
  if (!isModule(exported))
    throw new AdapterFetchError("the adapter's module has no default export with a function `fetch`");
  return exported;
}
