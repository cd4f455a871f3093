// The files of server.tls (docs/reference/gateway.md#tls): which are taken, and what is said of those that are not.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type LogFn, pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeCertificate, openssl } from '../testkit/certificates.ts';
import { scratchDirectory } from '../testkit/scratch-space.ts';
import { expiryOf, readTls } from '../../platform/tls/read-tls.ts';

const folder = scratchDirectory('read-tls');
const file = (name: string): string => path.join(folder, name);
makeCertificate(folder, 'ec');
makeCertificate(folder, 'rsa', ['-newkey', 'rsa:2048']);
makeCertificate(folder, 'weak', ['-newkey', 'rsa:512']);

const warned: string[] = [];
const log = pino({ level: 'silent' });
log.warn = ((_: object, message: string) => warned.push(message)) as unknown as LogFn; // it is called with both

const read = (certificate: string, key: string) =>
  readTls({ certificate: file(certificate), key: file(key) }, log);

test('keys may be EC or RSA, and the certificate may have its chain, or its key, in one file', async () => {
  writeFileSync(
    file('chain.pem'),
    readFileSync(file('ec.pem'), 'utf8') + readFileSync(file('rsa.pem'), 'utf8'),
  );
  writeFileSync(
    file('both.pem'),
    readFileSync(file('ec.key'), 'utf8') + readFileSync(file('ec.pem'), 'utf8'),
  );
  chmodSync(file('both.pem'), 0o600);
  for (const [certificate, key] of [
    ['ec.pem', 'ec.key'],
    ['rsa.pem', 'rsa.key'],
    ['chain.pem', 'ec.key'],
    ['both.pem', 'both.pem'],
  ] as const)
    expect(await read(certificate, key)).toEqual({
      cert: readFileSync(file(certificate), 'utf8'),
      key: readFileSync(file(key), 'utf8'),
    });
  expect(warned).toEqual([]);
  expect(expiryOf(await read('ec.pem', 'ec.key')) - Date.now() / 1000).toBeCloseTo(2 * 86_400, -3);
});

test('what cannot be served with is refused by the name of its file', async () => {
  openssl('ec', '-in', file('ec.key'), '-aes256', '-passout', 'pass:x', '-out', file('sealed.key'));
  writeFileSync(file('empty.pem'), '');
  await expect(read('none.pem', 'ec.key')).rejects.toThrow(/^server\.tls\.certificate: .*none\.pem: ENOENT/);
  await expect(read('ec.pem', 'none.key')).rejects.toThrow(/^server\.tls\.key: .*none\.key: ENOENT/);
  await expect(read('empty.pem', 'ec.key')).rejects.toThrow(
    /certificate: .*empty\.pem: no certificate in the format PEM/,
  );
  await expect(read('ec.key', 'ec.key')).rejects.toThrow(/no certificate in the format PEM/);
  await expect(read('ec.pem', 'ec.pem')).rejects.toThrow(/key: .*ec\.pem: no private key/);
  await expect(read('ec.pem', 'sealed.key')).rejects.toThrow(/key: .*sealed\.key: .*without a passphrase/);
  await expect(read('ec.pem', 'rsa.key')).rejects.toThrow(
    /key: .*rsa\.key: not the key of the first certificate in .*ec\.pem/,
  );
  await expect(read('weak.pem', 'weak.key')).rejects.toThrow(
    /certificate: .*weak\.pem: not to be served with/,
  );
});

test('a certificate that is over, and a key that everybody reads, are warned of', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect(await read('ec.pem', 'ec.key')).toMatchObject({ key: readFileSync(file('ec.key'), 'utf8') });
  vi.useRealTimers();
  chmodSync(file('ec.key'), 0o644);
  await read('ec.pem', 'ec.key');
  expect(warned).toEqual([
    'the certificate of server.tls is not valid now',
    'every account of this machine can read the key of server.tls',
  ]);
});
