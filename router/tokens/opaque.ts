// Opaque credentials: 256 random bits behind a prefix that says what they are, stored as SHA-256 only.
import { createHash, randomBytes } from 'node:crypto';

export interface Opaque {
  readonly text: string;
  readonly hash: Buffer;
}

/** All that is stored of one. A plain hash suffices: nobody guesses 256 random bits. */
export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

export function generate(prefix: 'rt_' | 'dc_' | 'ac_'): Opaque {
  const text = prefix + randomBytes(32).toString('base64url');
  return { text, hash: hashOf(text) };
}
