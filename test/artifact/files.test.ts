// docs/reference/api-conventions.md#files, docs/reference/artifact.md#stored-files: the content of stored files over
// HTTP, and who may read it.
import { createHash, randomBytes } from 'node:crypto';
import { rm, rename } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { objectKey } from '../../subgraphs/artifact/storage/object-store.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { addSchema } from './production-testkit.ts';
import { addFileEntity, hold, putContent, SAMPLE_FILE, sha256 } from './stored-files.ts';

/** Bytes between two looks at the memory in use: what came since the last one, at each of three hops, may not be collected. */
const LOOK_EVERY = 4 << 20;
const CONTENT = 'chr1\t100\tA\tT\nchr1\t200\tC\tG\n';
let server: TestServer;
let hex: string;
const at = (of: string): string => `/api/v1/artifact/files/${of}`;

beforeAll(async () => {
  server = await startServer();
  await addSchema(server, SAMPLE_FILE);
  hex = await putContent(server, CONTENT);
  await addFileEntity(server, { id: 'f1', hex, name: 'calls of sample ä "1".vcf', data: { project: 'p1' } });
});
afterAll(() => server[Symbol.asyncDispose]());

test.each(['', '/api/v1/metadata/entities/f1/files/uri'])(
  'a file is answered whole, with its length, type, name and validators (%s)',
  async (path) => {
    const { status, headers, text } = await server.rest('GET', path === '' ? at(hex) : path);
    expect([status, text]).toEqual([200, CONTENT]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-length': String(CONTENT.length),
      etag: `"${hex}"`,
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="calls of sample _ _1_.vcf"; filename*=UTF-8''calls%20of%20sample%20%C3%A4%20_1_.vcf`,
    });
  },
);

test('HEAD answers the same headers without the content, whatever Range says', async () => {
  const { status, headers, text } = await server.rest('HEAD', at(hex), { headers: { range: 'bytes=0-3' } });
  expect([status, text, headers.get('content-length'), headers.get('etag')]).toEqual([
    200,
    '',
    String(CONTENT.length),
    `"${hex}"`,
  ]);
});

test.each([
  ['bytes=0-3', 'chr1', '0-3'],
  ['bytes=24-', 'G\n', '24-25'],
  ['bytes=-2', 'G\n', '24-25'],
  ['bytes=-900', CONTENT, '0-25'],
  ['bytes=24-900', 'G\n', '24-25'],
])('Range %s is answered with that part', async (range, part, bounds) => {
  const { status, headers, text } = await server.rest('GET', at(hex), { headers: { range } });
  expect([status, text, headers.get('content-range'), headers.get('content-length')]).toEqual([
    206,
    part,
    `bytes ${bounds}/26`,
    String(part.length),
  ]);
});

test.each(['bytes=26-', 'bytes=900-901', 'bytes=-0'])('Range %s is not in the file: 416', async (range) => {
  const { status, headers, body } = await server.rest('GET', at(hex), { headers: { range } });
  expect([status, headers.get('content-range'), body]).toMatchObject([
    416,
    'bytes */26',
    { error: 'range_not_satisfiable', details: { size: 26 } },
  ]);
});

test.each(['bytes=0-1,4-5', 'lines=1-2', 'bytes=b-a', 'bytes=5-2,0-1', ''])(
  'Range %s is ignored: the whole file',
  async (range) => {
    const { status, text } = await server.rest('GET', at(hex), { headers: { range } });
    expect([status, text]).toEqual([200, CONTENT]);
  },
);

test('conditions are compared with the hash', async () => {
  const get = async (headers: Record<string, string>): Promise<unknown[]> => {
    const answer = await server.rest('GET', at(hex), { headers });
    return [answer.status, answer.text.length];
  };
  expect(await get({ 'if-none-match': `W/"x", "${hex}"` })).toEqual([304, 0]);
  expect(await get({ 'if-none-match': '"x"' })).toEqual([200, 26]);
  expect(await get({ range: 'bytes=0-1', 'if-range': `"${hex}"` })).toEqual([206, 2]);
  expect(await get({ range: 'bytes=0-1', 'if-range': '"x"' })).toEqual([200, 26]);
  expect(await get({ range: 'bytes=0-1', 'if-range': 'Sun, 01 Feb 2026 00:00:00 GMT' })).toEqual([200, 26]);
  expect(await get({ 'if-match': `"${hex}"` })).toEqual([200, 26]);
  expect((await server.rest('GET', at(hex), { headers: { 'if-match': '"x"' } })).status).toBe(412);
});

test('a file is for who can see an entity that holds it, also through another entity', async () => {
  const own = await server.newKey({ role: 'viewer', project: 'p1' });
  const other = await server.newKey({ role: 'viewer', project: 'p2' });
  const none = null;
  const status = async (to: string, key: string | null): Promise<number> =>
    (await server.rest('GET', to, { key })).status;
  const byField = '/api/v1/metadata/entities/f1/files/uri';
  expect([await status(at(hex), own), await status(byField, own)]).toEqual([200, 200]);
  expect([await status(at(hex), other), await status(byField, other)]).toEqual([404, 404]);
  expect([await status(at(hex), none), await status(byField, none)]).toEqual([401, 401]);
  // its own entity with the address is no key to the file
  const claim = { uri: `${server.url}${at(hex)}`, project: 'p2' };
  await server.rest('POST', '/api/v1/metadata/ingest', {
    body: { id: 'claim', entity_type: 'SampleFile', data: claim },
  });
  expect([
    await status(at(hex), other),
    await status('/api/v1/metadata/entities/claim/files/uri', other),
  ]).toEqual([404, 404]);
  const query = `{ storedFile(hash: "sha256:${hex}") { url name } }`;
  const seen = async (key: string): Promise<unknown> => (await server.graphql(query, {}, { key })).body.data;
  expect(await seen(other)).toEqual({ storedFile: null });
  expect(await seen(own)).toEqual({
    storedFile: { url: server.url + at(hex), name: 'calls of sample ä "1".vcf' },
  });
  const shared = await putContent(server, 'shared');
  await addFileEntity(server, { id: 'theirs', hex: shared, data: { project: 'p1' } });
  expect(await status(at(shared), other)).toBe(404);
  await addFileEntity(server, { id: 'everybodys', hex: shared });
  expect(await status(at(shared), other)).toBe(200);
});

test('a file that many entities with long ids hold is found through the one that the caller can see', async () => {
  const other = await server.newKey({ role: 'viewer', project: 'p2' });
  const common = await putContent(server, 'common');
  const id = (n: number): string => `${String(n).padStart(3, '0')}${'"'.repeat(190)}`;
  for (let n = 0; n < 25; n++)
    await addFileEntity(server, { id: id(n), hex: common, data: { project: n === 24 ? 'p2' : 'p1' } });
  expect((await server.rest('GET', at(common), { key: other })).status).toBe(200);
});

test('what is not there is 404 with a reason', async () => {
  const message = async (to: string): Promise<string> => {
    const { status, body } = await server.rest('GET', to);
    expect(status, to).toBe(404);
    return body.message ?? body.error.message;
  };
  expect(await message(at('0'.repeat(64)))).toBe(`stored file not found: ${'0'.repeat(64)}`);
  expect(await message(at('abc'))).toBe('stored file not found: abc');
  expect(await message('/api/v1/metadata/entities/nobody/files/uri')).toBe('entity not found: nobody');
  for (const field of ['note', 'index', 'nothing', 'constructor'])
    expect(await message(`/api/v1/metadata/entities/f1/files/${field}`)).toBe(
      `${field} of entity f1 holds no stored file`,
    );
  const evicted = await putContent(server, 'evicted');
  await addFileEntity(server, { id: 'f2', hex: evicted });
  expect((await server.rest('DELETE', `/api/v1/artifact/cache/sha256:${evicted}`)).body.evicted).toBe(1);
  expect(await message(at(evicted))).toMatch(/^sha256:\w+ was evicted from the artifact store at /);
  for (const other of ['', 'damaged, and longer']) {
    const gone = await putContent(server, `gone${other}`);
    const place = path.join(server.dataDir, 'artifacts', 'sha256', objectKey(`sha256:${gone}`));
    await addFileEntity(server, { id: `gone${other.length}`, hex: gone });
    if (other === '') await rm(place);
    else await rename(path.join(server.dataDir, 'artifacts', 'sha256', objectKey(`sha256:${hex}`)), place);
    expect(await message(at(gone))).toBe(`sha256:${gone} is no longer in the artifact store as it was`);
    if (other !== '') await putContent(server, CONTENT);
  }
});

test('a field whose address was changed does not answer the file of before', async () => {
  await addFileEntity(server, { id: 'f3', hex, name: 'a.vcf' });
  await server.rest('PUT', '/api/v1/metadata/entities/SampleFile/f3', {
    body: { data: { uri: 'https://elsewhere.example/a.vcf' } },
  });
  expect((await server.rest('GET', '/api/v1/metadata/entities/f3/files/uri')).status).toBe(404);
});

test('earlier addresses are recognised: of another host, and file: addresses of a store that was moved', async () => {
  for (const [id, uri] of [
    ['host', `https://before.example/api/v1/artifact/files/${hex}`],
    ['file', `file:///before/artifacts/sha256/${objectKey(`sha256:${hex}`)}`],
    ['s3', `s3://bucket/${objectKey(`sha256:${hex}`)}`],
  ] as const) {
    await addFileEntity(server, { id, hex, data: { uri } });
    expect((await server.rest('GET', `/api/v1/metadata/entities/${id}/files/uri`)).text).toBe(CONTENT);
  }
});

test.each([
  ['../../etc/passwd', '__.._etc_passwd'],
  ['.hidden', '_hidden'],
  ['a\u202egpj.exe', 'a_gpj.exe'],
  ['a\r\nset-cookie: x=1', 'a__set-cookie_ x=1'],
  ['\ud800', '\ufffd'],
  ['', 'file'],
])('the name %j of a file does no harm', async (name, saved) => {
  const content = `named ${name}`;
  const named = await putContent(server, content.toWellFormed());
  await addFileEntity(server, { id: `named-${named.slice(0, 8)}`, hex: named });
  await server.database.pool.query('UPDATE artifact.artifact_entity SET name = $1 WHERE hash = $2', [
    name.toWellFormed(),
    `sha256:${named}`,
  ]);
  const { status, headers } = await server.rest('GET', at(named));
  expect(status).toBe(200);
  expect(headers.get('set-cookie')).toBeNull();
  const whole = /filename\*=UTF-8''(.*)$/.exec(headers.get('content-disposition') ?? '')?.[1] ?? '';
  expect(decodeURIComponent(whole)).toBe(saved);
});

test('a Range of an empty file is 416', async () => {
  const empty = await putContent(server, '');
  await addFileEntity(server, { id: 'empty', hex: empty });
  expect(await server.rest('GET', at(empty))).toMatchObject({ status: 200, text: '' });
  expect((await server.rest('GET', at(empty), { headers: { range: 'bytes=0-' } })).status).toBe(416);
});

test('a secondary file is answered by its hash, and a field within another by its name', async () => {
  const beside = await putContent(server, 'index');
  await hold(server, { id: 'f1', field: 'uri/calls.vcf.tbi', hex: beside, name: 'calls.vcf.tbi' });
  await hold(server, { id: 'f1', field: 'bams[0]', hex: beside, name: 'x.bam' });
  expect((await server.rest('GET', at(beside))).text).toBe('index');
  expect((await server.rest('GET', '/api/v1/metadata/entities/f1/files/bams%5B0%5D')).text).toBe('index');
});

test.each(['in-process', 'http'] as const)(
  'a large file is sent in pieces: memory does not grow, and a client that leaves ends it (%s)',
  async (transport) => {
    await using big = await startServer({ transport });
    await addSchema(big, SAMPLE_FILE);
    const block = randomBytes(1 << 20);
    const content = Buffer.concat(Array.from({ length: 96 }, () => block));
    const name = await putContent(big, content);
    await addFileEntity(big, { id: 'big', hex: name });
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void; // It exists once the flag is set.
    /** What is in use: what waits for the collector depends on when it runs. */
    const held = (): number => {
      collect();
      return process.memoryUsage().arrayBuffers;
    };
    const before = held();
    let most = 0;
    let received = 0;
    const hash = createHash('sha256');
    const response = await fetch(big.url + at(name), { headers: { 'x-api-key': big.key } });
    expect(response.headers.get('content-length')).toBe(String(content.length));
    for await (const chunk of response.body ?? []) {
      hash.update(chunk);
      const looks = Math.floor(received / LOOK_EVERY);
      received += chunk.length;
      if (Math.floor(received / LOOK_EVERY) > looks) most = Math.max(most, held() - before);
    }
    expect(hash.digest('hex')).toBe(name);
    expect(received).toBe(content.length);
    expect(most).toBeLessThan(32 << 20);
    // leaves after the first piece
    await new Promise<void>((resolve, reject) => {
      const request = http.get(big.url + at(name), { headers: { 'x-api-key': big.key } }, (answer) => {
        answer.once('data', () => {
          request.destroy();
          resolve();
        });
      });
      request.on('error', reject);
    });
    const { text } = await big.rest('GET', at(name), { headers: { range: 'bytes=1048576-1048579' } });
    expect(text).toBe(block.subarray(0, 4).toString());
    expect(
      await big.rest('GET', '/api/v1/metadata/entities/big/files/uri', { headers: { range: 'bytes=0-3' } }),
    ).toMatchObject({
      status: 206,
    });
    expect(sha256(content)).toBe(name);
  },
);
