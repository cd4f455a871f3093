// From an adapter's definition to its stream of records.
import type { Config } from '../../../platform/config/load-config.ts';
import { AdapterFetchError, type ReadRecords } from './adapter.ts';
import { type MapRecord, recordMapper } from './map-record.ts';
import { takesSince } from './open-source.ts';
import { delimitedReader } from './read-delimited.ts';
import { jsonLinesReader, jsonReader } from './read-json.ts';

type WithoutOrigin<T> = T extends unknown ? Omit<T, 'origin'> : never;

/** An adapter of the configuration; where in the file it stands is of no interest here. */
export type ConfiguredAdapter = WithoutOrigin<Config['workflow']['adapters'][number]>;

export interface OpenAdapter {
  readonly name: string;
  readonly entityType: string;
  /** Whether it can pull what has changed since a time. */
  readonly incremental: boolean;
  readonly read: ReadRecords;
  readonly map: MapRecord;
}

/** Types of adapter that this version can pull from. */
export const READABLE_TYPES = ['csv', 'tsv', 'json', 'jsonl'] as const;
type Readable = Extract<ConfiguredAdapter, { type: (typeof READABLE_TYPES)[number] }>;

const isReadable = (adapter: ConfiguredAdapter): adapter is Readable => (READABLE_TYPES as readonly string[]).includes(adapter.type);

function readerOf(adapter: Readable): ReadRecords {
  switch (adapter.type) {
    case 'csv': return delimitedReader(adapter, ',');
    case 'tsv': return delimitedReader(adapter, '\t');
    case 'json': return jsonReader(adapter);
    case 'jsonl': return jsonLinesReader(adapter);
    default: return adapter satisfies never;
  }
}

/** @throws AdapterFetchError for a type that cannot be pulled from */
export function openAdapter(adapter: ConfiguredAdapter): OpenAdapter {
  if (!isReadable(adapter)) throw new AdapterFetchError(`adapters of type ${adapter.type} cannot be pulled from in this version`);
  return { name: adapter.name, entityType: adapter.entityType, incremental: takesSince(adapter), read: readerOf(adapter), map: recordMapper(adapter.map) };
}
