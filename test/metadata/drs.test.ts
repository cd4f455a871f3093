// GA4GH Data Repository Service over entities (docs/reference/metadata.md#drs).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checksumsOf, readChecksum } from '../../subgraphs/metadata/drs/checksums.ts';
import { fileOf } from '../../subgraphs/metadata/drs/drs-object.ts';
import { ga4ghFaults } from '../contract/ga4gh/validate.ts';
import { metadataFace, type MetadataFace } from '../testkit/metadata-rest-api.ts';
import { callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

const SHA = 'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855'.toLowerCase();
const MD5 = 'd41d8cd98f00b204e9800998ecf8427e';
const DRS = '/ga4gh/drs/v1';

let metadata: FreshMetadata;
let rest: MetadataFace;
const make = (id: string, data: object) =>
  rest('POST', '/ingest', { body: { entity_type: 'File', id, data } });
const object = (id: string, more: Parameters<MetadataFace>[2] = {}) =>
  rest('GET', `${DRS}/objects/${encodeURIComponent(id)}`, more);

beforeAll(async () => {
  metadata = await freshMetadata();
  rest = metadataFace(metadata.component);
  const json = ['checksums', 'uris'].map((name) => ({ name, field_type: 'json' }));
  const texts = [
    'name',
    'uri',
    'md5',
    'sha256',
    'checksum',
    'checksum_type',
    'mime_type',
    'description',
    'project',
  ].map((name) => ({ name, field_type: 'string' }));
  await rest('POST', '/schemas', {
    body: { name: 'File', version: '1', fields: [...json, ...texts, { name: 'size', field_type: 'int' }] },
  });
});
afterAll(() => metadata[Symbol.asyncDispose]());

test('an entity with size and checksum is a valid DRS object, bare, by its id', async () => {
  await make('f:1', {
    name: 'reads.bam',
    size: 5_000_000_000,
    sha256: SHA,
    md5: MD5,
    uri: 's3://bucket/reads.bam',
    uris: ['https://files.test/reads.bam', 'http://plain.test/x'],
    mime_type: 'application/bam',
    description: 'Reads.',
  });
  await rest('POST', '/entities/f%3A1/external-ids', { body: { external_id: 'EGAF1' } });
  const {
    body: { data: entity },
  } = await rest('GET', '/entities/f%3A1');
  const found = await object('f:1');
  expect(found.status).toBe(200);
  expect(ga4ghFaults('DrsObject', found.body)).toEqual([]);
  expect(found.body).toEqual({
    id: 'f:1',
    name: 'reads.bam',
    self_uri: 'drs://cairn.test/f%3A1',
    size: 5_000_000_000,
    created_time: entity.created_at,
    updated_time: entity.updated_at,
    version: '1',
    mime_type: 'application/bam',
    checksums: [
      { type: 'md5', checksum: MD5 },
      { type: 'sha-256', checksum: SHA },
    ],
    access_methods: [
      { type: 's3', access_url: { url: 's3://bucket/reads.bam' } },
      { type: 'https', access_url: { url: 'https://files.test/reads.bam' } },
    ],
    description: 'Reads.',
    aliases: ['EGAF1'],
  });
});

test('unknown values are omitted, never null', async () => {
  await make('f2', { size: 0, checksum: MD5 });
  const found = await object('f2');
  expect(ga4ghFaults('DrsObject', found.body)).toEqual([]);
  expect(Object.keys(found.body)).not.toContain('name');
  expect(JSON.stringify(found.body)).not.toContain('null');
});

test('as of a time the object is the file of that time, by id and by its checksum at that time', async () => {
  await make('t1', { size: 1, sha256: 'd1'.repeat(32) });
  const { updated_time: then } = (await object('t1')).body as { updated_time: string };
  await rest('POST', '/ingest', {
    body: { entity_type: 'File', id: 't1', data: { size: 2, sha256: 'd2'.repeat(32) } },
  });
  const at = async (id: string, asOf = ''): Promise<unknown[]> => {
    const { status, body } = await rest('GET', `${DRS}/objects/${encodeURIComponent(id)}${asOf}`);
    return [status, body.size];
  };
  expect(await at('t1')).toEqual([200, 2]);
  expect(await at('t1', `?as_of=${then}`)).toEqual([200, 1]);
  expect(await at(`sha-256:${'d1'.repeat(32)}`)).toEqual([404, undefined]);
  expect(await at(`sha-256:${'d1'.repeat(32)}`, `?as_of=${then}`)).toEqual([200, 1]);
  expect(await at(`sha-256:${'d2'.repeat(32)}`, `?as_of=${then}`)).toEqual([404, undefined]);
});

test('without size or checksum, absent, unavailable or unseen it is 404 in the shape of DRS', async () => {
  await make('f3', { name: 'x', md5: MD5 });
  await make('f4', { name: 'x', size: 4 });
  await make('f5', { size: 4, md5: MD5 });
  await make('f6', { size: 4, md5: MD5, project: 'alpha' });
  await rest('DELETE', '/entities/f5');
  const beta = callerWith('viewer', ['beta']);
  for (const answer of [
    await object('f3'),
    await object('f4'),
    await object('f5'),
    await object('nothing'),
    await object('f6', { caller: beta }),
  ]) {
    expect(answer.status).toBe(404);
    expect(ga4ghFaults('Error', answer.body)).toEqual([]);
    expect(answer.body).toMatchObject({ status_code: 404, msg: expect.stringContaining('no DRS object') });
    expect(Object.keys(answer.body).sort()).toEqual(['msg', 'status_code']);
  }
  expect((await object('f6')).status).toBe(200);
});

test('unknown paths below DRS are refused in the shape of DRS, too', async () => {
  for (const path of ['/nothing', '/objects/f%3A1/nothing']) {
    const { status, body } = await rest('GET', DRS + path);
    expect(body).toEqual({ msg: expect.stringContaining(path) as unknown, status_code: 404 });
    expect(status).toBe(404);
  }
  expect(await rest('PUT', `${DRS}/objects/f%3A1`, { body: {} })).toMatchObject({
    status: 405,
    headers: { allow: 'GET, POST, OPTIONS, HEAD' },
    body: { msg: 'the method PUT is not allowed here; allowed: GET, POST, OPTIONS, HEAD', status_code: 405 },
  });
  expect((await rest('GET', '/nothing')).body).toMatchObject({ error: { code: 404 } });
});

test('an object is found by its checksum in any spelling, by those who may see it', async () => {
  const sum = (letter: string) => letter.repeat(64);
  await make('c1', { size: 1, sha256: sum('a') });
  await make('c2', { size: 1, checksums: [{ type: 'sha-256', checksum: sum('b') }] });
  await make('c3', { size: 1, checksums: { sha256: sum('c') } });
  await make('c4', { size: 1, checksum: `sha256:${sum('d')}` });
  await make('c5', { size: 1, checksum: sum('e'), checksum_type: 'SHA256' });
  await make('c6', { size: 1, checksum: `sha1$${'f'.repeat(40)}`, project: 'alpha' });
  await make('c7', { sha256: sum('9') });
  for (const [i, letter] of [...'abcde'].entries()) {
    for (const name of ['sha-256', 'sha256', 'SHA256'])
      expect((await object(`${name}:${sum(letter)}`)).body.id).toBe(`c${i + 1}`);
    expect((await object(sum(letter).toUpperCase())).body.id).toBe(`c${i + 1}`);
  }
  expect((await object(`sha1:${'f'.repeat(40)}`)).body.id).toBe('c6');
  expect((await object(`sha1:${'f'.repeat(40)}`, { caller: callerWith('viewer', ['beta']) })).status).toBe(
    404,
  );
  expect((await object(`md5:${sum('a')}`)).status).toBe(404);
  expect((await object(`sha-256:${sum('9')}`)).status).toBe(404);
});

test('entities that the caller may not see do not hide one that the caller may see', async () => {
  const sum = '8'.repeat(64);
  for (let i = 0; i < 25; i++) await make(`hidden${i}`, { size: 1, sha256: sum, project: 'alpha' });
  await make('shown', { size: 1, sha256: sum });
  expect((await object(sum, { caller: callerWith('viewer', ['beta']) })).body.id).toBe('shown');
  expect((await object(sum)).body.id).toBe('hidden0');
});

test('service-info is valid against GA4GH service-info and DRS', async () => {
  const { status, body } = await rest('GET', `${DRS}/service-info`);
  expect(status).toBe(200);
  expect(ga4ghFaults('Service', body)).toEqual([]);
  expect(ga4ghFaults('DrsService', body)).toEqual([]);
  expect(body).toMatchObject({
    type: { group: 'org.ga4gh', artifact: 'drs', version: '1.5.0' },
    organization: { url: 'http://cairn.test/' },
    maxBulkRequestLength: 100,
  });
});

test('checksums are read off every convention, each type once', () => {
  expect(readChecksum('md5:abc')).toEqual({ type: 'md5', checksum: 'abc' });
  expect(readChecksum('xyz')).toBeNull();
  expect(readChecksum('a'.repeat(41))).toBeNull();
  expect(checksumsOf({ sha256: SHA, checksum: `sha-256:${SHA}`, checksums: [`md5:${MD5}`, 5, {}] })).toEqual([
    { type: 'md5', checksum: MD5 },
    { type: 'sha-256', checksum: SHA },
  ]);
  expect(
    checksumsOf(
      JSON.parse('{"__proto__": {"md5": "x"}, "checksums": {"__proto__": "y"}}') as Record<string, unknown>,
    ),
  ).toEqual([{ type: '__proto__', checksum: 'y' }]);
  expect(fileOf({ size: -1, md5: MD5 })).toBeNull();
  expect(fileOf({ size: 1.5, md5: MD5 })).toBeNull();
  expect(fileOf({ size_bytes: 3, md5: MD5 })?.accessMethods).toBeNull();
});
