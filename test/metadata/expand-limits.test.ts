// How much an expansion may show, and what it costs.
import { expect, test, vi } from 'vitest';
import { metadataRows } from '../../rest-compat/routes/metadata.routes.ts';
import { callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';
import { SCHEMAS, type Expansion, server, get, idsOf, setUp } from './expand-testkit.ts';

setUp();

test('a list is cut at the configured length, and the warning names it', async () => {
  for (let i = 0; i < 6; i++) {
    await server.rest('POST', '/api/v1/metadata/ingest', {
      body: { entity_type: 'Donor', data: { id: `many${i}`, name: 'm' } },
    });
    await server.rest('POST', '/api/v1/metadata/entities/s5/relationships', {
      body: { target_entity_id: `many${i}`, relationship_type: 'knows' },
    });
  }
  const { body } = await get('/entities/s5?expand=knows[]');
  expect(idsOf(body.data.expanded.knows)).toEqual(['many0', 'many1', 'many2', 'many3']);
  expect(body.meta.warnings).toEqual(['expanded knows[] of entity s5 was cut at 4']);
  await server.rest('PUT', '/api/v1/metadata/entities/Sample/s5', {
    body: { data: { parts: ['s1', 's2', 's3', 's4', 's5'] } },
  });
  const { body: listed } = await get('/entities?id=s5&expand=parts');
  expect(idsOf(listed.data.items[0].expanded.parts)).toEqual(['s1', 's2', 's3', 's4']);
  expect(listed.meta.warnings).toEqual(['expanded parts of entity s5 was cut at 4']);
  expect((await get('/entities/s1?expand=taken_from[]')).body.meta).not.toHaveProperty('warnings');
});

test('a level is one statement of each kind, however many entities there are', async () => {
  await using metadata: FreshMetadata = await freshMetadata();
  for (const d of SCHEMAS)
    await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', { d });
  const ingest = (t: string, id: string, d: object) =>
    metadata.ask(
      'mutation($t: String!, $id: ID, $d: JSON!) { ingestEntity(entityType: $t, id: $id, data: $d) { id } }',
      { t, id, d },
    );
  for (let i = 0; i < 30; i++) await ingest('Donor', `d${i}`, { name: 'd', partner: `d${(i + 1) % 30}` });
  for (let i = 0; i < 30; i++)
    await ingest('Sample', `s${i}`, { donor: `d${i}`, parts: [`s${(i * 7) % 30}`] });
  await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      metadata.ask(
        'mutation($s: ID!, $t: ID!) { relate(sourceId: $s, targetId: $t, relationshipType: "has") { id } }',
        { s: `s${i}`, t: `d${i}` },
      ),
    ),
  );
  const run = (caller = callerWith('viewer')) =>
    metadata.ask(
      'query($p: String!) { entities(entityType: "Sample") { items { id expanded(paths: $p) } } }',
      { p: 'donor.partner,parts[].donor,has[].partner' },
      caller,
    );
  await run();
  const statements = vi.spyOn(metadata.database.pool, 'query');
  const page = (await run()) as { items: { expanded: Expansion }[] };
  expect(page.items).toHaveLength(30);
  expect(idsOf(page.items[3]?.expanded['has'])).toEqual(['d3']);
  // the page; level one's relationships and entities; level two's are all known already
  expect(statements.mock.calls.length).toBe(1 + 2);
});

test('reads that expand nothing are answered as finished text, as of a time too', async () => {
  await using metadata: FreshMetadata = await freshMetadata();
  for (const [path, variables] of [
    ['/entities/{entity_id}', { id: 'x' }],
    ['/entities', {}],
  ] as const) {
    const row = metadataRows.find((r) => r.method === 'GET' && r.path === path);
    const { texts, errors } = await metadata.raw(row?.operation ?? '', {
      ...variables,
      asOf: '2026-01-31T09:30:00Z',
    });
    expect([path, errors, Object.keys(texts ?? {})]).toEqual([path, undefined, [row?.pick]]);
  }
});

test('an answer without measure is refused before it is written', async () => {
  await using metadata: FreshMetadata = await freshMetadata();
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: {
      name: 'Node',
      version: '1',
      fields: [{ name: 'all', field_type: 'ref', references: 'Node', many: true }],
    },
  });
  const all = Array.from({ length: 100 }, (_, i) => `n${i}`);
  await Promise.all(
    all.map((id) =>
      metadata.ask(
        'mutation($id: ID, $d: JSON!) { ingestEntity(entityType: "Node", id: $id, data: $d) { id } }',
        { id, d: { all } },
      ),
    ),
  );
  const expand = (p: string) =>
    metadata.ask('query($p: String!) { entity(id: "n0") { expanded(paths: $p) } }', { p });
  await expect(expand('all[].all[]')).resolves.toMatchObject({ expanded: { all: { length: 100 } } });
  await expect(expand('all[].all[].all[].all[].all[]')).rejects.toThrow(
    'VALIDATION_FAILED: expand would return more than 20000 entities',
  );
});
