// Password hashes: scrypt with its parameters beside the hash, so that they can be raised later.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/**
 * `ln` is the binary logarithm of N. 32 MiB and some tenths of a second: according to OWASP equivalent to N =
 * 2^17, p = 1, with less memory per attempt.
 */
const CURRENT = { ln: 15, r: 8, p: 3 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** The PHC string format: `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`. */
const FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

interface Cost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** Different keyboards may produce different code points: passwords are normalised. */
const derive = (password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const N = 2 ** ln;
    scrypt(password.normalize('NFC'), salt, HASH_BYTES, { N, r, p, maxmem: 256 * N * r }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const { ln, r, p } = CURRENT;
  return `$scrypt$ln=${ln},r=${r},p=${p}$${unpadded(salt)}$${unpadded(await derive(password, salt, CURRENT))}`;
}

/**
 * Whether the password matches; an invalid stored hash matches none. Takes as long as the hash's parameters
 * require.
 */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [, ln, r, p, salt = '', hash = ''] = FORM.exec(stored) ?? [];
  if (ln === undefined) return false;
  const expected = Buffer.from(hash, 'base64');
  const found = await derive(password, Buffer.from(salt, 'base64'), {
    ln: Number(ln),
    r: Number(r),
    p: Number(p),
  });
  return expected.length === found.length && timingSafeEqual(expected, found);
}

/** The hash for unknown accounts, so that an attempt takes as long as any other. */
export const NOBODYS_HASH = `$scrypt$ln=${CURRENT.ln},r=${CURRENT.r},p=${CURRENT.p}$${unpadded(Buffer.alloc(SALT_BYTES))}$${unpadded(Buffer.alloc(HASH_BYTES))}`;
