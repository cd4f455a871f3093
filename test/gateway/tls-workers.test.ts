// TLS with several workers (docs/reference/gateway.md#tls): each takes a new certificate by itself.
import { readFileSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import tls from 'node:tls';
import { expect, test } from 'vitest';
import { makeCertificate, useCertificate } from '../testkit/certificates.ts';
import { freshDatabase } from '../testkit/database.ts';
import { scratchDirectory } from '../testkit/scratch-space.ts';
import { startProcess } from '../testkit/server-process.ts';
import { eventually } from '../workflow/workflow-server.ts';

const folder = scratchDirectory('tls-workers');
const file = (name: string): string => path.join(folder, name);
const ORIGIN = 'https://app.example.org';
const workersOf = (pid: number): string =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').sort().join(' ');

/** Of each of more new connections than there are workers, once where they are the same. */
const ofAll = async (one: () => Promise<string>): Promise<readonly string[]> => [
  ...new Set(await Promise.all(Array.from({ length: 12 }, one))),
];
/** Who answers. */
const peers = (port: number): Promise<readonly string[]> =>
  ofAll(
    () =>
      new Promise<string>((resolve, reject) => {
        const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
          resolve(String(socket.getPeerCertificate().subject.CN));
          socket.destroy();
        });
        socket.on('error', reject);
      }),
  );
/** Which origin of another site they let in. */
const origins = (port: number): Promise<readonly string[]> =>
  ofAll(
    () =>
      new Promise<string>((resolve, reject) => {
        const headers = { origin: ORIGIN };
        const asked = { port, host: '127.0.0.1', path: '/livez', headers, agent: false };
        https
          .get({ ...asked, rejectUnauthorized: false }, (answer) => {
            answer.resume();
            resolve(String(answer.headers['access-control-allow-origin'] ?? 'none'));
          })
          .on('error', reject);
      }),
  );

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

test('a certificate alone is not all that is new after a reload that failed half way, or with an edited module', async () => {
  await using database = await freshDatabase();
  makeCertificate(folder, 'first');
  makeCertificate(folder, 'second');
  useCertificate(folder, 'first');
  const allowLoads = (most: number): void => writeFileSync(file('most'), String(most));
  // each worker loads it once
  const module = (version: number): void =>
    writeFileSync(
      file('validator.mjs'),
      `import { appendFileSync, readFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(file('loads'))}, 'x');
if (readFileSync(${JSON.stringify(file('loads'))}).length > Number(readFileSync(${JSON.stringify(file('most'))})))
  throw new Error('too often');
export default { validate: () => [], version: ${version} };
`,
    );
  const configure = (more: string): void =>
    writeFileSync(
      file('gateway.yaml'),
      `server: {workers: 2, tls: {certificate: in-use.pem, key: in-use.key}}\nmetadata: {validators: [{module: validator.mjs}]}\n${more}`,
    );
  allowLoads(3);
  module(1);
  configure('');
  const server = await startProcess({
    dataDir: path.join(folder, 'half-way'),
    env: { CAIRN_CONFIG: file('gateway.yaml'), DATABASE_URL: database.url },
  });
  try {
    const port = Number(new URL(server.url).port);
    const outcomes: string[] = [];
    const reload = async (outcome: string): Promise<void> => {
      outcomes.push(outcome);
      process.kill(server.pid, 'SIGHUP');
      expect(
        await eventually(
          async () => server.log().match(/was (?:not )?reloaded/g) ?? [],
          (lines) => lines.length === outcomes.length,
          90_000, // two workers start, one after the other
        ),
      ).toEqual(outcomes);
    };
    configure(`cors: {allowed_origins: ["${ORIGIN}"]}\n`);
    await reload('was not reloaded'); // the second worker cannot be replaced
    expect([...(await origins(port))].sort()).toEqual([ORIGIN, 'none'].sort());
    allowLoads(99);
    configure(''); // as it was when all had the same
    useCertificate(folder, 'second');
    await reload('was reloaded');
    expect(await origins(port)).toEqual(['none']);
    expect(await peers(port)).toEqual(['second']);

    const before = workersOf(server.pid);
    useCertificate(folder, 'first');
    module(2);
    await reload('was reloaded');
    expect(await peers(port)).toEqual(['first']);
    const after = workersOf(server.pid).split(' ');
    expect(before.split(' ').filter((pid) => after.includes(pid))).toEqual([]);
  } finally {
    expect(await server.end('SIGTERM')).toBe(0);
  }
});
