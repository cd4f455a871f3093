// docs/reference/artifact.md#uploads: several processes, a process that is killed, a bucket as the store, quotas, and what
// expires.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { asSuperuser, freshDatabase } from '../testkit/database.ts';
import { startServer } from '../testkit/server.ts';
import { startProcess } from '../testkit/server-process.ts';
import { startS3 } from './s3-server.ts';
import { SAMPLE_FILE, sha256 } from './stored-files.ts';
import { create, receive, setUp, server, anotherProcess, stored } from './uploads-kept-testkit.ts';
import { FILES, PART, UPLOADS } from './uploads-testkit.ts';
import { waitFor } from '../testkit/wait-for.ts';

setUp();

const MIB = 1 << 20;

test('two processes go on with one upload in turn, and the hash is that of the whole', async () => {
  const [one, two] = [anotherProcess(), anotherProcess()];
  const content = randomBytes(300_000);
  const hash = `sha256:${sha256(content)}`;
  const { id } = await create(one, 'user:turns', content.length, hash);
  expect(await receive(one, 'user:turns', id, 0, content.subarray(0, 100_000))).toMatchObject({
    offset: 100_000,
  });
  expect(await receive(two, 'user:turns', id, 100_000, content.subarray(100_000, 200_000))).toMatchObject({
    hash: null,
  });
  // this one has a hash of the first part in memory, which no longer counts
  expect(await receive(one, 'user:turns', id, 200_000, content.subarray(200_000))).toMatchObject({
    offset: 300_000,
    hash,
  });
  expect(await stored(hash)).toBe(true);
});

test('a machine that has not the beginning of an upload says so, takes nothing of it, and leaves it as it is', async () => {
  const elsewhere = await mkdtemp(path.join(os.tmpdir(), 'cairn-other-machine-'));
  try {
    const [one, other] = [anotherProcess(), anotherProcess(elsewhere)];
    const content = randomBytes(200_000);
    const { id } = await create(one, 'user:machines', content.length);
    await receive(one, 'user:machines', id, 0, content.subarray(0, 100_000));
    const slow = new PassThrough();
    const open = receive(one, 'user:machines', id, 100_000, slow);
    slow.write(content.subarray(100_000, 150_000));
    for (const rest of [content.subarray(100_000), content.subarray(100_000)])
      await expect(receive(other, 'user:machines', id, 100_000, rest)).rejects.toMatchObject({
        code: 'not_found',
        message: expect.stringContaining('go on where it was begun'),
      });
    await expect(readdir(path.join(elsewhere, 'artifacts', 'uploads'))).rejects.toThrow('ENOENT');
    slow.destroy();
    await open.catch(() => undefined);
    const { rows } = await server.database.pool.query<{ received: string }>(
      'SELECT received FROM artifact.upload WHERE id = $1',
      [id],
    );
    const offset = Number(rows[0]?.received);
    expect(offset).toBeGreaterThanOrEqual(100_000);
    expect(await receive(one, 'user:machines', id, offset, content.subarray(offset))).toMatchObject({
      hash: `sha256:${sha256(content)}`,
    });
  } finally {
    await rm(elsewhere, { recursive: true });
  }
});

test('whoever claims an upload ends the claim of another process, whose bytes never get in', async () => {
  const [one, two] = [anotherProcess(), anotherProcess()];
  const content = randomBytes(200_000);
  const { id } = await create(one, 'user:claims', content.length);
  const slow = new PassThrough();
  const first = receive(one, 'user:claims', id, 0, slow);
  slow.write(randomBytes(50_000));
  await waitFor(async () => {
    const { rows } = await server.database.pool.query('SELECT holder FROM artifact.upload WHERE id = $1', [
      id,
    ]);
    expect(rows[0].holder).not.toBeNull();
  });
  expect(await receive(two, 'user:claims', id, 0, content.subarray(0, 100_000))).toMatchObject({
    offset: 100_000,
  });
  slow.end(randomBytes(50_000)); // other bytes for the same place
  await expect(first).rejects.toMatchObject({ code: 'conflict' });
  const { hash } = await receive(one, 'user:claims', id, 100_000, content.subarray(100_000));
  expect(hash).toBe(`sha256:${sha256(content)}`);
  // equal requests at one time: one of them writes, and the whole is right whichever it is
  const again = randomBytes(400_000);
  const raced = await create(one, 'user:claims', again.length);
  const outcomes = await Promise.allSettled([
    receive(one, 'user:claims', raced.id, 0, again),
    receive(two, 'user:claims', raced.id, 0, again),
  ]);
  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
  expect(await stored(`sha256:${sha256(again)}`)).toBe(true);
});

test('a complete upload that could not be attached is not over: whoever asks for it next attaches it', async () => {
  const one = anotherProcess(); // which does not reach the metadata
  await server.rest('POST', '/api/v1/metadata/ingest', {
    body: { id: 'reached', entity_type: 'SampleFile', data: {} },
  });
  const content = randomBytes(1000);
  const place = { entityId: 'reached', field: 'uri' };
  const { id } = await create(one, 'user:admin', content.length, null, place);
  await expect(receive(one, 'user:admin', id, 0, content)).rejects.toMatchObject({
    code: 'component_unavailable',
  });
  const uri = async (): Promise<unknown> =>
    (await server.rest('GET', '/api/v1/metadata/entities/reached')).body.data.data.uri;
  expect(await uri()).toBeUndefined();
  const head = await server.rest('HEAD', `${UPLOADS}/${id}`);
  expect([head.status, head.headers.get('upload-offset')]).toEqual([200, '1000']);
  expect(await uri()).toContain(sha256(content));
});

test('a complete upload whose process was killed while it was hashed is brought to its end', async () => {
  const one = anotherProcess();
  const content = randomBytes(100_000);
  const hash = `sha256:${sha256(content)}`;
  const { id } = await create(one, 'user:admin', content.length, hash);
  await receive(one, 'user:admin', id, 0, content.subarray(0, 60_000));
  // as a killed process leaves it: all of it recorded, and held
  await writeFile(path.join(server.dataDir, 'artifacts', 'uploads', `${id}.rest`), content.subarray(60_000));
  await server.database.pool.query(
    `INSERT INTO artifact.upload_part (upload_id, start, length, file) VALUES ($1, 60000, 40000, $2)`,
    [id, `${id}.rest`],
  );
  await server.database.pool.query(
    `UPDATE artifact.upload SET received = 100000, holder = 'killed', touched_at = now() - interval '16 seconds' WHERE id = $1`,
    [id],
  );
  const { status, headers } = await server.rest('HEAD', `${UPLOADS}/${id}`);
  expect([status, headers.get('upload-offset'), await stored(hash)]).toEqual([200, '100000', true]);
  expect((await server.rest('GET', `${UPLOADS}/${id}`)).body).toMatchObject({ file: { hash } });
});

test('a bucket is the store: parts are put together here, and the file goes there', async () => {
  await using service = await startS3('cairn');
  await using bucket = await startServer({
    config: `artifact:
  store: {type: s3, bucket: cairn, endpoint: "${service.url}", path_style: true, access_key_id_env: S3_KEY_ID, secret_access_key_env: S3_SECRET}
`,
    env: { S3_KEY_ID: 'S3RVER', S3_SECRET: 'S3RVER' },
    transport: 'in-process',
  });
  const content = randomBytes(MIB);
  const hex = sha256(content);
  const { headers } = await bucket.rest('POST', UPLOADS, { headers: { 'upload-length': String(MIB) } });
  const to = headers.get('location') ?? '';
  const part = (offset: number, body: Buffer) =>
    bucket.rest('PATCH', to, { body, headers: { 'content-type': PART, 'upload-offset': String(offset) } });
  expect((await part(0, content.subarray(0, 400_000))).status).toBe(204);
  expect((await part(400_000, content.subarray(400_000))).status).toBe(204);
  const answer = await fetch(`${bucket.url}${FILES}/${hex}`, { headers: { 'x-api-key': bucket.key } });
  expect(sha256(Buffer.from(await answer.arrayBuffer()))).toBe(hex);
  expect(await readdir(path.join(bucket.dataDir, 'artifact-uploads'))).toEqual([]);
});

test('a process that is killed in the middle loses little, and the next one goes on', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'cairn-upload-crash-'));
  try {
    const content = randomBytes(24 * MIB);
    const hex = sha256(content);
    const first = await startProcess({ dataDir });
    const head = (url: string, to: string, key: string) =>
      fetch(url + to, { method: 'HEAD', headers: { 'x-api-key': key } });
    const made = await fetch(first.url + UPLOADS, {
      method: 'POST',
      headers: { 'x-api-key': first.key, 'upload-length': String(content.length) },
    });
    const to = made.headers.get('location') ?? '';
    const request = http.request(first.url + to, {
      method: 'PATCH',
      headers: { 'x-api-key': first.key, 'content-type': PART, 'upload-offset': '0' },
    });
    request.on('error', () => undefined); // the process is killed
    // sent slowly, until something of it is recorded
    let sent = 0;
    const sending = setInterval(() => {
      if (sent < content.length - MIB) request.write(content.subarray(sent, (sent += MIB / 4)));
    }, 50);
    await waitFor(async () => {
      expect(Number((await head(first.url, to, first.key)).headers.get('upload-offset'))).toBeGreaterThan(0);
    });
    await first.end('SIGKILL');
    clearInterval(sending);
    const second = await startProcess({ dataDir });
    const offset = Number((await head(second.url, to, second.key)).headers.get('upload-offset'));
    expect(offset).toBeGreaterThan(0);
    const rest = await fetch(second.url + to, {
      method: 'PATCH',
      headers: { 'x-api-key': second.key, 'content-type': PART, 'upload-offset': String(offset) },
      body: content.subarray(offset),
    });
    expect([rest.status, rest.headers.get('upload-hash')]).toEqual([204, `sha256:${hex}`]);
    expect(await second.end('SIGTERM')).toBe(0);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

test('a process that is killed between the write of an entity and the record that it holds the file: the next one records it', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'cairn-attach-crash-'));
  await using database = await freshDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const content = randomBytes(1000);
  const hex = sha256(content);
  const start = () => startProcess({ dataDir, env: { DATABASE_URL: database.url } });
  try {
    const first = await start();
    const ask = (
      { url, key }: { readonly url: string; readonly key: string },
      method: string,
      to: string,
      body?: unknown,
    ) =>
      fetch(url + to, {
        method,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
    expect((await ask(first, 'POST', '/api/v1/metadata/schemas', SAMPLE_FILE)).status).toBe(200);
    const entity = { id: 'holds', entity_type: 'SampleFile', data: {} };
    expect((await ask(first, 'POST', '/api/v1/metadata/ingest', entity)).status).toBe(200);
    const viewer = await ask(first, 'POST', '/api/v1/gateway/auth/api-keys', {
      label: 'reads',
      role: 'viewer',
      owner: 'user:reader',
    });
    const { secret } = (await viewer.json()) as { secret: string };
    const put = await fetch(`${first.url}${FILES}/${hex}`, {
      method: 'PUT',
      headers: { 'x-api-key': first.key, 'content-type': 'application/octet-stream' },
      body: content,
    });
    expect(put.status).toBe(201);
    const attach = {
      query: 'mutation($hash: ID!) { attachFile(entityId: "holds", field: "uri", hash: $hash) { version } }',
      variables: { hash: `sha256:${hex}` },
    };
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('LOCK TABLE artifact.artifact_entity IN SHARE MODE'); // reading goes on
      ask(first, 'POST', '/graphql', attach).catch(() => undefined); // the process is killed
      await waitFor(async () => {
        const { rows } = await database.pool.query(
          `SELECT 1 FROM metadata.entity WHERE id = 'holds' AND data ->> 'uri' LIKE $1`,
          [`%${hex}`],
        );
        expect(rows).toHaveLength(1);
      });
      await first.end('SIGKILL');
      await asSuperuser(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND wait_event_type = 'Lock'`,
        name,
      );
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    // longer than the content of an upload stays without an entity
    await database.pool.query(`UPDATE artifact.uploaded_file SET expires_at = now() - interval '1 second'`);
    const second = await start();
    const read = () => ask({ ...second, key: secret }, 'GET', `${FILES}/${hex}`);
    await expect.poll(async () => (await read()).status, { interval: 500 }).toBe(200);
    expect(sha256(Buffer.from(await (await read()).arrayBuffer()))).toBe(hex);
    const { rows } = await database.pool.query(
      'SELECT entity_id, field, hash, entity_version FROM artifact.artifact_entity',
    );
    expect(rows).toEqual([{ entity_id: 'holds', field: 'uri', hash: `sha256:${hex}`, entity_version: 2 }]);
    expect((await database.pool.query('SELECT 1 FROM artifact.attachment_under_way')).rows).toEqual([]);
    expect(await second.end('SIGTERM')).toBe(0);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
