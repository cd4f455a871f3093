// docs/reference/metadata.md#drs: stored files by DRS, several objects at once, and what needs no credential.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { objectKey } from '../../subgraphs/artifact/storage/object-store.ts';
import { addSchema } from '../artifact/production-testkit.ts';
import { addFileEntity, putContent, SAMPLE_FILE } from '../artifact/stored-files.ts';
import { ga4ghFaults } from '../contract/ga4gh/validate.ts';
import { startServer, type TestServer } from '../testkit/server.ts';

const DRS = '/ga4gh/drs/v1';
let server: TestServer;
let hex: string;

beforeAll(async () => {
  server = await startServer({ config: 'server: {public_url: "https://cairn.test/"}' });
  await addSchema(server, SAMPLE_FILE);
  hex = await putContent(server, 'content');
  const data = { size: 7, sha256: hex, project: 'p1' };
  await addFileEntity(server, { id: 'd1', hex, data });
  await addFileEntity(server, {
    id: 'd2',
    hex,
    data: { ...data, uri: `file:///before/artifacts/sha256/${objectKey(`sha256:${hex}`)}` },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

test.each(['d1', 'd2'])(
  'a stored file has an https access method with its public address, whatever address %s has',
  async (id) => {
    const { body } = await server.rest('GET', `${DRS}/objects/${id}`);
    expect(ga4ghFaults('DrsObject', body)).toEqual([]);
    const url = `https://cairn.test/api/v1/artifact/files/${hex}`;
    expect(body.access_methods).toEqual([{ type: 'https', access_id: hex, access_url: { url } }]);
    const access = await server.rest('GET', `${DRS}/objects/${id}/access/${hex}`);
    expect([access.status, access.body]).toEqual([200, { url }]);
    expect((await server.rest('GET', new URL(url).pathname)).text).toBe('content');
  },
);

test('an access id of another file, or of an object that is not there, is 404', async () => {
  for (const to of [`d1/access/${'0'.repeat(64)}`, `none/access/${hex}`]) {
    const { status, body } = await server.rest('GET', `${DRS}/objects/${to}`);
    expect([status, body.status_code]).toEqual([404, 404]);
  }
});

test('several objects are answered at once, and those that the caller cannot see are listed', async () => {
  const ids = ['d1', 'none', `sha-256:${hex}`];
  const ask = (key?: string) =>
    server.rest('POST', `${DRS}/objects`, {
      body: { bulk_object_ids: ids },
      ...(key === undefined ? {} : { key }),
    });
  const { status, body } = await ask();
  expect(status).toBe(200);
  expect(body).toMatchObject({
    summary: { requested: 3, resolved: 2, unresolved: 1 },
    resolved_drs_object: [{ id: 'd1' }, { id: 'd1' }],
    unresolved_drs_objects: [{ error_code: 404, object_ids: ['none'] }],
  });
  for (const object of body.resolved_drs_object) expect(ga4ghFaults('DrsObject', object)).toEqual([]);
  const other = await server.newKey({ role: 'viewer', project: 'p2' });
  expect((await ask(other)).body).toMatchObject({
    summary: { requested: 3, resolved: 0, unresolved: 3 },
    resolved_drs_object: [],
    unresolved_drs_objects: [{ error_code: 404, object_ids: ids }],
  });
  expect((await server.rest('POST', `${DRS}/objects/d1`, { body: { passports: ['x'] } })).body.id).toBe('d1');
});

test('what is no list, and a list that is too long, is refused', async () => {
  for (const [ids, expected] of [
    [undefined, 400],
    [[], 400],
    [[1], 400],
    ['d1', 400],
    [Array.from({ length: 101 }, () => 'd1'), 413],
  ] as const) {
    const { status, body } = await server.rest('POST', `${DRS}/objects`, { body: { bulk_object_ids: ids } });
    expect([status, body.status_code], JSON.stringify(ids)).toEqual([expected, expected]);
  }
  const { body } = await server.rest('GET', `${DRS}/service-info`);
  expect([body.maxBulkRequestLength, body.drs.maxBulkRequestLength]).toEqual([100, 100]);
});

test('service-info and OPTIONS need no credential, and OPTIONS tells nothing of what is there', async () => {
  expect((await server.rest('GET', `${DRS}/service-info`, { key: null })).status).toBe(200);
  for (const id of ['d1', 'none']) {
    const { status, body } = await server.rest('OPTIONS', `${DRS}/objects/${id}`, { key: null });
    expect([status, body]).toEqual([200, { drs_object_id: id, supported_types: ['BearerAuth'] }]);
    expect(ga4ghFaults('Authorizations', body)).toEqual([]);
  }
  for (const [method, to] of [
    ['GET', 'd1'],
    ['GET', `d1/access/${hex}`],
    ['POST', 'd1'],
  ])
    expect(await server.rest(String(method), `${DRS}/objects/${to}`, { key: null })).toMatchObject({
      status: 401,
      body: {
        status_code: 401,
        msg: expect.stringContaining('a credential is required'),
        error: 'missing_token',
      },
    });
});

test('addresses of several objects are answered at once, and by POST as by GET', async () => {
  const url = `https://cairn.test/api/v1/artifact/files/${hex}`;
  const posted = await server.rest('POST', `${DRS}/objects/d1/access/${hex}`, { body: { passports: ['x'] } });
  expect([posted.status, posted.body]).toEqual([200, { url }]);
  const ask = (requests: unknown) =>
    server.rest('POST', `${DRS}/objects/access`, { body: { bulk_object_access_ids: requests } });
  const { status, body } = await ask([
    { bulk_object_id: 'd1', bulk_access_ids: [hex, 'other'] },
    { bulk_object_id: 'none', bulk_access_ids: [hex] },
  ]);
  expect([status, body]).toEqual([
    200,
    {
      summary: { requested: 3, resolved: 1, unresolved: 2 },
      resolved_drs_object_access_urls: [{ drs_object_id: 'd1', drs_access_id: hex, url }],
      unresolved_drs_objects: [{ error_code: 404, object_ids: ['d1', 'none'] }],
    },
  ]);
  for (const [requests, expected] of [
    [[], 400],
    [[{ bulk_object_id: 'd1' }], 400],
    [['d1'], 400],
    [[{ bulk_object_id: 'd1', bulk_access_ids: Array.from({ length: 101 }, () => hex) }], 413],
  ] as const) {
    const refused = await ask(requests);
    expect([refused.status, refused.body.status_code]).toEqual([expected, expected]);
  }
});

test('how several objects are authorized is said without a credential, whether they are there or not', async () => {
  const ask = (ids: unknown) =>
    server.rest('OPTIONS', `${DRS}/objects`, { key: null, body: { bulk_object_ids: ids } });
  expect((await ask(['d1', 'none'])).body).toEqual({
    summary: { requested: 2, resolved: 2, unresolved: 0 },
    resolved_drs_object: ['d1', 'none'].map((id) => ({ drs_object_id: id, supported_types: ['BearerAuth'] })),
    unresolved_drs_objects: [],
  });
  expect((await ask([])).status).toBe(400);
  expect((await ask(Array.from({ length: 101 }, () => 'd1'))).status).toBe(413);
});
