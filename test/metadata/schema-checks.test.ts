// A definition held against stored data before it is registered, and the versions that a schema has had.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';

const FIELDS = [
  { name: 'age', field_type: 'int' },
  { name: 'tissue', field_type: 'string' },
];
const schema = (version: string, fields: readonly object[], more: object = {}) => ({
  name: 'Biopsy',
  version,
  fields,
  ...more,
});
const CHECK = `query ($d: JSON!) { checkSchema(definition: $d) { changes isComplete contradictions { message entityId field ruleId } } }`;

let server: TestServer;
const register = (body: object) => server.rest('POST', '/api/v1/metadata/schemas', { body });
const check = async (d: object, key = server.key) => (await server.graphql(CHECK, { d }, { key })).body;

beforeAll(async () => {
  server = await startServer();
  expect((await register(schema('1.0.0', FIELDS))).status).toBe(200);
  const entities = Array.from({ length: 60 }, (_, i) => ({
    id: `b:${String(i).padStart(2, '0')}`,
    entityType: 'Biopsy',
    data: { age: i, tissue: i < 2 ? 'liver' : `skin ${i}` },
  }));
  const write = 'mutation ($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created } }';
  expect((await server.graphql(write, { e: entities })).body.data.ingestEntities.created).toBe(60);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

test('what contradicts a change is told as far as 50 entities, and nothing is written', async () => {
  const rule = { rule_id: 'adult', expression: 'data.age >= 58', message: 'too young' };
  const fields = [FIELDS[0] ?? {}, { name: 'tissue', field_type: 'string', unique: true }];
  const unique = schema('2.0.0', fields);
  const next = { ...unique, rules: [rule] };
  const { data } = await check(next);
  expect(data.checkSchema.changes).toEqual([
    'change schema Biopsy from 1.0.0 to 2.0.0',
    'field tissue: unique false → true',
    'add rule adult',
  ]);
  expect(data.checkSchema.isComplete).toBe(false);
  expect(data.checkSchema.contradictions).toHaveLength(50);
  expect(data.checkSchema.contradictions[0]).toEqual({
    message: 'too young',
    entityId: 'b:00',
    field: null,
    ruleId: 'adult',
  });
  expect((await check(unique)).data.checkSchema).toMatchObject({
    contradictions: [
      {
        entityId: 'b:01',
        field: 'tissue',
        message: 'field tissue cannot be unique: entities b:00 and b:01 have the same value',
      },
    ],
    isComplete: true,
  });
  // registering says the same of the first
  const { body } = await register(unique);
  expect(body.error.message).toBe(
    'field tissue cannot be unique: entities b:00 and b:01 have the same value',
  );
  expect((await server.graphql('{ schemaRevision }')).body.data.schemaRevision).toBe('1');
});

test('what may be registered has no contradictions; what is registered already, no changes', async () => {
  const same = (await check(schema('1.0.0', FIELDS))).data.checkSchema;
  expect(same).toEqual({ changes: [], contradictions: [], isComplete: true });
  const wider = [...FIELDS, { name: 'stage', field_type: 'int' }];
  const { changes, contradictions } = (await check(schema('1.1.0', wider))).data.checkSchema;
  expect([changes[1], contradictions]).toEqual(['add optional field stage', []]);
});

test('a faulty definition, a lower version, and whoever may not register are refused', async () => {
  for (const d of [schema('0.9.0', FIELDS), schema('2.0.0', [{ name: 'x', field_type: 'nothing' }])])
    expect((await check(d)).errors[0].extensions.code).toBe('VALIDATION_FAILED');
  const lead = await server.newKey({ role: 'project_lead' });
  expect((await check(schema('2.0.0', FIELDS), lead)).errors[0].extensions.code).toBe('INSUFFICIENT_ROLE');
});

test('the versions, the newest first, with who registered them and what they changed', async () => {
  expect((await register(schema('1.5.0', [...FIELDS, { name: 'stage', field_type: 'int' }]))).status).toBe(
    200,
  );
  const { body } = await server.graphql(
    '{ schemaVersions(name: "Biopsy") { version revision definition registeredBy changes } none: schemaVersions(name: "No") { version } }',
  );
  expect(body.data.none).toBeNull();
  expect(body.data.schemaVersions).toEqual([
    {
      version: '1.5.0',
      revision: 2,
      definition: expect.objectContaining({ version: '1.5.0' }),
      registeredBy: 'user:admin',
      changes: ['change schema Biopsy from 1.0.0 to 1.5.0', 'add optional field stage'],
    },
    expect.objectContaining({ version: '1.0.0', changes: ['create schema Biopsy 1.0.0'] }),
  ]);
});

test('an administrator of one project is not told which entities of others contradict a change, nor what they refer to', async () => {
  const fields = [
    { name: 'project', field_type: 'string' },
    { name: 'label', field_type: 'string' },
    { name: 'kin', field_type: 'ref', references: 'Owned' },
  ];
  const owned = (version: string, own: readonly object[]) => ({ name: 'Owned', version, fields: own });
  expect((await register(owned('1', fields))).status).toBe(200);
  const ingest = (id: string, data: object) =>
    server.rest('POST', '/api/v1/metadata/ingest', { body: { entity_type: 'Owned', id, data } });
  await ingest('o:beta', { project: 'beta', label: 'same' });
  await ingest('o:alpha', { project: 'alpha', label: 'same', kin: 'b:00' });
  const key = await server.newKey({ role: 'admin', project: 'alpha' });
  const [project = {}, label = {}, kin = {}] = fields;
  const refused = async (own: readonly object[]) => {
    const body = owned('2', own);
    const told = (await check(body, key)).data.checkSchema;
    const { status, body: answer } = await server.rest('POST', '/api/v1/metadata/schemas', { key, body });
    expect(status).toBe(422);
    return [
      told.isComplete,
      told.contradictions.map((one: { entityId: string }) => one.entityId),
      answer.error.message,
    ];
  };
  const OTHERS = 'stored entities of other projects contradict the change';
  // each of both; the two together; what is referred to
  const narrow = [project, { ...label, field_type: 'int' }, kin];
  expect(await refused(narrow)).toEqual([
    false,
    ['o:alpha'],
    'stored entity o:alpha contradicts the change: field label must be an integer',
  ]);
  expect(await refused([project, { ...label, unique: true }, kin])).toEqual([false, [], OTHERS]);
  expect(await refused([project, label, { ...kin, must_exist: true }])).toEqual([
    true,
    ['o:alpha'],
    'stored entity o:alpha contradicts the change: field kin refers to b:00, which is no entity of its type',
  ]);
  await ingest('o:beta:2', { project: 'beta', kin: 'b:00' });
  await ingest('o:alpha:2', { project: 'alpha', kin: 'b:01' });
  const strict = [project, label, { ...kin, must_exist: true }];
  expect((await refused(strict)).slice(0, 2)).toEqual([false, ['o:alpha', 'o:alpha:2']]);
  expect((await check(owned('2', strict))).data.checkSchema).toMatchObject({
    isComplete: true,
    contradictions: ['o:alpha', 'o:beta:2', 'o:alpha:2'].map((entityId) => ({ entityId })),
  });
  expect((await check(owned('2', narrow))).data.checkSchema).toMatchObject({
    isComplete: true,
    contradictions: [{ entityId: 'o:alpha' }, { entityId: 'o:beta' }],
  });
});
