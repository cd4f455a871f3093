// Collections of stored entities, rules of subtypes, and a thousand rules.
import { beforeAll, expect, test } from 'vitest';
import { setUp, server, store, rule, resolve } from './resolution-testkit.ts';
import { field } from './schema-field.ts';

setUp();

let scoped: string;

beforeAll(async () => {
  scoped = await server.newKey({ role: 'analyst', owner: 'user:sam', project: 'alpha' });
});

test("resolution and collections show no other project's entities", async () => {
  await store('List', { id: 'secret', sample: 'p', project: 'beta' });
  expect((await resolve('entity_type=List&sample=p')).body.entity.id).toBe('secret');
  expect((await resolve('entity_type=List&sample=p', scoped)).status).toBe(404);
  expect(
    (
      await server.rest('POST', '/api/v1/artifact/resolve_all', {
        key: scoped,
        body: { entity_type: 'List', partial_spec: { sample: 'p' } },
      })
    ).body,
  ).toMatchObject({ entities: [], total: 0 });
});

test.each(['/api/v1/artifact/resolve_all', '/api/v1/artifact/api/v1/resolve_all'])(
  'POST %s lists what is stored, by pages that the cursor continues',
  async (path) => {
    const sample = `list-${path.length}`;
    for (let i = 0; i < 5; i++) await store('List', { id: `${sample}-${i}`, uri: `file:///${i}`, sample });
    const spec = { entity_type: 'List', partial_spec: { sample } };
    const all = await server.rest('POST', path, { body: spec });
    expect(all).toMatchObject({ status: 200, body: { ...spec, cursor: null, total: 5 } });
    expect(all.body.entities[0]).toEqual({
      id: `${sample}-0`,
      uri: 'file:///0',
      fields: { uri: 'file:///0', sample },
    });
    const seen: string[] = [];
    for (let cursor: string | null = null, pages = 0; pages < 5; pages++) {
      const { body }: { body: { entities: { id: string }[]; cursor: string | null; total: number } } =
        await server.rest('POST', path, { body: { ...spec, limit: 2, cursor } });
      seen.push(...body.entities.map((e) => e.id));
      expect(body.total).toBe(5);
      cursor = body.cursor;
      if (cursor === null) break;
    }
    expect(seen).toEqual([0, 1, 2, 3, 4].map((i) => `${sample}-${i}`));
  },
);

test('an empty collection is an empty list; invalid limits and cursors are 400', async () => {
  const ask = (body: unknown) => server.rest('POST', '/api/v1/artifact/resolve_all', { body });
  expect(await ask({ entity_type: 'List', partial_spec: { sample: 'none' } })).toMatchObject({
    status: 200,
    body: { entities: [], cursor: null, total: 0 },
  });
  for (const wrong of [
    { limit: 0 },
    { limit: 1001 },
    { limit: 'x' },
    { cursor: 'x' },
    { cursor: Buffer.from('["x"]').toString('base64url') },
  ]) {
    expect(
      (await ask({ entity_type: 'List', partial_spec: {}, ...wrong })).status,
      JSON.stringify(wrong),
    ).toBe(400);
  }
  expect((await ask({ entity_type: 'List', partial_spec: 'x' })).status).toBe(422);
  expect((await ask({ partial_spec: {} })).status).toBe(422);
  expect((await ask({ entity_type: 'Never', partial_spec: {} })).status).toBe(404);
});

test('a rule that makes a subtype makes what is looked for', async () => {
  const add = (body: Record<string, unknown>) =>
    server.rest('POST', '/api/v1/metadata/schemas', { body: { version: '1', ...body } });
  await add({
    name: 'Base',
    fields: [field('uri', 'uri'), field('sample', 'string'), field('caller', 'string')],
  });
  await add({ name: 'Middle', parent: 'Base', fields: [] });
  await add({ name: 'Leaf', parent: 'Middle', fields: [] });
  await rule('leaf', 'Leaf');
  expect((await resolve('entity_type=Base&sample=s1')).body).toMatchObject({
    decision: 'build',
    rule: 'leaf@1',
  });
  await rule('leaf-twin', 'Middle');
  expect((await resolve('entity_type=Base&sample=s1')).status).toBe(409);
  expect((await resolve('entity_type=Leaf&sample=s1')).body.rule).toBe('leaf@1');
});

test('of a thousand rules of one type, the one that fits best is found, and only a part is loaded', async () => {
  await server.rest('POST', '/api/v1/metadata/schemas', {
    body: {
      name: 'Crowd',
      version: '1',
      fields: [field('uri', 'uri'), field('sample', 'string'), field('caller', 'string')],
    },
  });
  await rule('zz-crowd', 'Crowd', {}, { sample: '{sample}', caller: 'wanted' });
  await server.database.pool
    .query(`INSERT INTO artifact.rule (name, version, definition, status, cwl_hash, registered_by)
    SELECT 'crowd-' || i, 1, jsonb_build_object('name', 'crowd-' || i, 'produces', jsonb_build_object('entity_type', 'Crowd', 'match', jsonb_build_object('sample', '{sample}', 'caller', 'other-' || i)), 'execute', '{}'::jsonb), 'active', 'sha256:00', 'user:x'
    FROM generate_series(1, 1000) i`);
  const { body } = await resolve('entity_type=Crowd&sample=s1&caller=wanted');
  expect(body.rule).toBe('zz-crowd@1');
  expect(body.plan.rules_considered[0]).toMatchObject({ rule: 'zz-crowd@1', chosen: true });
});
