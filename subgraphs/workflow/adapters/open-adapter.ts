// Creates an adapter's stream of records from its definition.
import path from 'node:path';
import { DEFAULT_LIMITS } from '../../../platform/config/limits-section.ts';
import type { Config } from '../../../platform/config/load-config.ts';
import { isObject } from '../../../platform/json-object.ts';
import type { JsonLimits } from '../../../platform/json-shape.ts';
import {
  AdapterFetchError,
  type AdapterRecord,
  AdapterTransformError,
  messageOf,
  type Pull,
  type ReadRecords,
} from './adapter.ts';
import { type AdapterModule, loadAdapterModule } from './adapter-module.ts';
import { type MapRecord, recordMapper } from './map-record.ts';
import { takesSince } from './open-source.ts';
import { fileReader } from './read-file.ts';
import { httpReader } from './read-http.ts';
import { sqlReader, takesSinceParameter } from './read-sql.ts';

type WithoutOrigin<T> = T extends unknown ? Omit<T, 'origin'> : never;

/** A configured adapter, without its location in the file. */
export type ConfiguredAdapter = WithoutOrigin<Config['workflow']['adapters'][number]>;

export interface OpenAdapter {
  readonly name: string;
  readonly type: ConfiguredAdapter['type'];
  readonly entityType: string;
  /** Whether it can pull only what has changed since a time. */
  readonly incremental: boolean;
  readonly read: ReadRecords;
  readonly map: MapRecord;
}

const incremental = (adapter: ConfiguredAdapter): boolean => {
  switch (adapter.type) {
    case 'csv':
    case 'tsv':
    case 'xlsx':
    case 'json':
    case 'jsonl':
    case 'parquet':
      return takesSince(adapter);
    case 'http':
      return takesSince({ source: adapter });
    case 'sql':
      return takesSinceParameter(adapter.query);
    case 'module':
      return false; // the module decides
    default:
      return adapter satisfies never;
  }
};

function readerOf(adapter: Exclude<ConfiguredAdapter, { type: 'module' }>, limits: JsonLimits): ReadRecords {
  switch (adapter.type) {
    case 'csv':
    case 'tsv':
    case 'xlsx':
    case 'json':
    case 'jsonl':
    case 'parquet':
      return fileReader(adapter, limits);
    case 'http':
      return httpReader(adapter, limits);
    case 'sql':
      return sqlReader(adapter);
    default:
      return adapter satisfies never;
  }
}

/**
 * @param limits of the JSON that it reads
 * @throws AdapterFetchError for an unusable module
 */
export async function openAdapter(
  adapter: ConfiguredAdapter,
  limits: JsonLimits = DEFAULT_LIMITS,
): Promise<OpenAdapter> {
  if (adapter.type === 'module') return openModule(adapter);
  return {
    name: adapter.name,
    type: adapter.type,
    entityType: adapter.entityType,
    incremental: incremental(adapter),
    read: readerOf(adapter, limits),
    map: recordMapper(adapter.map),
  };
}

async function openModule({
  name,
  module,
  options,
  entityType: configured,
  map,
}: Extract<ConfiguredAdapter, { type: 'module' }>): Promise<OpenAdapter> {
  const own = await loadAdapterModule(module);
  const entityType = configured ?? own.entityType;
  if (entityType === undefined)
    throw new AdapterFetchError('neither the configuration nor the module gives the entity type');
  return {
    name,
    type: 'module',
    entityType,
    incremental: own.incremental === true,
    read: (pull) => moduleRecords(own, { options, directory: path.dirname(module) }, pull),
    map: map === undefined ? (row) => fieldsOf(own, row) : recordMapper(map),
  };
}

async function* moduleRecords(
  module: AdapterModule,
  own: { readonly options: Readonly<Record<string, unknown>>; readonly directory: string },
  { since, signal, note }: Pull,
): AsyncGenerator<AdapterRecord> {
  try {
    for await (const row of module.fetch({
      since: module.incremental === true ? since : null,
      ...own,
      signal,
      note: (line) => {
        note(String(line));
      },
    }))
      yield { row };
  } catch (error) {
    signal.throwIfAborted();
    throw new AdapterFetchError(`the adapter's module failed: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * A record's fields from the module, or the record itself. Data that the metadata would refuse is refused
 * here.
 */
function fieldsOf(module: AdapterModule, row: unknown): Record<string, unknown> {
  try {
    const fields: unknown = JSON.parse(
      JSON.stringify(module.transform ? module.transform(row) : row) ?? 'null',
    );
    if (!isObject(fields)) throw new Error('a record is not an object');
    return fields;
  } catch (error) {
    throw new AdapterTransformError(messageOf(error), { cause: error });
  }
}
