// docs/reference/artifact.md#uploads: files over HTTP, whole or in parts, interrupted and continued, by curl's way and
// by the tus protocol with its own client.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Answer, startServer, type TestServer } from '../testkit/server.ts';
import { addSchema } from './production-testkit.ts';
import { SAMPLE_FILE, sha256 } from './stored-files.ts';

const UPLOADS = '/api/v1/artifact/uploads';
const FILES = '/api/v1/artifact/files';
const PART = 'application/offset+octet-stream';
const b64 = (text: string): string => Buffer.from(text).toString('base64');
const hexOf = (content: Buffer, algorithm = 'sha1'): string =>
  createHash(algorithm).update(content).digest('base64');

describe.each(['in-process', 'http'] as const)('%s', (transport) => {
  let server: TestServer;
  let viewer: string;
  let other: string;
  beforeAll(async () => {
    server = await startServer({ transport });
    await addSchema(server, {
      ...SAMPLE_FILE,
      fields: [...SAMPLE_FILE.fields, { name: 'bams', field_type: 'uri', many: true, required: false }],
    });
    viewer = await server.newKey({ role: 'viewer', owner: 'user:viewer' });
    other = await server.newKey({ role: 'analyst', project: 'p2', owner: 'user:other' });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const entity = async (id: string, data: Record<string, unknown> = {}): Promise<void> => {
    const body = { id, entity_type: 'SampleFile', data };
    expect((await server.rest('POST', '/api/v1/metadata/ingest', { body })).status).toBeLessThan(300);
  };
  const create = async (headers: Record<string, string>): Promise<Answer> =>
    server.rest('POST', UPLOADS, { headers: { 'tus-resumable': '1.0.0', ...headers } });
  const begun = async (length: number, metadata?: string): Promise<string> => {
    const { headers, status } = await create({
      'upload-length': String(length),
      ...(metadata === undefined ? {} : { 'upload-metadata': metadata }),
    });
    expect(status).toBe(201);
    return headers.get('location') ?? '';
  };
  const patch = (
    to: string,
    offset: number,
    body: Buffer | string,
    headers: Record<string, string> = {},
    key?: string,
  ): Promise<Answer> =>
    server.rest('PATCH', to, {
      body,
      headers: {
        'content-type': PART,
        'upload-offset': String(offset),
        'tus-resumable': '1.0.0',
        ...headers,
      },
      ...(key === undefined ? {} : { key }),
    });
  const put = (to: string, body: string): Promise<Answer> =>
    server.rest('PUT', to, { body, headers: { 'content-type': 'text/plain' } });
  const offsetOf = async (to: string): Promise<number> =>
    Number((await server.rest('HEAD', to)).headers.get('upload-offset'));
  const download = (hex: string, key: string | null = server.key): Promise<Answer> =>
    server.rest('GET', `${FILES}/${hex}`, { key });
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
    await vi.waitFor(async () => {
      const { size } = await fileOf(directory, id.split('/').at(-1) ?? '');
      expect(size).toBeGreaterThanOrEqual(bytes);
    }, 20_000);
  };

  test('a file is put under its hash, attached to an entity, and read by who may see the entity', async () => {
    await entity('put1', { project: 'p1', note: 'kept' });
    const content = `##fileformat=VCFv4.3\n${transport}\n`;
    const hex = sha256(content);
    const query = '?name=calls%20ä.vcf&entity_id=put1&field=uri';
    const { status, body } = await server.rest('PUT', `${FILES}/${hex}${query}`, {
      body: content,
      headers: { 'content-type': 'text/plain', 'x-metadata-context': '{"notes":"from the sequencer"}' },
    });
    expect([status, body]).toMatchObject([
      201,
      { hash: `sha256:${hex}`, size: content.length, name: 'calls ä.vcf', media_type: 'text/plain' },
    ]);
    const { body: shown } = await server.rest('GET', '/api/v1/metadata/entities/put1');
    expect(shown.data).toMatchObject({
      version: 2,
      data: {
        uri: body.url,
        size: content.length,
        sha256: hex,
        file_name: 'calls ä.vcf',
        note: 'kept',
        project: 'p1',
      },
    });
    const { body: history } = await server.rest('GET', '/api/v1/metadata/entities/put1/history');
    expect(history.data.at(-1)).toMatchObject({
      event_type: 'EntityUpdated',
      actor: 'user:admin',
      context: { notes: 'from the sequencer' },
    });
    const seen = await server.rest('GET', '/api/v1/metadata/entities/put1/files/uri', { key: viewer });
    expect([seen.status, seen.text, seen.headers.get('content-type')]).toEqual([200, content, 'text/plain']);
    expect((await download(hex, other)).status).toBe(404);
  });

  test('content with another hash is refused, and nothing of it stays', async () => {
    const hex = sha256('what was meant');
    const { status, body } = await server.rest('PUT', `${FILES}/${hex}`, { body: 'what was sent' });
    expect([status, body]).toMatchObject([
      422,
      {
        error: 'validation_failed',
        details: { expected: `sha256:${hex}`, found: `sha256:${sha256('what was sent')}`, size: 13 },
      },
    ]);
    expect((await download(hex)).status).toBe(404);
    expect((await download(sha256('what was sent'))).status).toBe(404);
    const { body: left } = await server.rest('GET', UPLOADS);
    expect(
      left.items.filter((one: { expected_hash: string }) => one.expected_hash === `sha256:${hex}`),
    ).toEqual([]);
    expect((await server.rest('PUT', `${FILES}/nonsense`, { body: 'x' })).status).toBe(422);
  });

  test('a file that is only uploaded is seen by its uploader alone, who attaches it later', async () => {
    const content = `later ${transport}`;
    const hex = sha256(content);
    const { status } = await put(`${FILES}/${hex}?name=later.txt`, content);
    expect(status).toBe(201);
    expect([(await download(hex)).text, (await download(hex, viewer)).status]).toEqual([content, 404]);
    // whoever knows its hash alone cannot attach it
    await entity('theirs', { project: 'p2' });
    const attach = (id: string, field: string, body: unknown, options = {}): Promise<Answer> =>
      server.rest('PUT', `/api/v1/metadata/entities/${id}/files/${field}`, { body, ...options });
    expect((await attach('theirs', 'uri', { hash: hex }, { key: other })).status).toBe(404);
    await entity('later');
    expect((await attach('later', 'uri', { hash: hex }, { key: viewer })).status).toBe(403);
    expect((await attach('later', 'note', { hash: hex })).body.error).toEqual({
      code: 422,
      message: 'field note of SampleFile has the type string, not uri; fields for files: uri, index, bams',
    });
    expect((await attach('later', 'uri', { hash: hex }, { headers: { 'if-match': '"7"' } })).status).toBe(
      412,
    );
    expect((await attach('nowhere', 'uri', { hash: hex })).status).toBe(404);
    expect((await attach('later', 'bams', { hash: hex })).body.error.message).toBe(
      'field bams is a list: name an item of it, bams[0] to bams[0]',
    );
    const first = await attach('later', 'uri', { hash: hex }, { headers: { 'if-match': '"1"' } });
    expect([first.status, first.body.data]).toMatchObject([
      200,
      { entity_id: 'later', field: 'uri', version: 2, changed: true, file: { name: 'later.txt' } },
    ]);
    const { body: read } = await server.rest('GET', '/api/v1/metadata/entities/later');
    expect(first.body.meta.schema_version).toBe(read.meta.schema_version);
    expect((await attach('later', 'uri', { hash: hex })).body.data).toMatchObject({
      version: 2,
      changed: false,
    });
    expect((await attach('later', 'bams%5B0%5D', { hash: hex, name: 'a.bam' })).body.data.version).toBe(3);
    expect((await attach('later', 'bams%5B2%5D', { hash: hex })).status).toBe(422);
    expect((await server.rest('GET', '/api/v1/metadata/entities/later/files/bams%5B0%5D')).text).toBe(
      content,
    );
    // now everybody who sees the entity may read it, and attach it elsewhere
    expect((await download(hex, viewer)).text).toBe(content);
    expect((await attach('theirs', 'uri', { hash: hex }, { key: other })).body.data.version).toBe(2);
    const { body: mine } = await server.rest('GET', FILES);
    expect(
      mine.items.find((one: { file: { hash: string } }) => one.file.hash === `sha256:${hex}`),
    ).toMatchObject({
      is_attached: true,
    });
  });

  test('files that are attached at once are all there, and none is written over what came meanwhile', async () => {
    const hexes = await Promise.all(
      Array.from({ length: 6 }, async (_, i) => {
        const content = `at once ${transport} ${i}`;
        expect((await put(`${FILES}/${sha256(content)}`, content)).status).toBe(201);
        return sha256(content);
      }),
    );
    await entity('many', { bams: hexes.map((_, i) => `https://example.org/${i}`) });
    const attached = await Promise.all(
      hexes.map((hash, i) =>
        server.rest('PUT', `/api/v1/metadata/entities/many/files/bams%5B${i}%5D`, { body: { hash } }),
      ),
    );
    expect(attached.map(({ status, body }) => [status, body.data?.changed])).toEqual(
      hexes.map(() => [200, true]),
    );
    const bams = async (): Promise<string[]> =>
      (await server.rest('GET', '/api/v1/metadata/entities/many')).body.data.data.bams;
    expect((await bams()).map((address) => address.split('/').at(-1))).toEqual(
      hexes.map((hex) => expect.stringContaining(hex)),
    );
    // of two who name the same versions, one does not undo the other
    const shared = { 'if-match': Array.from({ length: 30 }, (_, i) => `"${i + 1}"`).join(', ') };
    const swapped = await Promise.all(
      hexes.map((_, i) =>
        server.rest('PUT', `/api/v1/metadata/entities/many/files/bams%5B${i}%5D`, {
          body: { hash: hexes.at(i - 1) },
          headers: shared,
        }),
      ),
    );
    const now = await bams();
    for (const [i, { status }] of swapped.entries())
      expect([i, now[i]?.includes(hexes.at(status === 200 ? i - 1 : i) ?? '')]).toEqual([i, true]);
  });

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
    await vi.waitFor(async () => expect(await offsetOf(to)).toBe(150_000), 20_000);
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

  test('a replaced file stays readable, because past states refer to it', async () => {
    await entity('twice', { project: 'p1' });
    const contents = [`first ${transport}`, `second ${transport}`, `third ${transport}`];
    for (const content of contents)
      expect((await put(`${FILES}/${sha256(content)}?entity_id=twice&field=uri`, content)).status).toBe(201);
    const reader = await server.newKey({ role: 'viewer', project: 'p1', owner: 'user:reader' });
    const read = async (field: string): Promise<string> =>
      (await server.rest('GET', `/api/v1/metadata/entities/twice/files/${field}`, { key: reader })).text;
    expect([await read('uri@2'), await read('uri@3'), await read('uri')]).toEqual(contents);
    for (const content of contents) expect((await download(sha256(content), reader)).text).toBe(content);
  });

  test('an entity that came from another project brings none of the files that it held only there', async () => {
    const contents = [`of p1 ${transport}`, `of both ${transport}`, `of p2 ${transport}`];
    const [before = '', both = '', after = ''] = contents.map(sha256);
    await entity('moved', { project: 'p1' });
    const attach = async (content: string): Promise<void> => {
      const to = `${FILES}/${sha256(content)}?entity_id=moved&field=uri`;
      expect((await put(to, content)).status).toBe(201);
    };
    await attach(contents[0] ?? '');
    await attach(contents[1] ?? '');
    const move = await server.rest('PUT', '/api/v1/metadata/entities/SampleFile/moved', {
      body: { data: { project: 'p2' } },
    });
    expect(move.status).toBe(200);
    await attach(contents[2] ?? '');
    const statuses = async (key: string): Promise<number[]> => [
      ...(await Promise.all([before, both, after].map(async (hex) => (await download(hex, key)).status))),
      ...(await Promise.all(
        ['uri@2', 'uri@3', 'uri'].map(
          async (field) =>
            (await server.rest('GET', `/api/v1/metadata/entities/moved/files/${field}`, { key })).status,
        ),
      )),
    ];
    const reader = await server.newKey({ role: 'viewer', project: 'p2', owner: 'user:theirs' });
    expect(await statuses(server.key)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await statuses(reader)).toEqual([404, 200, 200, 404, 200, 200]);
    const { body } = await server.graphql(
      '{ entity(id: "moved") { artifacts { field } } }',
      {},
      { key: reader },
    );
    expect(body.data.entity.artifacts).toEqual([{ field: 'uri' }, { field: 'uri@3' }]);
    // the same where a field was written by hand, so that its file is held and not named
    await entity('emptied', { project: 'p1' });
    const kept = `kept ${transport}`;
    await put(`${FILES}/${sha256(kept)}?entity_id=emptied&field=uri`, kept);
    for (const data of [{ uri: null }, { project: 'p2' }])
      await server.rest('PUT', '/api/v1/metadata/entities/SampleFile/emptied', { body: { data } });
    expect((await download(sha256(kept), reader)).status).toBe(404);
  });

  test('eviction leaves what was uploaded, unless it is named', async () => {
    const content = `irreplaceable ${transport}`;
    const hex = sha256(content);
    await entity('evict1');
    await put(`${FILES}/${hex}?entity_id=evict1&field=uri`, content);
    const { body } = await server.rest('DELETE', '/api/v1/artifact/cache/*');
    expect(body).toMatchObject({
      left: expect.arrayContaining([
        expect.objectContaining({
          hash: `sha256:${hex}`,
          reason: 'it was uploaded and cannot be made again: it is only evicted by its hash',
        }),
      ]),
    });
    expect((await download(hex)).text).toBe(content);
    expect((await server.rest('DELETE', `/api/v1/artifact/cache/sha256:${hex}`)).body).toMatchObject({
      evicted: 1,
    });
    expect((await download(hex)).status).toBe(404);
    expect((await server.rest('GET', '/api/v1/metadata/entities/evict1')).body.data.is_available).toBe(false);
  });
});

async function fileOf(directory: string, id: string): Promise<{ readonly size: number }> {
  const names = (await readdir(directory)).filter((name) => name.startsWith(id));
  const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(directory, name))).size));
  return { size: Math.max(0, ...sizes) };
}
