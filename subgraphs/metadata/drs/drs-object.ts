// Derives a DRS object from an entity's fields by convention (docs/drs.md lists them); an entity without size
// or checksum is not one.
import { type EntityData, ownValue } from '../schema-model/entity-type.ts';
import { type Checksum, checksumsOf } from './checksums.ts';

export interface AccessMethod {
  readonly type: string;
  readonly accessUrl: { readonly url: string };
}

/** The description of a file in an entity's data. */
export interface FileDescription {
  readonly size: number;
  readonly checksums: readonly Checksum[];
  readonly name: string | null;
  readonly mimeType: string | null;
  readonly description: string | null;
  readonly accessMethods: readonly AccessMethod[] | null;
}

const SIZE = ['size', 'size_bytes', 'file_size'];
const NAME = ['name', 'file_name', 'filename'];
const MIME = ['mime_type', 'media_type', 'content_type'];
const PLACE = ['uri', 'uris', 'url', 'access_url', 'file_uri', 'location'];

/**
 * URI schemes that DRS accepts as access methods; bytes cannot be fetched by others (`http`, `drs`, …) under
 * it.
 */
const METHODS = new Set(['s3', 'gs', 'ftp', 'gsiftp', 'globus', 'htsget', 'https', 'file']);

function first<Value>(
  data: EntityData,
  names: readonly string[],
  fits: (value: unknown) => value is Value,
): Value | null {
  for (const name of names) {
    const value = ownValue(data, name);
    if (fits(value)) return value;
  }
  return null;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function accessMethodsOf(data: EntityData): AccessMethod[] | null {
  const places = new Set(
    PLACE.flatMap((name): unknown[] => {
      const value = ownValue(data, name);
      return Array.isArray(value) ? value : [value];
    }).filter(isText),
  );
  const methods = [...places].flatMap((url): AccessMethod[] => {
    const type = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(url)?.[1]?.toLowerCase() ?? '';
    return METHODS.has(type) ? [{ type, accessUrl: { url } }] : [];
  });
  return methods.length === 0 ? null : methods;
}

/** Null for data without size or checksum (docs/reference/metadata.md#drs-objects). */
export function fileOf(data: EntityData): FileDescription | null {
  const size = first(data, SIZE, isSize);
  const checksums = checksumsOf(data);
  if (size === null || checksums.length === 0) return null;
  return {
    size,
    checksums,
    name: first(data, NAME, isText),
    mimeType: first(data, MIME, isText),
    description: first(data, ['description'], isText),
    accessMethods: accessMethodsOf(data),
  };
}
