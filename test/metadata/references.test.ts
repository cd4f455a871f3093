// Ids that are valid in a path; references whose targets must exist, and the report of those without a
// target.
import { expect, test } from 'vitest';
import { admin, callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

const REGISTER = 'mutation($d: JSON!) { createSchema(definition: $d) { name } }';
const INGEST =
  'mutation($t: String!, $i: ID, $d: JSON!) { ingestEntity(entityType: $t, id: $i, data: $d) { id version } }';
const BULK =
  'mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created errors { index code message } } }';
const FAULTS =
  'query($t: String!, $n: Int, $c: String) { referenceFaults(entityType: $t, limit: $n, cursor: $c) { items { entityId entityType field targetId targetEntityType reason actualEntityType } nextCursor } }';
interface Faults {
  items: {
    entityId: string;
    field: string;
    targetId: string;
    reason: string;
    actualEntityType: string | null;
  }[];
  nextCursor: string | null;
}

const fields = (mustExist: boolean): object[] => [
  { name: 'donor', field_type: 'ref', references: 'Donor', must_exist: mustExist },
  { name: 'kin', field_type: 'ref', references: 'Sample', many: true, must_exist: mustExist },
  { name: 'free', field_type: 'ref', references: 'Donor' },
  { name: 'project', field_type: 'string' },
];
async function world(metadata: FreshMetadata, mustExist = true) {
  for (const schema of [
    { name: 'Donor', fields: [{ name: 'project', field_type: 'string' }] },
    { name: 'Twin', parent: 'Donor', fields: [] },
    { name: 'Sample', fields: fields(mustExist) },
    { name: 'Biopsy', parent: 'Sample', fields: [] },
  ]) {
    await metadata.ask(REGISTER, { d: { version: '1', ...schema } });
  }
  return (t: string, i: string, d: object, caller = admin): Promise<unknown> =>
    metadata.ask(INGEST, { t, i, d }, caller);
}

test.each(['.', '..', 'a\\b', '\\', '..\\..'])('an id %s is refused wherever one is given', async (id) => {
  await using metadata = await freshMetadata();
  const ingest = await world(metadata);
  const refused = 'must be 1 to 200 visible characters without `/` and `\\`, and neither `.` nor `..`';
  await expect(ingest('Donor', id, {})).rejects.toThrow(refused);
  await expect(metadata.ask(INGEST, { t: 'Donor', d: { id } })).rejects.toThrow(refused);
  await expect(
    metadata.ask('mutation($i: ID!) { createEntity(entityType: "Donor", id: $i, data: {}) { id } }', {
      i: id,
    }),
  ).rejects.toThrow(refused);
  expect(
    await metadata.ask(BULK, {
      e: [
        { entityType: 'Donor', id, data: {} },
        { entityType: 'Donor', id: '...', data: {} },
      ],
    }),
  ).toMatchObject({ created: 1, errors: [{ index: 0, code: 422 }] });
  expect(
    await metadata
      .ask('query($i: ID!) { validateEntity(entityType: "Donor", id: $i, data: {}) { valid } }', { i: id })
      .catch((fault: unknown) => String(fault)),
  ).toMatch(/must be 1 to 200/);
});

test('a field with a required reference accepts only ids of existing entities of its type', async () => {
  await using metadata = await freshMetadata();
  const ingest = await world(metadata);
  await expect(ingest('Sample', 's', { donor: 'd' })).rejects.toThrow(
    'VALIDATION_FAILED: field donor must refer to a Donor that exists: there is no d',
  );
  await ingest('Sample', 's', { free: 'd' });
  await expect(ingest('Sample', 's', { donor: 's' })).rejects.toThrow(
    'field donor must refer to a Donor: s is a Sample',
  );
  await ingest('Twin', 'd', {});
  expect(await ingest('Sample', 's', { donor: 'd' })).toMatchObject({ version: 2 });
  await expect(
    metadata.ask(
      'mutation { updateEntity(entityType: "Sample", id: "s", data: {kin: ["s", "nobody"]}) { id } }',
    ),
  ).rejects.toThrow('field kin must refer to a Sample that exists: there is no nobody');
  await expect(ingest('Biopsy', 'b', { donor: 'nobody' })).rejects.toThrow('field donor must refer');
  expect(await ingest('Biopsy', 'b', { kin: ['b', 's'] })).toMatchObject({ version: 1 }); // also to itself
  expect(
    await metadata.ask(
      'mutation { ingestEntity(entityType: "Sample", id: "b", data: {donor: "d"}) { version } }',
    ),
  ).toEqual({ version: 2 }); // by the name of its parent
  expect(
    await metadata.ask(
      'query { validateEntity(entityType: "Sample", data: {donor: "nobody"}) { valid failures { message } } }',
    ),
  ).toMatchObject({ valid: false });
  await expect(
    metadata.ask(REGISTER, {
      d: { name: 'X', version: '1', fields: [{ name: 'a', field_type: 'string', must_exist: true }] },
    }),
  ).rejects.toThrow('field a.must_exist is only allowed for field_type ref');
  expect(await metadata.ask('{ schema(name: "Sample") { fields { mustExist } } }')).toEqual({
    fields: [true, true, false, false].map((mustExist) => ({ mustExist })),
  });
});

test('entries of one call see earlier entries; a refused entry does not exist for later ones', async () => {
  await using metadata = await freshMetadata();
  await world(metadata);
  expect(
    await metadata.ask(BULK, {
      e: [
        { entityType: 'Sample', id: 'early', data: { donor: 'd1' } },
        { entityType: 'Donor', id: 'd1', data: {} },
        { entityType: 'Sample', id: 'late', data: { donor: 'd1' } },
        { entityType: 'Donor', id: 'bad', data: { colour: 1 } },
        { entityType: 'Sample', id: 'of-bad', data: { donor: 'bad' } },
      ],
    }),
  ).toMatchObject({ created: 2, errors: [{ index: 0, code: 422 }, { index: 3 }, { index: 4, code: 422 }] });
  const long = Array.from({ length: 600 }, (_, i) => ({
    entityType: 'Sample',
    id: `n${i}`,
    data: { kin: i === 0 ? [] : [`n${i - 1}`], donor: 'd1' },
  }));
  // over several statements
  expect(await metadata.ask(BULK, { e: long })).toMatchObject({ created: 600, errors: [] });
  const races = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => [
      metadata.ask(INGEST, { t: 'Donor', i: `r${i}`, d: {} }),
      metadata.ask(INGEST, { t: 'Sample', i: `of-r${i}`, d: { donor: `r${i}` } }),
    ]).flat(),
  );
  expect(races.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(20);
  expect(((await metadata.ask(FAULTS, { t: 'Sample', n: 1000 })) as Faults).items).toEqual([]);
});

test('entities that the author may not see do not exist for them', async () => {
  await using metadata = await freshMetadata();
  const ingest = await world(metadata);
  await ingest('Donor', 'secret', { project: 'beta' });
  const analyst = callerWith('analyst', ['alpha']);
  const answer = async (donor: string): Promise<string> =>
    JSON.stringify(
      await ingest('Sample', 's', { donor, project: 'alpha' }, analyst).catch((fault: unknown) =>
        String(fault),
      ),
    ).replaceAll(donor, '…');
  expect(await answer('secret')).toBe(await answer('nobody'));
});

test('the check can be switched on only if all stored references exist', async () => {
  await using metadata = await freshMetadata();
  const ingest = await world(metadata, false);
  await ingest('Biopsy', 'b', { kin: ['b', 'nobody'] });
  const ask = (): Promise<unknown> =>
    metadata.ask(REGISTER, { d: { name: 'Sample', version: '2', fields: fields(true) } });
  await expect(ask()).rejects.toThrow(
    'stored entity b contradicts the change: field kin refers to nobody, which does not exist',
  );
  await ingest('Donor', 'nobody', {});
  await expect(ask()).rejects.toThrow('field kin refers to nobody, which is a Donor');
  await ingest('Biopsy', 'b', { kin: ['b'] });
  await ask();
  await expect(ingest('Biopsy', 'b', { kin: ['gone'] })).rejects.toThrow('field kin must refer');
});

test('the report lists references to absent entities or to another type, page by page, as far as the caller sees them', async () => {
  await using metadata = await freshMetadata();
  const ingest = await world(metadata, false);
  await ingest('Donor', 'd', {});
  await ingest('Donor', 'beta', { project: 'beta' });
  await ingest('Sample', 's1', { donor: 'd', kin: ['s1', 'nobody', 'd'], free: 's1' });
  await ingest('Biopsy', 's2', { donor: 'beta', free: 'later' });
  await ingest('Sample', 's3', { donor: 'nobody', project: 'beta' });
  const list = async (caller = admin, n = 2): Promise<string[]> => {
    const found: string[] = [];
    for (let c: string | null = null, more = true; more;) {
      const page = (await metadata.ask(FAULTS, { t: 'Sample', n, c }, caller)) as Faults;
      expect(page.items.length).toBeLessThanOrEqual(n);
      found.push(
        ...page.items.map((f) =>
          `${f.entityId}.${f.field} ${f.targetId} ${f.reason} ${f.actualEntityType ?? ''}`.trim(),
        ),
      );
      [c, more] = [page.nextCursor, page.nextCursor !== null];
    }
    return found;
  };
  const all = [
    's1.free s1 OTHER_TYPE Sample',
    's1.kin nobody MISSING',
    's1.kin d OTHER_TYPE Donor',
    's2.free later MISSING',
    's3.donor nobody MISSING',
  ];
  for (const n of [1, 2, 1000]) expect(await list(admin, n)).toEqual(all);
  expect(await list(callerWith('viewer', ['alpha']))).toEqual([
    ...all.slice(0, 3),
    's2.donor beta MISSING',
    all[3],
  ]);
  expect(await metadata.ask(FAULTS, { t: 'Nothing' })).toBeNull();
  expect(await metadata.ask(FAULTS, { t: 'Donor' })).toEqual({ items: [], nextCursor: null });
  for (const bounds of [{ n: 0 }, { n: 1001 }, { c: 'x' }, { c: 'W10' }])
    await expect(metadata.ask(FAULTS, { t: 'Sample', ...bounds })).rejects.toThrow('VALIDATION_FAILED');
  await ingest('Donor', 'later', {});
  expect(await list()).not.toContain('s2.free later MISSING');
});
