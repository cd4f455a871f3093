// What becomes of uploaded files: attached, replaced, moved and evicted.
import { describe, expect, test } from 'vitest';
import type { Answer } from '../testkit/server.ts';
import { sha256 } from './stored-files.ts';
import { download, entity, FILES, other, put, server, setUp, UPLOADS, viewer } from './uploads-testkit.ts';

describe.each(['in-process', 'http'] as const)('%s', (transport) => {
  setUp(transport);

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

  test('the file that a field held at a time is read as of it', async () => {
    await entity('past1');
    const [first, second] = [`before ${transport}`, `after ${transport}`];
    for (const content of [first, second])
      await server.rest('PUT', `${FILES}/${sha256(content)}?entity_id=past1&field=uri`, {
        body: content,
        headers: { 'content-type': 'text/plain' },
      });
    const { body: history } = await server.rest('GET', '/api/v1/metadata/entities/past1/history');
    const read = async (at: number, key: string): Promise<readonly unknown[]> => {
      const asOf = encodeURIComponent(String(history.data[at].timestamp));
      const { status, text } = await server.rest(
        'GET',
        `/api/v1/metadata/entities/past1/files/uri?as_of=${asOf}`,
        { key },
      );
      return status === 200 ? [status, text] : [status];
    };
    expect(await Promise.all([0, 1, 2].map((at) => read(at, viewer)))).toEqual([
      [404],
      [200, first],
      [200, second],
    ]);
    const { status } = await server.rest('GET', '/api/v1/metadata/entities/past1/files/uri?as_of=then');
    expect(status).toBe(422);
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

  test('who knows the hash of a file that an entity held in another project does not read it there by writing its address', async () => {
    const [content, again] = [`of p1 alone ${transport}`, `brought along ${transport}`];
    const change = async (id: string, data: Record<string, unknown>, key = server.key): Promise<void> => {
      const body = { data };
      const answer = await server.rest('PUT', `/api/v1/metadata/entities/SampleFile/${id}`, { body, key });
      expect(answer.status).toBe(200);
    };
    const readBy = async (key: string, id: string, text: string): Promise<number[]> => [
      (await server.rest('GET', `/api/v1/metadata/entities/${id}/files/uri`, { key })).status,
      (await download(sha256(text), key)).status,
    ];
    for (const [id, text] of [
      ['cleared', content],
      ['kept', again],
    ] as const) {
      await entity(id, { project: 'p1' });
      expect((await put(`${FILES}/${sha256(text)}?entity_id=${id}&field=uri`, text)).status).toBe(201);
    }
    await change('cleared', { uri: null });
    for (const id of ['cleared', 'kept']) await change(id, { project: 'p2' });
    await change('cleared', { uri: `${server.url}${FILES}/${sha256(content)}` }, other);
    expect(await readBy(other, 'cleared', content)).toEqual([404, 404]);
    const { body } = await server.graphql(
      '{ entity(id: "cleared") { artifacts { field } } }',
      {},
      { key: other },
    );
    expect(body.data.entity.artifacts).toEqual([]);
    // what is named when it is moved comes along, also where its address is taken away and written again
    await change('kept', { uri: null }, other);
    await change('kept', { uri: `${server.url}${FILES}/${sha256(again)}` }, other);
    expect(await readBy(other, 'kept', again)).toEqual([200, 200]);
    // who may read it attaches it there, and where it was before it stays
    await server.rest('PUT', '/api/v1/metadata/entities/cleared/files/uri', {
      body: { hash: sha256(content) },
    });
    expect(await readBy(other, 'cleared', content)).toEqual([200, 200]);
    const before = await server.newKey({ role: 'viewer', project: 'p1', owner: 'user:before' });
    expect((await download(sha256(content), before)).status).toBe(404); // the entity is not theirs any more
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
