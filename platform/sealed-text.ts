// Seals what a caller carries from one answer to the next, but may not read or make: positions in the log count what others
// write (docs/decisions/0217-cursors-are-sealed.md). AES-256-GCM, with a key of the database, which all processes share.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { Queryable } from './queryable.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;

/** Of a process without a database, which alone reads what it has sealed. */
let key: Uint8Array = randomBytes(32);

/** Has to be done before anything is sealed. */
export async function readSealingKey(db: Queryable): Promise<void> {
  const {
    rows: [row],
  } = await db.query<{ key: Buffer }>('SELECT key FROM gateway.cursor_key');
  if (row === undefined) throw new Error('gateway.cursor_key has no row: restore it, or the database');
  ({ key } = row);
}

function sealWith(nonce: Uint8Array, text: string): string {
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
}

/** Equal texts alike, so that an answer that is given again is the same: its nonce is made of the text, as in RFC 5297. */
export const seal = (text: string): string =>
  sealWith(createHmac('sha256', key).update(text).digest().subarray(0, NONCE), text);

/** Never the same twice: whether two positions of the log are equal would also count what others write. */
export const sealAnew = (text: string): string => sealWith(randomBytes(NONCE), text);

/** Null for what was not sealed with the key of this deployment. */
export function unseal(sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < NONCE + TAG || bytes.toString('base64url') !== sealed) return null;
  const end = bytes.length - TAG;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAuthTag(bytes.subarray(end));
  const text = decipher.update(bytes.subarray(NONCE, end), undefined, 'utf8');
  try {
    return text + decipher.final('utf8');
  } catch {
    return null; // another key, or altered: the only fault that `final` has
  }
}
