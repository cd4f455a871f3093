// The public address of a file in the artifact store, and how the file is recognised by one. The hash in the
// address is what counts, so addresses stay good when the server's name or the store's place changes.

const PATH = '/api/v1/artifact/files/';
const HASH = /^(?:sha256:)?([0-9a-f]{64})$/;

/** Of this server, of another one, or of this one under another name. */
const PUBLIC = /^https?:\/\/[^\s?#]+\/api\/v1\/artifact\/files\/(?:sha256:)?([0-9a-f]{64})$/i;
/** As entities had them before: a path in a store's directory, or a key in its bucket. */
const IN_DIRECTORY = /^file:\/\/[^?#]*\/sha256\/([0-9a-f]{2})\/([0-9a-f]{2})\/(\1\2[0-9a-f]{60})$/;
const IN_BUCKET = /^s3:\/\/[^/?#]+\/(?:[^?#]*[^0-9a-f?#])?([0-9a-f]{2})\/([0-9a-f]{2})\/(\1\2[0-9a-f]{60})$/;

/** @param hash `sha256:<hex>` @param publicUrl without a trailing slash */
export const storedFileAddress = (publicUrl: string, hash: string): string =>
  publicUrl + PATH + (HASH.exec(hash)?.[1] ?? hash);

/** `sha256:<hex>` of the stored file that an address names; null where it names none. */
export function storedHashIn(address: string): string | null {
  const hex = PUBLIC.exec(address)?.[1] ?? IN_DIRECTORY.exec(address)?.[3] ?? IN_BUCKET.exec(address)?.[3];
  return hex === undefined ? null : `sha256:${hex.toLowerCase()}`;
}
