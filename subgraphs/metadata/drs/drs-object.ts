// Derives a DRS object from an entity's fields by convention (docs/drs.md lists them); an entity without size
// or checksum is not one.
import { storedFileAddress, storedHashIn } from '../../../platform/stored-file-address.ts';
import { type EntityData, ownValue } from '../schema-model/entity-type.ts';
import { type Checksum, checksumsOf, isText } from './checksums.ts';

export interface AccessMethod {
  readonly type: string;
  /** Of a stored file: its hash. */
  readonly accessId: string | null;
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

const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** A stored file by its public address, which is `https` by DRS's name even where a server has no certificate. */
function accessMethodOf(address: string, publicUrl: string | null): AccessMethod | null {
  const hash = publicUrl === null ? null : storedHashIn(address);
  if (publicUrl !== null && hash !== null)
    return {
      type: 'https',
      accessId: hash.replace('sha256:', ''),
      accessUrl: { url: storedFileAddress(publicUrl, hash) },
    };
  const type = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(address)?.[1]?.toLowerCase() ?? '';
  return METHODS.has(type) ? { type, accessId: null, accessUrl: { url: address } } : null;
}

function accessMethodsOf(data: EntityData, publicUrl: string | null): AccessMethod[] | null {
  const places = new Set(
    PLACE.flatMap((name): unknown[] => {
      const value = ownValue(data, name);
      return Array.isArray(value) ? value : [value];
    }).filter(isText),
  );
  const methods = new Map(
    [...places].flatMap((address) => {
      const method = accessMethodOf(address, publicUrl);
      return method === null ? [] : [[method.accessUrl.url, method] as const];
    }),
  );
  return methods.size === 0 ? null : [...methods.values()];
}

/**
 * Null for data without size or checksum (docs/reference/metadata.md#drs-objects).
 * @param publicUrl the server's public address; null to leave addresses as they are
 */
export function fileOf(data: EntityData, publicUrl: string | null = null): FileDescription | null {
  const size = first(data, SIZE, isSize);
  const checksums = checksumsOf(data);
  if (size === null || checksums.length === 0) return null;
  return {
    size,
    checksums,
    name: first(data, NAME, isText),
    mimeType: first(data, MIME, isText),
    description: first(data, ['description'], isText),
    accessMethods: accessMethodsOf(data, publicUrl),
  };
}
