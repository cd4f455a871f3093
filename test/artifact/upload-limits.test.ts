// Quotas of uploads, and what expires.
import { randomBytes } from 'node:crypto';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { sha256 } from './stored-files.ts';
import {
  caller,
  never,
  create,
  receive,
  setUp,
  server,
  anotherProcess,
  stored,
} from './uploads-kept-testkit.ts';
import { FILES, PART, UPLOADS } from './uploads-testkit.ts';

setUp();

test('quotas hold, also for requests at one time', async () => {
  const key = await server.newKey({ role: 'analyst', owner: 'user:many' });
  const post = (length: number) =>
    server.rest('POST', UPLOADS, { key, headers: { 'upload-length': String(length) } });
  expect((await post(1_000_001)).status).toBe(413);
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(10)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    error: 'conflict',
    details: { limit: 3 },
  });
  const to = answers.find(({ status }) => status === 201)?.headers.get('location') ?? '';
  expect((await server.rest('DELETE', to, { key })).status).toBe(204);
  expect((await post(1_000_000)).status).toBe(201);
  const many = await server.newKey({ role: 'analyst', owner: 'user:bytes' });
  const big = randomBytes(900_000);
  const put = (content: Buffer) =>
    server.rest('PUT', `${FILES}/${sha256(content)}`, {
      key: many,
      body: content,
      headers: { 'content-type': 'application/octet-stream' },
    });
  expect((await put(big)).status).toBe(201);
  expect((await put(randomBytes(700_000))).body).toMatchObject({
    details: { limit: 1_500_000, used: 900_000 },
  });
  // a body of unknown length is stopped at the limit of a file
  const request = http.request(`${server.url}${FILES}/${sha256('x')}`, {
    method: 'PUT',
    headers: { 'x-api-key': server.key, 'transfer-encoding': 'chunked' },
  });
  request.on('error', () => undefined); // it may be cut off while it sends
  const status = new Promise<number | undefined>((resolve) => {
    request.on('response', (answer) => resolve(answer.resume().statusCode));
  });
  request.end(randomBytes(1_200_000));
  expect(await status).toBe(413);
});

test('a deferred upload length is checked against the file limit and the quota', async () => {
  const key = await server.newKey({ role: 'analyst', owner: 'user:later' });
  const begin = async (): Promise<string> =>
    (await server.rest('POST', UPLOADS, { key, headers: { 'upload-defer-length': '1' } })).headers.get(
      'location',
    ) ?? '';
  const say = (to: string, length: number) =>
    server.rest('PATCH', to, {
      key,
      body: randomBytes(10),
      headers: { 'content-type': PART, 'upload-offset': '0', 'upload-length': String(length) },
    });
  const [first, second] = [await begin(), await begin()];
  expect((await say(first, 1_000_001)).status).toBe(413);
  expect((await say(first, 900_000)).status).toBe(204);
  expect(await say(second, 700_000)).toMatchObject({
    status: 409,
    body: { error: 'conflict', details: { limit: 1_500_000, used: 900_000 } },
  });
  expect((await say(second, 600_000)).status).toBe(204);
});

test.each([
  ['as it comes', null],
  ['that is to be compared with its checksum', { algorithm: 'sha1', digest: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }],
] as const)(
  'uploads of unknown length end when their actor exceeds the quota: %s',
  { timeout: 120_000 },
  async (kind, checksum) => {
    const uploads = anotherProcess();
    const actor = `user:unknown ${kind}`;
    const send = async (): Promise<unknown> => {
      const { id } = await create(uploads, actor, null);
      const content = new PassThrough();
      const timer = setInterval(() => content.write(randomBytes(50_000)), 250);
      try {
        return await uploads.receiver.receive(
          { uploadId: id, offset: 0, length: null, checksum },
          content,
          caller(actor),
          never,
        );
      } finally {
        clearInterval(timer);
      }
    };
    const outcomes = await Promise.allSettled([send(), send(), send()]);
    // what was refused is not kept, and makes room for the others
    expect(outcomes).toContainEqual({
      status: 'rejected',
      reason: expect.objectContaining({
        code: 'conflict',
        details: expect.objectContaining({ limit: 1_500_000 }),
      }),
    });
  },
);

test('uploads that are not continued, and files that no entity holds, are removed when they expire', async () => {
  const uploads = anotherProcess();
  const directory = path.join(server.dataDir, 'artifacts', 'uploads');
  const { pool } = server.database;
  const begun = await create(uploads, 'user:leaves', 1000);
  await receive(uploads, 'user:leaves', begun.id, 0, Buffer.from('a part'));
  const [loose, held] = [Buffer.from('held by nobody'), Buffer.from('held by an entity')];
  for (const content of [loose, held]) {
    const { id } = await create(uploads, 'user:leaves', content.length);
    await receive(uploads, 'user:leaves', id, 0, content);
  }
  const [looseHash, heldHash] = [`sha256:${sha256(loose)}`, `sha256:${sha256(held)}`];
  await pool.query(
    `INSERT INTO artifact.artifact_entity (entity_id, entity_type, field, hash) VALUES ('e', 'SampleFile', 'uri', $1)`,
    [heldHash],
  );
  const stray = path.join(directory, `${'0'.repeat(32)}.lost`);
  await writeFile(stray, 'of an upload that is gone');
  await utimes(stray, 1, 1);
  expect((await readdir(directory)).some((name) => name.startsWith(begun.id))).toBe(true);
  await uploads.sweep();
  expect([await stored(looseHash), (await readdir(directory)).includes(path.basename(stray))]).toEqual([
    true,
    false,
  ]);
  await pool.query(`UPDATE artifact.upload SET expires_at = now() WHERE actor = 'user:leaves'`);
  await pool.query(`UPDATE artifact.uploaded_file SET expires_at = now() WHERE actor = 'user:leaves'`);
  await expect(receive(uploads, 'user:leaves', begun.id, 6, Buffer.from('x'))).rejects.toMatchObject({
    code: 'not_found',
  });
  await uploads.sweep();
  expect([await stored(looseHash), await stored(heldHash)]).toEqual([false, true]);
  expect((await readdir(directory)).some((name) => name.startsWith(begun.id))).toBe(false);
});
