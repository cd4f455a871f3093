// TLS by Cairn itself (docs/reference/gateway.md#tls): what goes over it, limits before it, new files at a reload, and the end.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { pino } from 'pino';
import { beforeAll, afterAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { type Config, parseConfig } from '../../platform/config/load-config.ts';
import { type RunningPlatform, startPlatform } from '../../router/main.ts';
import { makeCertificate, useCertificate } from '../testkit/certificates.ts';
import { freshDatabase } from '../testkit/database.ts';
import { scratchDirectory } from '../testkit/scratch-space.ts';
import { eventually } from '../workflow/workflow-server.ts';

const folder = scratchDirectory('tls');
const file = (name: string): string => path.join(folder, name);
const use = (certificate: string, key?: string): void => useCertificate(folder, certificate, key);

/** Of what one address may have; loopback is not trusted here. */
const PER_ADDRESS = 6;
const SERVER = `port: 0, limits: {connections_per_address: ${PER_ADDRESS}}`;
const TLS = 'tls: {certificate: in-use.pem, key: in-use.key}';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let platform: RunningPlatform;
let port: number;
let key: string;
let ca: string[];

const configOf = (server: string, more = ''): Config =>
  parseConfig(`server: {${server}}\ntrusted_networks: [192.0.2.0/24]\n${more}`, file('gateway.yaml'), {
    env: { CAIRN_DATA_DIR: folder, DATABASE_URL: database.url },
    cwd: folder,
  });

beforeAll(async () => {
  database = await freshDatabase();
  makeCertificate(folder, 'first');
  makeCertificate(folder, 'second');
  use('first');
  platform = await startPlatform({
    config: configOf(`${SERVER}, ${TLS}`),
    log: pino({ level: 'silent' }),
  });
  port = Number(new URL(platform.url).port);
  key = readFileSync(file('admin-key'), 'utf8').trim();
  ca = ['first', 'second'].map((name) => readFileSync(file(`${name}.pem`), 'utf8'));
});
afterAll(async () => {
  await platform.close();
  await database[Symbol.asyncDispose]();
});

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
}

/** Over a connection of its own, or the agent's. */
function ask(target: string, { agent, body }: { agent?: https.Agent; body?: string } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) };
    const options = { agent: agent ?? false, method: body === undefined ? 'GET' : 'POST', headers, ca };
    https
      .request(platform.url + target, options, (res) => {
        textOf(res).then((text) => resolve({ status: res.statusCode, text }), reject);
      })
      .on('error', reject)
      .end(body);
  });
}

const peer = (options: tls.ConnectionOptions = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on('error', reject);
  });

/** A connection without TLS; `answered` has all that came of it. */
function plain(): { readonly socket: net.Socket; readonly answered: Promise<string> } {
  const socket = net.connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1'))).on('error', () => undefined);
  return { socket, answered: once(socket, 'close').then(() => received) };
}

test('requests of any size, and what tells of addresses, are https', async () => {
  expect(platform.url).toBe(`https://127.0.0.1:${port}`);
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca });
  const schema = { name: 'Sample', version: '1', fields: [{ name: 'note', field_type: 'string' }] };
  const registered = await ask('/api/v1/metadata/schemas', { agent, body: JSON.stringify(schema) });
  expect(registered).toMatchObject({ status: 200 });
  const note = 'x'.repeat(900_000); // in many records of TLS
  const entity = JSON.stringify({ entity_type: 'Sample', id: 's:1', data: { note } });
  expect(await ask('/api/v1/metadata/ingest', { agent, body: entity })).toMatchObject({ status: 200 });
  const { text: shown } = await ask('/api/v1/metadata/entities/s:1', { agent });
  expect((JSON.parse(shown) as { data: { data: unknown } }).data.data).toEqual({ note });
  expect(await ask('/readyz', { agent })).toMatchObject({ status: 200 });
  expect((await ask('/.well-known/oauth-authorization-server', { agent })).text).toContain(
    `"issuer":"${platform.url}"`,
  );
  expect((await ask('/ga4gh/drs/v1/service-info', { agent })).text).toContain(`"url":"${platform.url}/"`);
  agent.destroy();
});

test('what is not TLS is told so, and what is too old, or renegotiates, is refused', async () => {
  const { socket, answered } = plain();
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await answered).toMatch(
    /^HTTP\/1\.1 400 Bad Request\r\n(?!.*Retry-After).*this port speaks TLS: use https/s,
  );
  const ciphers = 'DEFAULT@SECLEVEL=0'; // else this side refuses
  await expect(peer({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers })).rejects.toThrow(/alert/);
  await expect(peer({ ALPNProtocols: ['h2'] })).rejects.toThrow(/alert/);
  const old = tls.connect({ port, host: '127.0.0.1', ca, maxVersion: 'TLSv1.2' });
  await once(old, 'secureConnect');
  const ended = once(old.resume(), 'close');
  old.on('error', () => undefined);
  old.renegotiate({}, () => undefined);
  await ended;
});

test(
  'handshakes are limited in time and by address, and silent connections end',
  { timeout: 120_000 },
  async () => {
    const began = performance.now();
    const silent = Array.from({ length: PER_ADDRESS }, plain);
    await Promise.all(silent.map(({ socket }) => once(socket, 'connect')));
    const hello = silent[0];
    hello?.socket.write(Buffer.from([0x16, 3, 1, 2, 0, 1])); // the beginning of one
    await expect(peer()).rejects.toThrow(/ECONNRESET|before secure/);
    silent.pop()?.socket.destroy();
    await eventually(
      () => peer().catch(() => ''),
      (name) => name === 'first',
    );
    expect(await Promise.all(silent.map(({ answered }) => answered))).toEqual(silent.map(() => ''));
    expect(performance.now() - began).toBeGreaterThan(9000);
    expect(performance.now() - began).toBeLessThan(15_000);
    const { text: metrics } = await ask('/api/v1/gateway/metrics');
    expect(metrics).toMatch(/cairn_shed_requests_total\{limit="late_handshakes"\} [5-9]/);
    expect(metrics).toMatch(/cairn_shed_requests_total\{limit="connections_of_one"\} [1-9]/);
    expect(metrics).toMatch(/cairn_tls_certificate_expiry_timestamp_seconds 1\d{9}\n/);
  },
);

/** A subscription over `wss`, which tells what it has got and whether it has ended. */
async function subscribe(): Promise<{ readonly socket: WebSocket; readonly types: string[] }> {
  const socket = new WebSocket(`wss://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', { ca });
  const types: string[] = [];
  socket.on('message', (message: Buffer) => {
    const { type } = JSON.parse(message.toString()) as { type: string };
    types.push(type);
    if (type !== 'connection_ack') return;
    const query = 'subscription { provenanceEvents(after: "now") { token } }';
    socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query } }));
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { apiKey: key } }));
  await eventually(
    async () => types,
    (all) => all.includes('connection_ack'),
  );
  return { socket, types };
}

test('a reload takes a new certificate and ends nothing; one that does not fit leaves the old', async () => {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca });
  const { socket, types } = await subscribe();
  expect(await ask('/livez', { agent })).toMatchObject({ status: 200 });
  // a request under way
  const slow = https.request(`${platform.url}/api/v1/metadata/ingest`, {
    ...{ method: 'POST', ca, agent: false },
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
  });
  const answer = once(slow, 'response') as Promise<[{ statusCode?: number }]>;
  slow.write('{"entity_type": "Sample", ');
  await sleep(100);

  use('second', 'first');
  const same = configOf(`${SERVER}, ${TLS}`);
  await expect(platform.reload(same)).rejects.toThrow(/server\.tls\.key: .*in-use\.key: not the key of/);
  expect(await peer()).toBe('first');
  use('second');
  await platform.reload(same);
  expect(await peer()).toBe('second');
  slow.end('"id": "s:2", "data": {}}');
  expect((await answer)[0].statusCode).toBe(200);
  await eventually(
    async () => types,
    (all) => all.includes('next'), // of what was written after it
  );
  expect(socket.readyState).toBe(WebSocket.OPEN);
  expect(await ask('/livez', { agent })).toMatchObject({ status: 200 }); // over the connection that there was
  agent.destroy();

  use('first');
  await platform.reload(configOf(`${SERVER}, lame_duck_seconds: 1, ${TLS}`));
  expect(await peer()).toBe('first'); // with other settings, too
  await expect(platform.reload(configOf(SERVER))).rejects.toThrow('server.tls cannot change');
});

test('a new certificate with an edited module is a whole reload: the module is loaded anew', async () => {
  const validating = (objections: string): void =>
    writeFileSync(file('validator.mjs'), `export default { validate: () => ${objections} };\n`);
  const ingest = (id: string): Promise<Answer> =>
    ask('/api/v1/metadata/ingest', {
      body: JSON.stringify({ entity_type: 'Sample', id, data: {} }),
    });
  validating('[]');
  const same = configOf(`${SERVER}, ${TLS}`, 'metadata: {validators: [{module: validator.mjs}]}\n');
  await platform.reload(same);
  expect(await ingest('s:3')).toMatchObject({ status: 200 });
  use('second');
  validating('[{ message: "nothing is taken any more" }]');
  await platform.reload(same);
  expect(await peer()).toBe('second');
  const refused = await ingest('s:4');
  expect(refused).toMatchObject({ status: 422 });
  expect(refused.text).toContain('nothing is taken any more');
  use('first');
  await platform.reload(configOf(`${SERVER}, ${TLS}`));
});

test('a stop ends handshakes and answers what is in flight', async () => {
  const { answered } = plain();
  const { socket } = await subscribe();
  const gone = once(socket, 'close');
  const last = ask('/api/v1/metadata/entities?entity_type=Sample');
  await Promise.all([last.then(({ status }) => expect(status).toBe(200)), platform.close(), gone]);
  expect(await answered).toBe('');
  await expect(peer()).rejects.toThrow('ECONNREFUSED');
});
