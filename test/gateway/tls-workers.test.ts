// TLS with several workers (docs/reference/gateway.md#tls): each takes a new certificate by itself.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import tls from 'node:tls';
import { expect, test } from 'vitest';
import { makeCertificate, useCertificate } from '../testkit/certificates.ts';
import { freshDatabase } from '../testkit/database.ts';
import { scratchDirectory } from '../testkit/scratch-space.ts';
import { startProcess } from '../testkit/server-process.ts';
import { eventually } from '../workflow/workflow-server.ts';

const folder = scratchDirectory('tls-workers');
const workersOf = (pid: number): string =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').sort().join(' ');

/** Who answers new connections: more of them than there are workers. */
async function peers(port: number): Promise<readonly string[]> {
  const names = Array.from(
    { length: 12 },
    () =>
      new Promise<string>((resolve, reject) => {
        const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
          resolve(String(socket.getPeerCertificate().subject.CN));
          socket.destroy();
        });
        socket.on('error', reject);
      }),
  );
  return [...new Set(await Promise.all(names))];
}

test('all workers serve a new certificate after SIGHUP, and the next ones do, while none is replaced', async () => {
  await using database = await freshDatabase();
  makeCertificate(folder, 'first');
  makeCertificate(folder, 'second');
  useCertificate(folder, 'first');
  const config = path.join(folder, 'gateway.yaml');
  writeFileSync(config, 'server: {workers: 2, tls: {certificate: in-use.pem, key: in-use.key}}\n');
  const server = await startProcess({
    dataDir: folder,
    env: { CAIRN_CONFIG: config, DATABASE_URL: database.url },
  });
  try {
    const port = Number(new URL(server.url).port);
    const reloaded = (times: number) =>
      eventually(
        async () => server.log().match(/was (?:not )?reloaded/g) ?? [],
        (lines) => lines.length === times,
      );
    expect(server.url).toMatch(/^https:/);
    const before = workersOf(server.pid);
    expect(before.split(' ')).toHaveLength(2);
    expect(await peers(port)).toEqual(['first']);

    useCertificate(folder, 'second', 'first');
    process.kill(server.pid, 'SIGHUP');
    expect(await reloaded(1)).toEqual(['was not reloaded']);
    expect(await peers(port)).toEqual(['first']);
    useCertificate(folder, 'second');
    process.kill(server.pid, 'SIGHUP');
    expect(await reloaded(2)).toEqual(['was not reloaded', 'was reloaded']);
    expect(await peers(port)).toEqual(['second']);
    expect(workersOf(server.pid)).toBe(before);

    process.kill(Number(before.split(' ')[0]), 'SIGKILL');
    await eventually(
      async () => workersOf(server.pid),
      (now) => now !== before && now.split(' ').length === 2 && server.log().includes('has replaced one'),
    );
    expect(await peers(port)).toEqual(['second']);
  } finally {
    expect(await server.end('SIGTERM')).toBe(0);
  }
});
