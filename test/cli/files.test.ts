// `cairn files` against a server: what is sent and received is whole and verified, and goes on where it broke off.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addSchema } from '../artifact/production-testkit.ts';
import { SAMPLE_FILE, sha256 } from '../artifact/stored-files.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { run } from './command-line.ts';

let server: TestServer;
let dir: string;
beforeAll(async () => {
  server = await startServer();
  await addSchema(server, SAMPLE_FILE);
  dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-files-'));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

const files = (args: readonly string[], url = server.url): ReturnType<typeof run> =>
  run(['files', ...args, '--url', url, '--key', server.key], { cwd: dir });
const entity = (id: string) =>
  server.rest('POST', '/api/v1/metadata/ingest', { body: { id, entity_type: 'SampleFile', data: {} } });

/** A proxy that cuts off the first answers or bodies after so many bytes, and may serve below a path (docs/reverse-proxies.md). */
async function cutting(
  cut: (req: IncomingMessage) => 'body' | 'answer' | null,
  after: number,
  below = '',
): Promise<AsyncDisposable & { readonly url: string }> {
  const proxy = http
    .createServer((req, res) => {
      const where = cut(req);
      const { port, hostname } = new URL(server.url);
      const upstream = http.request(
        { port, hostname, path: req.url?.slice(below.length), method: req.method, headers: req.headers },
        (answer) => {
          const { location } = answer.headers;
          res.writeHead(answer.statusCode ?? 0, {
            ...answer.headers,
            ...(location === undefined ? {} : { location: below + location }),
          });
          let sent = 0;
          answer.on('data', (chunk: Buffer) => {
            sent += chunk.length;
            res.write(chunk);
            if (where === 'answer' && sent > after) res.destroy();
          });
          answer.on('end', () => res.end());
        },
      );
      upstream.on('error', () => res.destroy());
      let came = 0;
      req.on('data', (chunk: Buffer) => {
        came += chunk.length;
        upstream.write(chunk);
        if (where === 'body' && came > after) {
          req.destroy();
          upstream.destroy();
        }
      });
      req.on('end', () => upstream.end());
    })
    .listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${below}`, // It listens on TCP.
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

test('a file is uploaded, attached, listed and downloaded', async () => {
  const content = randomBytes(50_000);
  await writeFile(path.join(dir, 'a.bam'), content);
  await entity('a');
  const put = await files(['put', 'a.bam', '--entity', 'a', '--json']);
  expect([put.status, put.stderr]).toEqual([0, '']);
  expect(JSON.parse(put.stdout)).toEqual([
    {
      file: 'a.bam',
      hash: `sha256:${sha256(content)}`,
      size: 50_000,
      resumed_from: 0,
      url: `${server.url}/api/v1/artifact/files/${sha256(content)}`,
    },
  ]);
  expect((await files(['ls', 'a'])).stdout).toMatch(
    /^FIELD +NAME +SIZE +HASH\nuri +a\.bam +48\.8 KiB +sha256:/,
  );
  expect((await files(['ls'])).stdout).toMatch(/a\.bam +48\.8 KiB +attached/);
  const exists = await files(['get', 'a']);
  expect([exists.status, exists.stderr]).toEqual([2, expect.stringContaining('--force replaces it')]);
  expect((await files(['get', 'a', '-o', 'back.bam'])).status).toBe(0);
  expect(await readFile(path.join(dir, 'back.bam'))).toEqual(content);
  const byHash = await files(['get', sha256(content), '--force', '--json']);
  expect(JSON.parse(byHash.stdout)).toMatchObject({ file: path.join(dir, 'a.bam'), size: 50_000 });
  // what is there is not sent again, but attached
  await entity('b');
  const again = await files(['put', 'a.bam', '--entity', 'b', '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject([{ resumed_from: 50_000 }]);
  expect((await files(['ls', 'b', '--json'])).stdout).toContain(sha256(content));
});

test('several files, parts of a bounded size, and an empty file', async () => {
  const contents = [randomBytes(2_500_000), Buffer.alloc(0)];
  for (const [i, content] of contents.entries()) await writeFile(path.join(dir, `many${i}`), content);
  const { status, stdout } = await files(['put', 'many0', 'many1', '--part', '1', '--json']);
  expect(status).toBe(0);
  expect(JSON.parse(stdout).map((one: { hash: string }) => one.hash)).toEqual(
    contents.map((content) => `sha256:${sha256(content)}`),
  );
  for (const [i, content] of contents.entries()) {
    expect((await files(['get', sha256(content), '-o', `got${i}`])).status).toBe(0);
    expect(await readFile(path.join(dir, `got${i}`))).toEqual(content);
  }
});

test("an interrupted upload continues at the server's offset", async () => {
  const content = randomBytes(4_000_000);
  await writeFile(path.join(dir, 'broken.bam'), content);
  let cuts = 2;
  await using proxy = await cutting(
    ({ method }) => (method === 'PATCH' && cuts-- > 0 ? 'body' : null),
    1_000_000,
  );
  const { status, stderr } = await files(['put', 'broken.bam'], proxy.url);
  expect([status, stderr]).toEqual([0, '']);
  expect(cuts).toBeLessThan(0);
  expect((await server.rest('HEAD', `/api/v1/artifact/files/${sha256(content)}`)).status).toBe(200);
});

test('if the answer to the last bytes is lost, the upload is queried again and the file is attached', async () => {
  const content = randomBytes(10_000);
  await writeFile(path.join(dir, 'lost.bam'), content);
  await entity('lost');
  let isLost = false;
  const proxy = http
    .createServer((req, res) => {
      const { port, hostname } = new URL(server.url);
      const upstream = http.request(
        { port, hostname, path: req.url, method: req.method, headers: req.headers },
        (answer) => {
          if (req.method === 'PATCH' && !isLost) {
            isLost = true;
            return void answer.resume().on('end', () => res.destroy());
          }
          res.writeHead(answer.statusCode ?? 0, answer.headers);
          answer.pipe(res);
        },
      );
      req.pipe(upstream);
    })
    .listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`; // It listens on TCP.
  const { status, stderr } = await files(['put', 'lost.bam', '--entity', 'lost'], url);
  proxy.closeAllConnections();
  proxy.close();
  expect([status, stderr, isLost]).toEqual([0, '', true]);
  expect((await files(['ls', 'lost', '--json'])).stdout).toContain(sha256(content));
});

test('an interrupted download continues, and one with a wrong hash is removed', async () => {
  const content = randomBytes(4_000_000);
  await writeFile(path.join(dir, 'down.bam'), content);
  await files(['put', 'down.bam']);
  let cuts = 1;
  await using proxy = await cutting(
    ({ method, url }) =>
      method === 'GET' && url?.includes('/files/') === true && cuts-- > 0 ? 'answer' : null,
    1_000_000,
  );
  const done = await files(['get', sha256(content), '-o', 'down.back', '--json'], proxy.url);
  expect([done.status, done.stderr, await readFile(path.join(dir, 'down.back'))]).toEqual([0, '', content]);
  // a part of another content, as a fault of the disk would leave it
  const part = `wrong.back.${sha256(content).slice(0, 12)}.part`;
  await writeFile(path.join(dir, part), randomBytes(1000));
  const wrong = await files(['get', sha256(content), '-o', 'wrong.back', '--json']);
  expect([wrong.status, JSON.parse(wrong.stderr)]).toMatchObject([1, { error: 'hash_mismatch' }]);
  expect(await readdir(dir)).not.toContain('wrong.back');
  expect(await readdir(dir)).not.toContain(part);
});

test('refusals and wrong usage are reported, with their exit status', async () => {
  const said = async (...args: string[]): Promise<readonly [number, string]> => {
    const { status, stderr } = await files(args);
    return [status, stderr];
  };
  expect(await said('put', 'nowhere')).toEqual([2, expect.stringContaining('nowhere cannot be read')]);
  expect(await said('put', '.')).toEqual([2, expect.stringContaining('is not a file')]);
  expect(await said('put', 'a.bam', 'many0', '--entity', 'a')).toEqual([
    2,
    expect.stringContaining('one file'),
  ]);
  expect((await said('put', 'a.bam', '--field', 'uri'))[0]).toBe(2);
  await writeFile(path.join(dir, 'new'), 'new');
  expect(await said('put', 'new', '--entity', 'nothing')).toEqual([
    1,
    expect.stringContaining('entity not found: nothing (404 not_found)'),
  ]);
  expect(await said('put', 'new', '--entity', 'a', '--field', 'note')).toEqual([
    1,
    expect.stringContaining('fields for files: uri, index'),
  ]);
  expect(await said('get', 'nothing')).toEqual([
    1,
    expect.stringContaining('entity not found: nothing (404)'),
  ]);
  expect(await said('get', '0'.repeat(64))).toEqual([1, expect.stringContaining('stored file not found')]);
  expect((await said('get', '0'.repeat(64), 'uri'))[0]).toBe(2);
  expect(await said('ls', 'nothing')).toEqual([1, expect.stringContaining('entity not found: nothing')]);
});

test('a terminal shows the progress', async () => {
  await writeFile(path.join(dir, 'seen'), randomBytes(1000));
  const { stderr } = await run(['files', 'put', 'seen', '--url', server.url, '--key', server.key], {
    cwd: dir,
    terminal: true,
  });
  expect(stderr.endsWith('\r\u001b[K')).toBe(true);
});

test('a file is uploaded through a proxy that serves below a path and says so in Location', async () => {
  await using proxy = await cutting(() => null, 0, '/research');
  const content = randomBytes(100_000);
  await writeFile(path.join(dir, 'below.bin'), content);
  const put = await files(['put', 'below.bin', '--json'], proxy.url);
  expect([put.status, put.stderr]).toEqual([0, expect.any(String)]);
  const stored = await fetch(`${proxy.url}/api/v1/artifact/files/${sha256(content)}`, {
    headers: { 'x-api-key': server.key },
  });
  expect(Buffer.from(await stored.arrayBuffer()).equals(content)).toBe(true);
});
