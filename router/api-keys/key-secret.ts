// API keys as text: `sk_`, 256 random bits, and a checksum that detects a typo without a look-up
// (docs/reference/gateway.md#api-keys).
import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'sk_';
const RANDOM_BYTES = 32;
/** Characters of base64url for the random bytes and for the checksum (36 bits). */
const RANDOM_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${PREFIX}[A-Za-z0-9_-]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
const checksum = (text: string): string =>
  sha256(`cairn api key ${text}`).toString('base64url').slice(0, CHECKSUM_LENGTH);

export function generateSecret(): string {
  const random = PREFIX + randomBytes(RANDOM_BYTES).toString('base64url');
  return random + checksum(random);
}

export const generateKeyId = (): string => `key_${randomBytes(12).toString('hex')}`;

export const looksLikeKey = (credential: string): boolean => credential.startsWith(PREFIX);

/** Whether a text has the form and checksum of a secret. */
export const isSound = (secret: string): boolean =>
  FORM.test(secret) && checksum(secret.slice(0, -CHECKSUM_LENGTH)) === secret.slice(-CHECKSUM_LENGTH);

/** The stored hash of a secret. A plain hash suffices for 256 random bits. */
export const hashSecret = (secret: string): Buffer => sha256(secret);
