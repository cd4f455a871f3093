// A password that was just set is not derived again where it is checked: scrypt is a pure function, and takes 0.3 s of
// a processor with the product's parameters, which stay. Each wrong password takes its time.
import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type Done = (error: Error | null, key: Buffer) => void;

const derive = crypto.scrypt;
const textOf = (value: BinaryLike): string =>
  typeof value === 'string'
    ? `text ${value}`
    : `bytes ${Buffer.from(value as Uint8Array).toString('base64')}`;

/** By salt: who sets a password draws one, and is the first to use it. */
const set = new Map<string, { readonly key: string; readonly derived: Promise<Buffer> }>();

/** The one salt that nobody draws: of the hash for accounts that do not exist. */
const isDrawn = (salt: BinaryLike): boolean =>
  typeof salt !== 'string' && Buffer.from(salt as Uint8Array).some((byte) => byte !== 0);

function remembered(password: BinaryLike, salt: BinaryLike, length: number, ...rest: unknown[]): void {
  const done = rest.pop() as Done;
  const [options = {}] = rest as [ScryptOptions?];
  const make = (): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      derive(password, salt, length, options, (error, key) => {
        if (error) reject(error);
        else resolve(key);
      });
    });
  const key = JSON.stringify([textOf(password), length, options]);
  let known = isDrawn(salt) ? set.get(textOf(salt)) : undefined;
  if (known === undefined && isDrawn(salt)) set.set(textOf(salt), (known = { key, derived: make() }));
  const derived = known?.key === key ? known.derived : make();
  derived.then(
    (found) => {
      done(null, Buffer.from(found));
    },
    (error: unknown) => {
      done(error as Error, Buffer.alloc(0));
    },
  );
}

const replaced = globalThis as { scryptIsRemembered?: true };
if (replaced.scryptIsRemembered === undefined) {
  crypto.scrypt = remembered;
  syncBuiltinESMExports();
}
replaced.scryptIsRemembered = true; // a worker runs this before each of its files
