// Static files are served with caching, compression and security headers, behind the edge like everything
// else.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gunzipSync } from 'node:zlib';
import { projectRoot } from '../../platform/project-root.ts';
import { assetsRoute } from '../../platform/assets.ts';
import type { Route } from '../../router/edge/http/routes.ts';
import { type Gateway, startGateway } from './gateway-testkit.ts';

const FILE = 'router/graphql/explorer/explorer.js';
const plain = readFileSync(path.join(projectRoot, FILE));
const POLICY = "default-src 'self'";
const PAGE: Route = {
  method: 'GET',
  path: '/assets/page.html',
  access: 'public',
  handle: ({ res }) => {
    res.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': POLICY }).end('<p>');
  },
};
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway({
    routes: [
      assetsRoute('/assets', { 'explorer.js': FILE, 'gone.js': 'router/there-is-no-such-file.js' }),
      PAGE,
    ],
  });
});
afterAll(() => gateway[Symbol.asyncDispose]());

interface Raw {
  readonly status: number | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly names: readonly string[];
  readonly body: Buffer;
}

/** The raw response: fetch would decompress it. */
const ask = (name: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Raw> =>
  new Promise((resolve, reject) => {
    http
      .request(new URL(`/assets/${name}`, gateway.url), { method, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('error', reject)
          .on('end', () => {
            resolve({
              status: answer.statusCode,
              headers: answer.headers,
              names: answer.rawHeaders.filter((_, at) => at % 2 === 0).map((each) => each.toLowerCase()),
              body: Buffer.concat(chunks),
            });
          });
      })
      .on('error', reject)
      .end();
  });

test('a file is answered whole, cached for an hour, with an ETag for conditional requests', async () => {
  const { status, headers, body } = await ask('explorer.js');
  expect([status, headers['content-type'], headers['cache-control'], headers['content-length']]).toEqual([
    200,
    'text/javascript; charset=utf-8',
    'public, max-age=3600',
    String(plain.length),
  ]);
  expect(body.equals(plain)).toBe(true);
  expect(await ask('explorer.js', { 'if-none-match': headers.etag ?? '' })).toMatchObject({
    status: 304,
    body: Buffer.alloc(0),
  });
  expect(await ask('explorer.js', {}, 'HEAD')).toMatchObject({
    status: 200,
    headers: { 'content-length': String(plain.length) },
    body: Buffer.alloc(0),
  });
});

test('a file is compressed for clients that accept it', async () => {
  const { headers, body } = await ask('explorer.js', { 'accept-encoding': 'gzip' });
  expect([headers['content-encoding'], headers.vary]).toEqual(['gzip', 'Accept-Encoding']);
  expect(gunzipSync(body).equals(plain)).toBe(true);
});

test('a Range is answered as a part; an unsatisfiable one is 416 with the length', async () => {
  expect(await ask('explorer.js', { range: 'bytes=3-12' })).toMatchObject({
    status: 206,
    headers: { 'content-range': `bytes 3-12/${plain.length}` },
    body: plain.subarray(3, 13),
  });
  expect(await ask('explorer.js', { range: 'bytes=99999999-' })).toMatchObject({
    status: 416,
    headers: { 'content-range': `bytes */${plain.length}` },
  });
  expect((await ask('explorer.js', { 'if-match': '"another"' })).status).toBe(412);
});

test('nothing else is served, and a file that is missing from the installation is a fault', async () => {
  for (const name of [
    'explorer.ts',
    'Explorer.js',
    '..%2fexplorer.js',
    'constructor',
    '__proto__',
    'explorer.js%00',
  ])
    expect([400, 404]).toContain((await ask(name)).status);
  expect((await ask('elsewhere.js')).body.toString()).toContain('"route_not_found"');
  expect((await ask('gone.js')).status).toBe(500);
});

test('responses contain each header once, including the default headers, and do not name the server software', async () => {
  for (const { names } of [
    await ask('explorer.js'),
    await ask('explorer.js', { range: 'bytes=99999999-' }),
    await ask('elsewhere.js'),
    await ask('page.html'),
    await ask('../api/v1/metadata/entities/e1'),
  ]) {
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining([
        'x-request-id',
        'x-content-type-options',
        'x-frame-options',
        'referrer-policy',
        'content-security-policy',
      ]),
    );
    expect(names).not.toContain('x-powered-by');
  }
  expect((await ask('page.html')).headers['content-security-policy']).toBe(POLICY);
  expect((await ask('../livez')).headers['content-security-policy']).toMatch(/^default-src 'none'/);
});
