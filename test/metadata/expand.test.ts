// Expansion (docs/reference/metadata.md#expand).
import { expect, test } from 'vitest';
import { type Shown, type Expansion, server, get, idsOf, setUp } from './expand-testkit.ts';

const expanded = async (id: string, paths: string, key?: string): Promise<Expansion> => {
  const { status, body } = await get(`/entities/${id}?expand=${encodeURIComponent(paths)}`, key);
  expect([id, paths, status, body.error]).toEqual([id, paths, 200, null]);
  return body.data.expanded as Expansion;
};

setUp();

test('a field shows the entity that it refers to, beside data, keyed by the field', async () => {
  const { body } = await get('/entities/s1?expand=donor');
  expect(Object.keys(body.data)).toEqual([
    'id',
    'entity_type',
    'data',
    'version',
    'created_at',
    'updated_at',
    'is_available',
    'expanded',
  ]);
  expect(body.data.data.donor).toBe('d1');
  const { body: donor } = await get('/entities/d1');
  expect(body.data.expanded).toEqual({ donor: donor.data });
  expect((await get('/entities/s1')).body.data).not.toHaveProperty('expanded');
  expect((await get('/entities/s1?expand=')).body.data).not.toHaveProperty('expanded');
  expect((await get('/entities/s1?expand=donor')).headers.get('etag')).toBe('"1"');
});

test('lists, relationships and children, several by comma or repeated', async () => {
  const found = await expanded('s1', 'parts[].donor, taken_from[], derived_from[].twin.donor');
  expect(idsOf(found['parts'])).toEqual(['s2', 's3']);
  const parts = found['parts'] as Shown[];
  expect(parts.map((part) => idsOf(part.expanded?.['donor']))).toEqual(['d2', null]);
  expect(idsOf(found['taken_from'])).toEqual(['d1', 'hidden']);
  const derived = found['derived_from'] as Shown[];
  expect(derived.map((one) => one.id)).toEqual(['s2', 's4']);
  expect(derived[0]?.expanded).toEqual({});
  expect(idsOf(derived[1]?.expanded?.['twin'])).toBe('s1');
  expect((derived[1]?.expanded?.['twin'] as Shown).expanded).toMatchObject({ donor: { id: 'd1' } });
  expect(idsOf((await expanded('s1', 'parts'))['parts'])).toEqual(['s2', 's3']);
  expect(idsOf((await expanded('s2', 'donor[]'))['donor'])).toEqual(['d2']);
  expect(await expanded('s5', 'donor,parts,never_used[]')).toEqual({
    donor: null,
    parts: null,
    never_used: [],
  });
  const { body } = await get('/entities/s1?expand=donor&expand=taken_from[]');
  expect(Object.keys(body.data.expanded)).toEqual(['donor', 'taken_from']);
});

test('cycles end with the path', async () => {
  const path = ['partner', 'partner', 'partner', 'partner', 'partner'];
  let here = await expanded('d1', path.join('.'));
  for (const id of ['d2', 'd1', 'd2', 'd1', 'd2']) {
    const next = here['partner'] as Shown;
    expect(next.id).toBe(id);
    here = next.expanded ?? {};
  }
  expect(here).toEqual({});
  expect(
    ((await expanded('s3', 'derived_from[].derived_from[]'))['derived_from'] as Shown[])[0]?.expanded,
  ).toMatchObject({ derived_from: [{ id: 's3' }] });
});

test('a whole page is expanded; entities without the field go without', async () => {
  const { body } = await get('/entities?entity_type=Sample&expand=donor,twin');
  const items = body.data.items as Shown[];
  expect(
    items.map((item) => [item.id, idsOf(item.expanded?.['donor']), idsOf(item.expanded?.['twin'])]),
  ).toEqual([
    ['s1', 'd1', undefined],
    ['s2', 'd2', undefined],
    ['s3', null, undefined],
    ['s4', 'hidden', 's1'],
    ['s5', null, undefined],
  ]);
  expect(body.data).toMatchObject({ total: 5, next_cursor: null });
});

test('entities that the caller may not see are null, and omitted from lists', async () => {
  const key = await server.newKey({ role: 'viewer', project: 'alpha' });
  expect(await expanded('s4', 'donor', key)).toEqual({ donor: null });
  expect(idsOf((await expanded('s1', 'taken_from[]', key))['taken_from'])).toEqual(['d1']);
  expect((await get('/entities/hidden?expand=partner', key)).status).toBe(404);
});

test('unknown paths, and paths without measure, are 422', async () => {
  for (const paths of [
    'nope',
    'label',
    'donor.label',
    'donor.nope[].x',
    'parts[].donor.donor',
    '.donor',
    'donor..partner',
    '[]',
    'donor[0]',
    'a[].b',
    'partner',
    'donor.partner.partner.partner.partner.partner',
    'derived_from[].nope',
    'x\u0000[]',
    Array.from({ length: 60 }, (_, i) => `r${i}[]`).join(','),
    'x'.repeat(5000),
  ]) {
    const { status, body } = await get(`/entities/s1?expand=${encodeURIComponent(paths)}`);
    expect([paths.slice(0, 40), status, body.error?.code]).toEqual([paths.slice(0, 40), 422, 422]);
  }
  expect((await get('/entities?entity_type=Sample&expand=nope')).status).toBe(422);
  expect((await get('/entities/absent?expand=donor')).status).toBe(404);
  expect(Object.keys(await expanded('s1', '__proto__[],constructor[]'))).toEqual([
    '__proto__',
    'constructor',
  ]);
});

test('expand as of a time uses the states of that time', async () => {
  const { body: before } = await get('/entities/s1?expand=taken_from[],donor.partner,derived_from[].donor');
  const { body: history } = await get('/entities/s1/history?limit=1000');
  const at = (history.data as { timestamp: string }[]).at(-1)?.timestamp ?? '';
  await server.rest('PUT', '/api/v1/metadata/entities/Donor/d1', {
    body: { data: { name: 'changed', partner: null } },
  });
  await server.rest('PUT', '/api/v1/metadata/entities/Sample/s1', { body: { data: { donor: 'd2' } } });
  await server.rest(
    'DELETE',
    `/api/v1/metadata/entities/s1/relationships/${encodeURIComponent('s1->d1:taken_from')}`,
  );
  const { body: after } = await get(
    `/entities/s1?expand=taken_from[],donor.partner,derived_from[].donor&as_of=${encodeURIComponent(at)}`,
  );
  expect(after.data).toEqual(before.data);
  expect((await get('/entities/s1?expand=taken_from[],donor')).body.data.expanded).toMatchObject({
    taken_from: [{ id: 'hidden' }],
    donor: { id: 'd2' },
  });
});
