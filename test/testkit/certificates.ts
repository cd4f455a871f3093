// Certificates that sign themselves, made by openssl.
import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import path from 'node:path';

export const openssl = (...args: readonly string[]): void => {
  execFileSync('openssl', args, { stdio: 'pipe' });
};

const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];

/** Makes `<name>.pem` and `<name>.key` in the folder, for loopback or what is said. */
export function makeCertificate(
  folder: string,
  name: string,
  algorithm: readonly string[] = EC,
  names = 'IP:127.0.0.1',
): void {
  openssl(
    ...['req', '-x509', ...algorithm, '-nodes', '-days', '2'],
    ...['-subj', `/CN=${name}`, '-addext', `subjectAltName=${names}`],
    ...['-keyout', path.join(folder, `${name}.key`), '-out', path.join(folder, `${name}.pem`)],
  );
}

/** Has `in-use.pem` and `in-use.key` be those of the names. */
export function useCertificate(folder: string, certificate: string, key = certificate): void {
  copyFileSync(path.join(folder, `${certificate}.pem`), path.join(folder, 'in-use.pem'));
  copyFileSync(path.join(folder, `${key}.key`), path.join(folder, 'in-use.key'));
}
