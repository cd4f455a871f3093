// Who continues an upload, after an interruption or in place of a silent request.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from './stored-files.ts';
import {
  begun,
  download,
  FILES,
  offsetOf,
  other,
  PART,
  patch,
  server,
  setUp,
  UPLOADS,
  viewer,
} from './uploads-testkit.ts';
import { waitFor } from '../testkit/wait-for.ts';

describe.each(['in-process', 'http'] as const)('%s', (transport) => {
  setUp(transport);
  /** A PATCH whose body ends when it is told to. */
  const slowly = (to: string, offset: number, first: Buffer): http.ClientRequest => {
    const request = http.request(server.url + to, {
      method: 'PATCH',
      headers: { 'x-api-key': server.key, 'content-type': PART, 'upload-offset': String(offset) },
    });
    request.on('error', () => undefined); // it is broken off
    request.write(first);
    return request;
  };
  /** Until the server has written what was sent. */
  const written = async (id: string, bytes: number): Promise<void> => {
    const directory = path.join(server.dataDir, 'artifacts', 'uploads');
    await waitFor(async () => {
      const { size } = await fileOf(directory, id.split('/').at(-1) ?? '');
      expect(size).toBeGreaterThanOrEqual(bytes);
    });
  };

  test('uploads belong to their actor', async () => {
    const to = await begun(5);
    for (const method of ['GET', 'HEAD', 'DELETE'])
      expect((await server.rest(method, to, { key: other })).status).toBe(404);
    expect((await patch(to, 0, 'hello', {}, other)).status).toBe(404);
    expect((await patch(to, 0, 'hello', {}, viewer)).status).toBe(403);
    expect((await server.rest('PUT', `${FILES}/${sha256('x')}`, { body: 'x', key: viewer })).status).toBe(
      403,
    );
    expect((await server.rest('POST', UPLOADS, { key: null })).status).toBe(401);
    expect((await patch(to, 0, 'hello')).status).toBe(204);
  });

  test('what was received of an interrupted request is kept, and another request continues', async () => {
    const content = randomBytes(400_000);
    const to = await begun(content.length);
    const broken = slowly(to, 0, content.subarray(0, 150_000));
    await written(to, 150_000);
    broken.destroy();
    await waitFor(async () => expect(await offsetOf(to)).toBe(150_000));
    expect((await patch(to, 150_000, content.subarray(150_000))).status).toBe(204);
    expect((await download(sha256(content))).headers.get('content-length')).toBe('400000');
  });

  test('a request takes the upload over from one that has gone silent', async () => {
    const content = randomBytes(300_000);
    const to = await begun(content.length);
    const silent = slowly(to, 0, randomBytes(100_000)); // other bytes: they must not be in the file
    await written(to, 100_000);
    const answered = once(silent, 'response').catch(() => null);
    const offset = await offsetOf(to);
    expect(offset).toBe(0);
    expect((await patch(to, 0, content.subarray(0, 200_000))).status).toBe(204);
    silent.write(randomBytes(1000));
    expect((await patch(to, 200_000, content.subarray(200_000))).status).toBe(204);
    await answered;
    silent.destroy();
    const stored = await fetch(`${server.url}${FILES}/${sha256(content)}`, {
      headers: { 'x-api-key': server.key },
    });
    expect(sha256(Buffer.from(await stored.arrayBuffer()))).toBe(sha256(content));
  });
});

async function fileOf(directory: string, id: string): Promise<{ readonly size: number }> {
  const names = (await readdir(directory)).filter((name) => name.startsWith(id));
  const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(directory, name))).size));
  return { size: Math.max(0, ...sizes) };
}
