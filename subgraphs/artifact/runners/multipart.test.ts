// docs/reference/artifact.md#wes
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { multipart } from './multipart.ts';
import { WesClient } from './wes-client.ts';

const FILE_BYTES = 30_000_000;
let folder = '';
let large = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-multipart-'));
  large = path.join(folder, 'large');
  await writeFile(large, Buffer.alloc(FILE_BYTES, 'x'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a form is read as it was written', async () => {
  const body = multipart({ tags: '{"ä":"1\\r\\n2"}', 'a"b\r\nc': '' }, 'file', [
    { name: 'one "1".txt', content: new Blob(['--x\r\n']) },
    { name: 'two.txt', content: await openAsBlob(large) },
    { name: 'ü', content: new Blob([]) },
  ]);
  const form = await new Response(body).formData();
  expect(form.get('tags')).toBe('{"ä":"1\\r\\n2"}');
  const files = form.getAll('file') as File[];
  expect(files.map(({ name, size }) => [name, size])).toEqual([
    ['one "1".txt', 5],
    ['two.txt', FILE_BYTES],
    ['ü', 0],
  ]);
  expect(await files[0]?.text()).toBe('--x\r\n');
});

test('a service that answers while it is still being sent files is understood, and nothing else fails', async () => {
  const service = createServer((req, res) => {
    res
      .writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' })
      .end('{"msg": "too many runs"}');
    req.resume();
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const client = new WesClient({ url: `http://127.0.0.1:${(service.address() as { port: number }).port}` });
  const attachments = await Promise.all(
    Array.from({ length: 6 }, async (_, i) => ({ name: `input-${i}`, content: await openAsBlob(large) })),
  );
  for (let i = 0; i < 10; i++)
    await expect(
      client.submit(
        {
          version: 'v1.2',
          workflow: 'workflow.cwl',
          inputs: {},
          attachments,
          tags: {},
          engineParameters: {},
        },
        new AbortController().signal,
      ),
    ).rejects.toMatchObject({ name: 'WesFault', status: 429, retryAfterMs: 1000 });
  service.closeAllConnections();
  service.close();
});
