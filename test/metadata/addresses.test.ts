// Metadata's paths through the whole platform: identifiers that need escaping, public paths, DRS beside the
// API.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ga4ghFaults } from '../contract/ga4gh/validate.ts';
import { startServer } from '../testkit/server.ts';

const BASE = '/api/v1/metadata';
let server: Awaited<ReturnType<typeof startServer>>;
const escaped = encodeURIComponent;

beforeAll(async () => {
  server = await startServer();
  await server.rest('POST', `${BASE}/schemas`, {
    body: {
      name: 'File',
      version: '1',
      fields: [
        { name: 'size', field_type: 'int' },
        { name: 'md5', field_type: 'string' },
      ],
    },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

const make = (id: string, data: object = {}) =>
  server.rest('POST', `${BASE}/ingest`, { body: { entity_type: 'File', id, data } });

test('health and information are public; everything else needs a credential', async () => {
  expect(await server.rest('GET', `${BASE}/health`, { key: null })).toMatchObject({
    status: 200,
    body: { data: { status: 'healthy', service: 'metadata' }, error: null },
  });
  for (const path of [BASE, `${BASE}/`])
    expect((await server.rest('GET', path, { key: null })).body.data).toMatchObject({
      service: 'metadata',
      docs: '/api/v1/docs',
    });
  for (const path of [`${BASE}/entities`, '/ga4gh/drs/v1/objects/x'])
    expect((await server.rest('GET', path, { key: null })).status).toBe(401);
});

test('a relationship is created, listed and removed by escaped ids, whatever they contain', async () => {
  for (const [source, target, type] of [
    ['a:1->x', 'b;c#d', 'prov:was derived from'],
    ['é%', '\u{1F9EC}'.repeat(200), 'ø?&='],
    ['~', '.a', '-'],
  ] as const) {
    await make(source);
    await make(target);
    const made = await server.rest('POST', `${BASE}/entities/${escaped(source)}/relationships`, {
      body: { target_entity_id: target, relationship_type: type },
    });
    expect(made.body.data.id).toBe(`${source}->${target}:${type}`);
    const gone = await server.rest(
      'DELETE',
      `${BASE}/entities/${escaped(target)}/relationships/${escaped(made.body.data.id as string)}`,
    );
    expect(gone).toMatchObject({
      status: 200,
      body: { data: { status: 'deleted', relationship_id: made.body.data.id } },
    });
    expect((await server.rest('GET', `${BASE}/entities/${escaped(source)}/relationships`)).body.data).toEqual(
      [],
    );
  }
});

test('an external id is looked up by its escaped value, up to the longest; one with a slash in the query', async () => {
  await make('x1');
  for (const value of ['a:b c', '\u{1F9EC}'.repeat(1000), '100%']) {
    expect(
      (await server.rest('POST', `${BASE}/entities/x1/external-ids`, { body: { external_id: value } }))
        .status,
    ).toBe(200);
    expect((await server.rest('GET', `${BASE}/external-ids/default/${escaped(value)}`)).body.data.id).toBe(
      'x1',
    );
  }
  await server.rest('POST', `${BASE}/entities/x1/external-ids`, {
    body: { external_id: '10.1/x', id_type: 'doi' },
  });
  expect((await server.rest('GET', `${BASE}/external-ids/doi/10.1%2Fx`)).status).toBe(400);
  expect((await server.rest('GET', `${BASE}/external-ids?id_type=doi&external_id=10.1/x`)).body.data.id).toBe(
    'x1',
  );
});

test('DRS answers at its own root and under the API, and speaks its own shape', async () => {
  await make('file:1', { size: 3, md5: 'd'.repeat(32) });
  for (const root of ['/ga4gh/drs/v1', `${BASE}/ga4gh/drs/v1`]) {
    const found = await server.rest('GET', `${root}/objects/file%3A1`);
    expect(found).toMatchObject({
      status: 200,
      body: { id: 'file:1', self_uri: `drs://${new URL(server.url).host}/file%3A1` },
    });
    expect(ga4ghFaults('DrsObject', found.body)).toEqual([]);
    expect(await server.rest('GET', `${root}/objects/nothing`)).toMatchObject({
      status: 404,
      body: { status_code: 404 },
    });
    expect(ga4ghFaults('Service', (await server.rest('GET', `${root}/service-info`)).body)).toEqual([]);
  }
});

test('the role matrix: an analyst relates and registers, only a project lead retires', async () => {
  await make('r1');
  const [viewer, analyst, lead] = await Promise.all(
    ['viewer', 'analyst', 'project_lead'].map((role) => server.newKey({ role })),
  );
  const relate = { body: { target_entity_id: 'r1', relationship_type: 'self' } };
  expect(
    (await server.rest('POST', `${BASE}/entities/r1/relationships`, { ...relate, key: viewer ?? null }))
      .status,
  ).toBe(403);
  expect(
    (await server.rest('POST', `${BASE}/entities/r1/relationships`, { ...relate, key: analyst ?? null }))
      .status,
  ).toBe(200);
  expect(await server.rest('DELETE', `${BASE}/entities/r1`, { key: analyst ?? null })).toMatchObject({
    status: 403,
    body: { error: 'insufficient_role', details: { required_role: 'project_lead' } },
  });
  expect(
    (
      await server.rest('POST', `${BASE}/entities/File/bulk-availability`, {
        key: analyst ?? null,
        body: { entity_ids: ['r1'], available: false },
      })
    ).status,
  ).toBe(403);
  expect(
    (
      await server.rest('POST', `${BASE}/entities/File/bulk-availability`, {
        key: lead ?? null,
        body: { entity_ids: ['r1', 'none'], available: false, reason: 'x', actor: 'user:mallory' },
      })
    ).status,
  ).toBe(207);
  const { body } = await server.graphql(
    '{ entityHistory(entityId: "r1", eventTypes: ["AvailabilityChanged"]) { actor payload } entity(id: "r1") { isAvailable relationships { id } } }',
  );
  expect(body.data.entity).toEqual({ isAvailable: false, relationships: [{ id: 'r1->r1:self' }] });
  expect(body.data.entityHistory[0].actor).not.toBe('user:mallory');
});
