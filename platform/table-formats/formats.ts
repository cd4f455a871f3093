// The formats of tables, by extension and by media type.
import type { IncomingMessage } from 'node:http';
import accepts from 'accepts';
import { arrow } from './arrow.ts';
import { csv } from './csv.ts';
import { ndjson } from './ndjson.ts';
import { parquet } from './parquet.ts';
import type { TableFormat } from './table.ts';
import { xlsx } from './xlsx.ts';

export const TABLE_FORMATS: readonly TableFormat[] = [csv, ndjson, arrow, parquet, xlsx];

const JSON_TYPE = 'application/json';
export const essence = ({ mediaType }: TableFormat): string => mediaType.split(';', 1)[0] ?? mediaType;
const TYPES = [JSON_TYPE, ...TABLE_FORMATS.map(essence)];

export const formatByExtension = (extension: string): TableFormat | null =>
  TABLE_FORMATS.find((format) => format.extension === extension) ?? null;

/**
 * What the request would rather have (RFC 9110, 12.5.1): a table, `json`, which is also the answer for any
 * type, or `nothing` of these.
 */
export function preferredFormat(req: IncomingMessage): TableFormat | 'json' | 'nothing' {
  const { accept } = req.headers;
  if (accept === undefined || accept === '*/*' || accept === JSON_TYPE) return 'json';
  const type = accepts(req).types(TYPES);
  if (type === false) return 'nothing';
  return TABLE_FORMATS.find((format) => essence(format) === type) ?? 'json';
}

/** Whether the request would rather have lines of JSON than one document of it. */
export const prefersLines = (req: IncomingMessage): boolean =>
  req.headers.accept !== undefined && accepts(req).types([JSON_TYPE, essence(ndjson)]) === essence(ndjson);
