// What age-encryption takes for scrypt in tests (typescript-hooks.mjs): of Node, which takes three fourths of the time that
// JavaScript takes, and derived once for each passphrase and salt: every opening of one backup derives the same key.
import { createHash, scryptSync } from 'node:crypto';

const derived = new Map();

/** As of @noble/hashes. */
export function scrypt(password, salt, { N, r, p, dkLen }) {
  const key = createHash('sha256')
    .update(JSON.stringify([String(password), [...salt], N, r, p, dkLen]))
    .digest('hex');
  if (!derived.has(key)) derived.set(key, scryptSync(password, salt, dkLen, { N, r, p, maxmem: 2 ** 30 }));
  return new Uint8Array(derived.get(key));
}
