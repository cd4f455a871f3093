// Checksums in an entity's fields: their names and formats, and how an entity is found by one.
import { type EntityData, ownValue } from '../schema-model/entity-type.ts';

export interface Checksum {
  readonly type: string;
  readonly checksum: string;
}

/** Names of fields that contain a checksum of one type, with the type's name as IANA or GA4GH spell it. */
const TYPE_BY_FIELD: Readonly<Record<string, string>> = {
  sha256: 'sha-256',
  'sha-256': 'sha-256',
  sha_256: 'sha-256',
  checksum_sha256: 'sha-256',
  sha512: 'sha-512',
  'sha-512': 'sha-512',
  sha_512: 'sha-512',
  checksum_sha512: 'sha-512',
  sha1: 'sha1',
  'sha-1': 'sha1',
  sha_1: 'sha1',
  checksum_sha1: 'sha1',
  md5: 'md5',
  md5sum: 'md5',
  checksum_md5: 'md5',
  crc32c: 'crc32c',
  etag: 'etag',
};
const TYPE_BY_LENGTH: Readonly<Record<number, string>> = {
  32: 'md5',
  40: 'sha1',
  64: 'sha-256',
  128: 'sha-512',
};
const HEX = /^[0-9A-Fa-f]+$/;
const NAMED = /^([A-Za-z][A-Za-z0-9_-]{1,30})[:$]([0-9A-Za-z+/=_-]{1,256})$/;

/** `SHA256` → `sha-256`; an unknown name stays unchanged. */
function typeNamed(name: string): string {
  const lower = name.toLowerCase();
  return Object.hasOwn(TYPE_BY_FIELD, lower) ? (TYPE_BY_FIELD[lower] ?? lower) : lower;
}

/**
 * A checksum that names its type: `sha256:ab12…`, `sha1$ab12…` (as in CWL), or hexadecimal digits whose
 * length determines the type.
 */
export function readChecksum(text: string): Checksum | null {
  const [, name, rest] = NAMED.exec(text) ?? [];
  if (name !== undefined && rest !== undefined) return { type: typeNamed(name), checksum: rest };
  const type = HEX.test(text) ? TYPE_BY_LENGTH[text.length] : undefined;
  return type === undefined ? null : { type, checksum: text };
}

const isRecord = (value: unknown): value is EntityData =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Empty texts say nothing. */
export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function fromPair(value: unknown): Checksum[] {
  if (isText(value)) return fromText(value, undefined);
  if (!isRecord(value)) return [];
  const [type, checksum] = [ownValue(value, 'type'), ownValue(value, 'checksum') ?? ownValue(value, 'value')];
  return isText(type) && isText(checksum) ? [{ type: typeNamed(type), checksum }] : [];
}

function fromText(value: unknown, type: unknown): Checksum[] {
  if (!isText(value)) return [];
  const read = readChecksum(value);
  if (isText(type)) return [{ type: typeNamed(type), checksum: read?.checksum ?? value }];
  return read ? [read] : [];
}

/**
 * Every checksum of the data, one for each type: fields named after a type (`sha256`, `md5`, …), `checksum`
 * (with `checksum_type` or naming its type itself), `checksums` as a list of `{type, checksum}`, of texts, or
 * as an object by type.
 */
export function checksumsOf(data: EntityData): Checksum[] {
  const several = ownValue(data, 'checksums');
  const found: Checksum[] = [
    ...(Array.isArray(several) ? several.flatMap(fromPair) : []),
    ...(isRecord(several)
      ? Object.keys(several).flatMap((name) => fromText(ownValue(several, name), name))
      : []),
    ...fromText(ownValue(data, 'checksum'), ownValue(data, 'checksum_type')),
    ...Object.keys(data).flatMap((name) =>
      Object.hasOwn(TYPE_BY_FIELD, name) ? fromText(ownValue(data, name), name) : [],
    ),
  ];
  return [...new Map(found.reverse().map((c) => [c.type, c])).values()].reverse();
}

/** Shapes of data that contain the checksum, for containment look-ups through the index. */
export function shapesHolding({ type, checksum }: Checksum): EntityData[] {
  const names = [
    ...Object.keys(TYPE_BY_FIELD).filter((name) => TYPE_BY_FIELD[name] === type),
    ...(Object.hasOwn(TYPE_BY_FIELD, type) ? [] : [type]),
  ];
  const values = [...new Set([checksum, checksum.toLowerCase(), checksum.toUpperCase()])];
  return values.flatMap((value): EntityData[] => {
    const written = [value, ...names.flatMap((name) => [`${name}:${value}`, `${name}$${value}`])];
    return [
      ...names.flatMap((name): EntityData[] => [
        ...(Object.hasOwn(TYPE_BY_FIELD, name) ? [{ [name]: value }] : []),
        { checksums: { [name]: value } },
        { checksums: [{ type: name, checksum: value }] },
        { checksum: value, checksum_type: name },
      ]),
      ...written.flatMap((text): EntityData[] => [{ checksum: text }, { checksums: [text] }]),
    ];
  });
}
