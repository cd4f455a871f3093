// docs/reference/artifact.md#uploads: files over HTTP, whole or in parts, interrupted and continued, by curl's way and
// by the tus protocol with its own client.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { Upload } from 'tus-js-client';
import { describe, expect, test } from 'vitest';
import { sha256 } from './stored-files.ts';
import {
  begun,
  create,
  download,
  entity,
  FILES,
  offsetOf,
  PART,
  patch,
  put,
  server,
  setUp,
  UPLOADS,
} from './uploads-testkit.ts';

const b64 = (text: string): string => Buffer.from(text).toString('base64');

const hexOf = (content: Buffer, algorithm = 'sha1'): string =>
  createHash(algorithm).update(content).digest('base64');

describe.each(['in-process', 'http'] as const)('%s', (transport) => {
  setUp(transport);

  test('metadata that is no text is refused where text is meant, and kept where it means nothing here', async () => {
    const bytes = Buffer.from('caf\u00e9', 'latin1').toString('base64');
    const named = await create({ 'upload-length': '1', 'upload-metadata': `filename ${bytes}` });
    expect([named.status, named.body.message]).toEqual([
      400,
      'the value of filename in Upload-Metadata is not UTF-8',
    ]);
    const to = await begun(1, `thumbnail ${bytes}`);
    expect((await server.rest('HEAD', to)).headers.get('upload-metadata')).toBe(`thumbnail ${bytes}`);
    expect((await server.rest('DELETE', to)).status).toBe(204);
    const hex = sha256('x');
    expect((await put(`${FILES}/${hex}?name=caf%E9`, 'x')).status).toBe(400);
    expect((await put(`${FILES}/${hex}?name=caf%C3%A9%EF%BF%BD`, 'x')).body.name).toBe('caf\u00e9\ufffd');
  });

  test('the client of tus uploads in parts, and goes on after an interruption', async () => {
    const content = randomBytes(3_000_000);
    const hex = sha256(content);
    await entity('tus1');
    const options = {
      endpoint: server.url + UPLOADS,
      headers: { 'x-api-key': server.key },
      metadata: {
        filename: 'tüs.bam',
        filetype: 'application/x-bam',
        sha256: hex,
        entity_id: 'tus1',
        field: 'uri',
      },
      chunkSize: 1_000_000,
      retryDelays: null,
    };
    let address = '';
    await new Promise<void>((resolve, reject) => {
      const upload = new Upload(content, {
        ...options,
        onError: reject,
        onChunkComplete: () => {
          address = upload.url ?? '';
          upload.abort().then(resolve, reject);
        },
      });
      upload.start();
    });
    expect(await offsetOf(new URL(address).pathname)).toBeGreaterThanOrEqual(1_000_000);
    const sent: number[] = [];
    await new Promise<void>((resolve, reject) => {
      new Upload(content, {
        ...options,
        uploadUrl: address,
        onError: reject,
        onSuccess: () => resolve(),
        onProgress: (bytes) => sent.push(bytes),
      }).start();
    });
    expect(sent[0]).toBeGreaterThanOrEqual(1_000_000);
    const answer = await fetch(`${server.url}/api/v1/metadata/entities/tus1/files/uri`, {
      headers: { 'x-api-key': server.key },
    });
    expect(sha256(Buffer.from(await answer.arrayBuffer()))).toBe(hex);
    expect(answer.headers.get('content-type')).toBe('application/x-bam');
    expect(await readdir(path.join(server.dataDir, 'artifacts', 'uploads'))).toEqual([]);
  });

  test('the client of tus learns that its file has not the hash it was to have', async () => {
    const upload = new Promise<void>((resolve, reject) => {
      new Upload(Buffer.from('other content'), {
        endpoint: server.url + UPLOADS,
        headers: { 'x-api-key': server.key },
        metadata: { sha256: sha256('meant') },
        retryDelays: null,
        onError: reject,
        onSuccess: () => resolve(),
      }).start();
    });
    await expect(upload).rejects.toThrow(/response code: 422.*was not stored/s);
  });

  test('HEAD, OPTIONS and errors are what the protocol says', async () => {
    const options = await server.rest('OPTIONS', UPLOADS, { key: null });
    expect([options.status, Object.fromEntries(options.headers)]).toMatchObject([
      204,
      {
        'tus-version': '1.0.0',
        'tus-resumable': '1.0.0',
        'tus-extension':
          'creation,creation-with-upload,creation-defer-length,termination,checksum,expiration',
        'tus-max-size': String(100 * 2 ** 30),
        'tus-checksum-algorithm': 'sha1,sha256,md5',
      },
    ]);
    const metadata = `filename ${b64('a.txt')},is_confidential`;
    const to = await begun(10, metadata);
    const head = await server.rest('HEAD', to);
    expect([head.status, Object.fromEntries(head.headers)]).toMatchObject([
      200,
      {
        'upload-length': '10',
        'upload-offset': '0',
        'upload-metadata': metadata,
        'cache-control': 'no-store',
        'tus-resumable': '1.0.0',
      },
    ]);
    expect(Date.parse(head.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now());
    const first = await patch(to, 0, 'hello');
    expect([first.status, first.text, first.headers.get('upload-offset')]).toEqual([204, '', '5']);
    expect((await patch(to, 0, 'hello')).body).toMatchObject({ error: 'conflict', details: { offset: 5 } });
    expect((await patch(to, 5, 'more than fits')).body).toMatchObject({ error: 'payload_too_large' });
    expect((await patch(to, 5, 'x', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await patch(to, 5, 'x', { 'tus-resumable': '0.2.2' })).status).toBe(412);
    expect((await patch(to, 5, 'x', { 'upload-length': '11' })).body.message).toBe(
      'the upload has the length 10',
    );
    expect((await patch(to, 5, 'x', { 'upload-checksum': 'crc32 AAAA' })).status).toBe(400);
    expect((await create({})).status).toBe(400);
    expect((await create({ 'upload-length': '1e3' })).status).toBe(400);
    expect((await create({ 'upload-length': String(2 ** 50) })).body).toMatchObject({
      error: 'payload_too_large',
      details: { limit: 100 * 2 ** 30 },
    });
    expect((await create({ 'upload-length': '1', 'upload-metadata': 'a b c' })).status).toBe(400);
    expect(
      (await create({ 'upload-length': '1', 'upload-metadata': `entity_id ${b64('tus1')}` })).status,
    ).toBe(422);
    expect(
      (
        await create({
          'upload-length': '1',
          'upload-metadata': `entity_id ${b64('no')},field ${b64('uri')}`,
        })
      ).status,
    ).toBe(404);
    expect((await server.rest('PUT', to)).status).toBe(405);
    expect((await server.rest('DELETE', to)).status).toBe(204);
    for (const method of ['HEAD', 'GET', 'DELETE']) expect((await server.rest(method, to)).status).toBe(404);
    expect((await patch(to, 5, 'x')).status).toBe(404);
  });

  test('a checksum takes a part as a whole or not at all', async () => {
    const to = await begun(10);
    const hello = Buffer.from('hello');
    const wrong = await patch(to, 0, 'hellO', { 'upload-checksum': `sha1 ${hexOf(hello)}` });
    expect([wrong.status, wrong.body.error, await offsetOf(to)]).toEqual([460, 'checksum_mismatch', 0]);
    expect((await patch(to, 0, hello, { 'upload-checksum': `sha1 ${hexOf(hello)}` })).status).toBe(204);
    expect((await patch(to, 5, 'World', { 'upload-checksum': `md5 ${hexOf(hello, 'md5')}` })).status).toBe(
      460,
    );
    const world = Buffer.from('world');
    expect(
      (await patch(to, 5, world, { 'upload-checksum': `sha256 ${hexOf(world, 'sha256')}` })).status,
    ).toBe(204);
    expect((await download(sha256('helloworld'))).text).toBe('helloworld');
  });

  test('a length may come later, content with the creation, and a file may be empty', async () => {
    const { headers } = await create({ 'upload-defer-length': '1' });
    const to = headers.get('location') ?? '';
    expect((await patch(to, 0, 'deferred')).status).toBe(204);
    expect((await server.rest('HEAD', to)).headers.get('upload-defer-length')).toBe('1');
    expect((await patch(to, 8, '', { 'upload-length': '8' })).status).toBe(204);
    expect((await download(sha256('deferred'))).text).toBe('deferred');
    const at = await server.rest('POST', UPLOADS, {
      body: 'at onc',
      headers: { 'upload-length': '7', 'content-type': PART },
    });
    expect([at.status, at.headers.get('upload-offset')]).toEqual([201, '6']);
    expect((await patch(at.headers.get('location') ?? '', 6, 'e')).status).toBe(204);
    expect((await download(sha256('at once'))).text).toBe('at once');
    expect((await create({ 'upload-length': '0' })).status).toBe(201);
    expect((await server.rest('PUT', `${FILES}/${sha256('')}`)).body).toMatchObject({ size: 0 });
    // without a length: in chunks
    const hex = sha256('chunked');
    const request = http.request(`${server.url}${FILES}/${hex}`, {
      method: 'PUT',
      headers: { 'x-api-key': server.key, 'transfer-encoding': 'chunked' },
    });
    request.write('chun');
    request.end('ked');
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    answer.resume();
    expect([answer.statusCode, (await download(hex)).text]).toEqual([201, 'chunked']);
  });

  test('a key for one project reaches nothing that its owner has uploaded with another reach', async () => {
    const analyst = { role: 'analyst', owner: 'user:both' };
    const [p1 = '', p2 = '', all = ''] = await Promise.all([
      server.newKey({ ...analyst, project: 'p1' }),
      server.newKey({ ...analyst, project: 'p2' }),
      server.newKey(analyst),
    ]);
    await entity('reach1', { project: 'p2' });
    const content = `of p1 ${transport}`;
    const hex = sha256(content);
    const send = async (key: string) =>
      (await server.rest('PUT', `${FILES}/${hex}`, { body: content, key })).status;
    const reached = async (key: string): Promise<unknown> => {
      const { body } = await server.rest('GET', FILES, { key });
      const { status } = await server.rest('HEAD', `${FILES}/${hex}`, { key });
      return [status, body.items.length];
    };
    expect(await send(p1)).toBe(201);
    expect(await Promise.all([p1, p2, all].map(reached))).toEqual([
      [200, 1],
      [404, 0],
      [200, 1],
    ]);
    const attach = { body: { hash: `sha256:${hex}` }, key: p2 };
    const to = '/api/v1/metadata/entities/reach1/files/uri';
    expect((await server.rest('PUT', to, attach)).status).toBe(404);

    const headers = { 'upload-length': '9', 'tus-resumable': '1.0.0' };
    const { headers: made } = await server.rest('POST', UPLOADS, { headers, key: all });
    const upload = made.get('location') ?? '';
    expect((await server.rest('HEAD', upload, { key: p1 })).status).toBe(404);
    expect((await patch(upload, 0, 'bytes', {}, p1)).status).toBe(404);
    expect((await server.rest('DELETE', upload, { key: p2 })).status).toBe(404);
    expect((await server.rest('HEAD', upload, { key: all })).status).toBe(200);

    expect(await send(p2)).toBe(201); // whoever has the content may have the file
    expect(await Promise.all([p1, p2].map(reached))).toEqual([
      [200, 1],
      [200, 1],
    ]);
    expect((await server.rest('PUT', to, attach)).status).toBe(200);
  });

  test('a part of a file is no whole file, whatever its hash, and where nothing is to be received', async () => {
    const [content, stored] = ['a part that has the hash', `stored before the part ${transport}`];
    expect((await put(`${FILES}/${sha256(stored)}`, stored)).status).toBe(201);
    const headers = { 'content-range': 'bytes 0-9/1000' };
    for (const body of [content, stored]) {
      const answer = await server.rest('PUT', `${FILES}/${sha256(body)}`, { body, headers });
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('uploads (tus)')]);
    }
    expect((await download(sha256(content))).status).toBe(404);
  });
});
