// Reads the certificate and the key of `server.tls`, and checks that they can be served with
// (docs/reference/gateway.md#tls).
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import tls from 'node:tls';
import type { Logger } from 'pino';

/** Files in the format PEM: the certificate with those between it and the root, and its private key. */
interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
}

/** What the files had, as it travels to workers too. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

const READABLE_BY_ALL = 0o004;

/** What is expected of the file, where it says nothing else. @throws Error that says so */
function parsed<Result>(expected: string, parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    throw new Error(`${expected} (${(error as Error).message})`, { cause: error }); // of node:crypto or node:tls
  }
}

/** @throws Error that names the key of the configuration, its file and the fault */
async function checked<Result>(name: string, file: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw new Error(`server.tls.${name}: ${file}: ${(error as Error).message}`, { cause: error }); // of node:fs, or ours
  }
}

/** @throws Error if they cannot be read or do not belong together */
export async function readTls({ certificate, key: keyFile }: TlsFiles, log: Logger): Promise<TlsPair> {
  const { cert, first } = await checked('certificate', certificate, async () => {
    const text = await readFile(certificate, 'utf8');
    return { cert: text, first: parsed('no certificate in the format PEM', () => new X509Certificate(text)) };
  });
  const key = await checked('key', keyFile, async () => {
    const text = await readFile(keyFile, 'utf8');
    const own = parsed('no private key in the format PEM without a passphrase', () => createPrivateKey(text));
    if (!first.checkPrivateKey(own))
      throw new Error(`not the key of the first certificate in ${certificate}`);
    return text;
  });
  // OpenSSL has its own idea of those that follow, and of keys that are too weak
  await checked('certificate', certificate, async () =>
    parsed('not to be served with', () => tls.createSecureContext({ cert, key })),
  );
  const { mode } = await stat(keyFile);
  if ((mode & READABLE_BY_ALL) !== 0)
    log.warn({ file: keyFile }, 'every account of this machine can read the key of server.tls');
  const { subject, validFrom, validTo } = first;
  const isValid = Date.parse(validFrom) <= Date.now() && Date.now() < Date.parse(validTo);
  log[isValid ? 'info' : 'warn'](
    { subject, validFrom, validTo },
    isValid ? 'the certificate of server.tls was read' : 'the certificate of server.tls is not valid now',
  );
  return { cert, key };
}

/** When the certificate ends, in seconds since 1970. */
export const expiryOf = ({ cert }: TlsPair): number => Date.parse(new X509Certificate(cert).validTo) / 1000;

export const isSamePair = (one: TlsPair | undefined, other: TlsPair | undefined): boolean =>
  one?.cert === other?.cert && one?.key === other?.key;
