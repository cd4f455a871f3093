// Encryption of backups by the format age (age-encryption.org/v1): what is sealed here is opened by any program that
// knows it.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { DomainError } from '../../platform/errors.ts';
import { BlobMissing, type Blobs } from './blobs.ts';

/** What the operator gives. */
export interface Secrets {
  readonly passphrase?: string | undefined;
  /** `age1…`: whose identities open it. */
  readonly recipients?: readonly string[] | undefined;
  /** `AGE-SECRET-KEY-…` */
  readonly identities?: readonly string[] | undefined;
  /** What is not encrypted is read all the same. */
  readonly allowUnencrypted?: boolean | undefined;
}

/**
 * Who can write to a place could put something there that is not encrypted, instead of what was.
 * @throws DomainError `validation_failed` where a secret was given that nothing would be opened by
 */
export function assertMayBeUnsealed(
  { passphrase, identities = [], allowUnencrypted }: Secrets,
  what: string,
): void {
  if (allowUnencrypted === true || (passphrase === undefined && identities.length === 0)) return;
  throw new DomainError(
    'validation_failed',
    `${what} is not encrypted, although a passphrase or an identity was given: somebody else may have put it there; allow it by --allow-unencrypted if it is yours`,
  );
}

/** Seals what is written. */
export interface Sealer {
  seal(content: Readable): Promise<Readable>;
  /** Names those who can open it; what others can open is kept apart. */
  readonly mark: string;
}

/** Opens what was sealed. */
export interface Opener {
  open(content: Readable): Promise<Readable>;
}

/** Of a passphrase's place: an identity, sealed by the passphrase. A passphrase takes a second for each that it opens. */
const KEY = 'key.age';
export const SEALED_BEGINNING = Buffer.from('age-encryption.org/');

const webOf = (content: Readable): ReadableStream<Uint8Array> => Readable.toWeb(content);
const nodeOf = (content: ReadableStream<Uint8Array>): Readable => Readable.fromWeb(content);

const notOpened = (cause: unknown): DomainError =>
  new DomainError(
    'validation_failed',
    'the backup is not opened by this passphrase or identity, or is damaged',
    {},
    { cause },
  );

const sealerBy = (encrypter: Encrypter, mark: string): Sealer => ({
  mark,
  seal: async (content) => nodeOf(await encrypter.encrypt(webOf(content))),
});

const openerBy = (decrypter: Decrypter): Opener => ({
  async open(content) {
    try {
      return nodeOf(await decrypter.decrypt(webOf(content)));
    } catch (cause) {
      content.destroy();
      throw notOpened(cause);
    }
  },
});

/** @throws DomainError `invalid_request` */
function forRecipients(recipients: readonly string[]): Sealer {
  const encrypter = new Encrypter();
  for (const recipient of recipients)
    try {
      encrypter.addRecipient(recipient);
    } catch (cause) {
      throw new DomainError(
        'invalid_request',
        `${recipient} is not a recipient of age (age1…)`,
        {},
        { cause },
      );
    }
  const mark = createHash('sha256')
    .update([...recipients].sort().join())
    .digest('hex')
    .slice(0, 16);
  return sealerBy(encrypter, mark);
}

function byIdentities(identities: readonly string[]): Opener {
  const decrypter = new Decrypter();
  for (const identity of identities)
    try {
      decrypter.addIdentity(identity);
    } catch (cause) {
      throw new DomainError(
        'invalid_request',
        'the identity is not one of age (AGE-SECRET-KEY-…)',
        {},
        { cause },
      );
    }
  return openerBy(decrypter);
}

/** Of one file, by the passphrase itself. */
export function fileSealer({ passphrase, recipients = [] }: Secrets): Sealer | undefined {
  if (recipients.length > 0) return forRecipients(recipients);
  if (passphrase === undefined) return undefined;
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  return sealerBy(encrypter, 'passphrase');
}

/** @throws DomainError `invalid_request` where nothing was given that could open it */
export function fileOpener({ passphrase, identities = [] }: Secrets): Opener {
  if (identities.length > 0) return byIdentities(identities);
  if (passphrase === undefined)
    throw new DomainError(
      'invalid_request',
      'the backup is encrypted: give its passphrase in CAIRN_BACKUP_PASSPHRASE, or its identity with --identity',
    );
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  return openerBy(decrypter);
}

async function identityOf(blobs: Blobs, passphrase: string): Promise<string | null> {
  try {
    const decrypter = new Decrypter();
    decrypter.addPassphrase(passphrase);
    const sealed = await buffer(await blobs.read(KEY));
    return await decrypter.decrypt(sealed, 'text').catch((cause: unknown) => {
      throw notOpened(cause);
    });
  } catch (fault) {
    if (fault instanceof BlobMissing) return null;
    throw fault;
  }
}

/** Of a place with many entries; undefined where nothing is to be sealed. */
export async function placeSealer(blobs: Blobs, secrets: Secrets): Promise<Sealer | undefined> {
  const { passphrase, recipients = [] } = secrets;
  if (recipients.length > 0 || passphrase === undefined) return fileSealer(secrets);
  let identity = await identityOf(blobs, passphrase);
  if (identity === null) {
    identity = await generateX25519Identity();
    const encrypter = new Encrypter();
    encrypter.setPassphrase(passphrase);
    await blobs.write(KEY, Readable.from([Buffer.from(await encrypter.encrypt(identity))]));
  }
  return forRecipients([await identityToRecipient(identity)]);
}

/** @throws DomainError where nothing was given that opens it */
export async function placeOpener(blobs: Blobs, secrets: Secrets): Promise<Opener> {
  const { passphrase, identities = [] } = secrets;
  if (identities.length > 0 || passphrase === undefined) return fileOpener(secrets);
  const identity = await identityOf(blobs, passphrase);
  if (identity === null)
    throw new DomainError(
      'invalid_request',
      'the backup was encrypted for recipients: give an identity with --identity',
    );
  return byIdentities([identity]);
}
