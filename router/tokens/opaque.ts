// Opaque credentials: 256 random bits after a prefix that names their kind; only their SHA-256 is stored.
import { createHash, randomBytes } from 'node:crypto';

export interface Opaque {
  readonly text: string;
  readonly hash: Buffer;
}

/** The stored hash of one. A plain hash suffices for 256 random bits. */
export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

export function generate(prefix: 'rt_' | 'dc_' | 'ac_' | 'sl_'): Opaque {
  const text = prefix + randomBytes(32).toString('base64url');
  return { text, hash: hashOf(text) };
}
