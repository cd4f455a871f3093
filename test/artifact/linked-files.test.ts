// Downloads that the bucket itself answers (docs/reference/artifact.md#s3-store).
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run as cairn } from '../cli/command-line.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { type S3Server, startS3 } from './s3-server.ts';

const FILES = '/api/v1/artifact/files';
const CONTENT = randomBytes(200_000);
const HEX = createHash('sha256').update(CONTENT).digest('hex');
const run = promisify(execFile);

let service: S3Server;
/** Stands before the service, and keeps what its clients send. */
let door: http.Server;
let heard: http.IncomingHttpHeaders[] = [];
let server: TestServer;

beforeAll(async () => {
  service = await startS3('cairn');
  door = http.createServer((req, res) => {
    heard.push(req.headers);
    req.pipe(
      http.request(
        service.url + (req.url ?? ''),
        { method: req.method ?? 'GET', headers: req.headers },
        (answer) => {
          res.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(res);
        },
      ),
    );
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const { port } = door.address() as AddressInfo; // of TCP
  server = await startServer({
    config: `artifact:
  store: {type: s3, bucket: cairn, endpoint: "${service.url}", link_endpoint: "http://127.0.0.1:${port}", path_style: true, access_key_id_env: S3_KEY_ID, secret_access_key_env: S3_SECRET, downloads: redirect, link_seconds: 30}
`,
    env: { S3_KEY_ID: 'S3RVER', S3_SECRET: 'S3RVER' },
  });
  const sent = await ask(`${FILES}/${HEX}?name=${encodeURIComponent('Größe 1.vcf')}`, {
    method: 'PUT',
    body: CONTENT,
    headers: { authorization: `Bearer ${server.key}` },
  });
  expect(sent.status).toBe(201);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  door.close();
  await service[Symbol.asyncDispose]();
});

const ask = (place: string, options: RequestInit = {}): Promise<Response> =>
  fetch(server.url + place, { redirect: 'manual', ...options });
const bearer = (more: Record<string, string> = {}) => ({
  headers: { authorization: `Bearer ${server.key}`, ...more },
});

test('a download leads to the bucket for a short time, with name and type of the file', async () => {
  const told = await ask(`${FILES}/${HEX}`, bearer());
  expect([told.status, told.headers.get('cache-control')]).toEqual([307, 'no-store']);
  const link = new URL(told.headers.get('location') ?? '');
  expect([link.host, link.searchParams.get('X-Amz-Expires')]).toEqual([
    `127.0.0.1:${(door.address() as AddressInfo).port}`, // of TCP
    '30',
  ]);
  const got = await fetch(link);
  expect(Buffer.from(await got.arrayBuffer())).toEqual(CONTENT);
  expect(got.headers.get('content-disposition')).toContain("filename*=UTF-8''Gr%C3%B6%C3%9Fe%201.vcf");
  expect(got.headers.get('content-type')).toMatch(/^text\/plain/);
  const part = await fetch(link, { headers: { range: 'bytes=10-19' } });
  expect(Buffer.from(await part.arrayBuffer())).toEqual(CONTENT.subarray(10, 20));
});

test('what the server answers by itself, it answers itself', async () => {
  const tag = `"${HEX}"`;
  const head = await ask(`${FILES}/${HEX}`, { method: 'HEAD', ...bearer() });
  expect([head.status, head.headers.get('etag'), head.headers.get('content-length')]).toEqual([
    200,
    tag,
    '200000',
  ]);
  expect((await ask(`${FILES}/${HEX}`, bearer({ 'if-none-match': tag }))).status).toBe(304);
  expect((await ask(`${FILES}/${HEX}`, bearer({ 'if-match': '"x"' }))).status).toBe(412);
  expect((await ask(`${FILES}/${HEX}`, bearer({ range: 'bytes=200000-' }))).status).toBe(416);
  expect((await ask(`${FILES}/${'0'.repeat(64)}`, bearer())).status).toBe(404);
  const rest = await ask(`${FILES}/${HEX}`, bearer({ range: 'bytes=199990-', 'if-range': tag }));
  expect([rest.status, Buffer.from(await rest.arrayBuffer())]).toEqual([206, CONTENT.subarray(199_990)]);
});

test('a credential that clients would carry to the bucket, and scripts of pages, get the content from here', async () => {
  const key = await ask(`${FILES}/${HEX}`, { headers: { 'x-api-key': server.key } });
  expect([key.status, (await key.arrayBuffer()).byteLength]).toEqual([200, 200_000]);
  // fetch would replace this header
  const status = (mode: string) =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${server.key}`,
        'sec-fetch-mode': mode,
        'sec-fetch-site': 'same-origin',
      };
      http
        .get(server.url + `${FILES}/${HEX}`, { headers }, (res) => resolve(res.resume().statusCode))
        .on('error', reject);
    });
  expect([await status('cors'), await status('navigate')]).toEqual([200, 307]);
});

test('curl, fetch and the command line follow, and the bucket gets no credential', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-links-'));
  try {
    heard = [];
    const place = path.join(directory, 'got');
    const header = `Authorization: Bearer ${server.key}`;
    await run('curl', ['-sfL', '-H', header, '-o', place, `${server.url}${FILES}/${HEX}`]);
    expect(await readFile(place)).toEqual(CONTENT);
    const fetched = await ask(`${FILES}/${HEX}`, { ...bearer(), redirect: 'follow' });
    expect(Buffer.from(await fetched.arrayBuffer())).toEqual(CONTENT);
    const to = path.join(directory, 'by-cli');
    const { status } = await cairn(['files', 'get', HEX, '-o', to, '--url', server.url, '--key', server.key]);
    expect([status, await readFile(to)]).toEqual([0, CONTENT]);
    expect(heard).toHaveLength(3);
    expect(JSON.stringify(heard)).not.toContain(server.key);
    expect(heard.filter(({ authorization, cookie }) => authorization ?? cookie)).toEqual([]);
  } finally {
    await rm(directory, { recursive: true });
  }
});

test('in GraphQL a link is for who may read the file, while the bucket has it', async () => {
  const document = `{ storedFile(hash: "${HEX}") { downloadUrl } }`;
  const shown = await server.graphql(document);
  expect(String(shown.body.data.storedFile.downloadUrl)).toContain('X-Amz-Signature=');
  const key = await server.newKey({ role: 'viewer', owner: 'user:other' });
  const theirs = await ask(`${FILES}/${HEX}`, { headers: { authorization: `Bearer ${key}` } });
  expect(theirs.status).toBe(404);
});
