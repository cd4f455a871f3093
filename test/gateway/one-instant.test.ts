// docs/reference/api-conventions.md#one-instant-for-an-operation, docs/reference/api-conventions.md#basis.
import { expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';

const FILES = 'which files the store had, and which of them were whose, is not kept';

const ALL = `{
  entity(id: "s1") { data version runs { runId status entities { id data } } producedBy { id status log productionRule { rule status } } reuseRefusal { reason } }
  entities(entityType: "Sample") { total items { id data runs { status } } }
  runs { total runs { runId status } }
  productions { total productions { id status entities { id data } } }
  rules { total rules { rule status } }
  resolveArtifact(entityType: "Sample", criteria: { label: "one" }) { decision rule planHash }
}`;

const ingest = async ({ rest }: TestServer, id: string, label: string): Promise<void> => {
  const body = { entity_type: 'Sample', id, data: { label } };
  expect((await rest('POST', '/api/v1/metadata/ingest', { body })).status).toBe(200);
};

async function seed(server: TestServer): Promise<void> {
  const body = { name: 'Sample', version: '1', fields: [{ name: 'label', field_type: 'string' }] };
  expect((await server.rest('POST', '/api/v1/metadata/schemas', { body })).status).toBe(200);
  await ingest(server, 's1', 'one');
  await server.database.pool.query(`
    INSERT INTO workflow.run (id, action, cause, status, actor) VALUES ('r1', '{}', '{}', 'running', 'user:x');
    INSERT INTO workflow.run_entity (run_id, entity_id) VALUES ('r1', 's1');
    INSERT INTO artifact.rule (name, version, definition, status, cwl_hash, registered_by) VALUES ('stats', 1, '{"name":"stats","produces":{"entity_type":"Sample"},"execute":{"cwl_url":"https://example.org/s.cwl"}}', 'active', 'sha256:00', 'user:x');
    INSERT INTO artifact.production (id, entity_type, criteria, rule, status, request_key, plan, entity_ids, requested_by, log) VALUES ('p1', 'Sample', '{}', 'stats@1', 'running', 'k', '{}', '{s1}', 'user:x', 'begun')`);
}

async function change(server: TestServer): Promise<void> {
  await ingest(server, 's1', 'other');
  await ingest(server, 's2', 'two');
  await server.database.pool.query(`
    UPDATE workflow.run SET status = 'success';
    INSERT INTO workflow.run_entity (run_id, entity_id) VALUES ('r1', 's2');
    INSERT INTO workflow.run (id, action, cause, status, actor) VALUES ('r2', '{}', '{}', 'queued', 'user:x');
    UPDATE artifact.rule SET status = 'deprecated';
    UPDATE artifact.production SET status = 'completed', log = 'begun and ended';
    INSERT INTO artifact.not_reusable (entity_id, reason, actor) VALUES ('s1', 'wrong', 'user:x')`);
}

const basisOf = async ({ graphql }: TestServer, headers: Record<string, string> = {}) => {
  const { body } = await graphql(ALL, {}, { headers: { prefer: 'basis', ...headers } });
  expect(body.errors).toBeUndefined();
  const { basis } = body.extensions as { basis: { position: string; time: string; schemaRevision: string } };
  return { data: body.data as unknown, basis };
};

test('an answer says its basis, and is given again as of it, by the directive, the header and the arguments', async () => {
  await using server = await startServer();
  await seed(server);
  const plain = await server.graphql(ALL);
  expect(plain.body.extensions).not.toHaveProperty('basis');
  const first = await basisOf(server);
  expect(first.data).toEqual(plain.body.data);
  expect(first.basis).toMatchObject({ position: expect.stringMatching(/^\d+$/), schemaRevision: '1' });
  await change(server);
  expect((await server.graphql(ALL)).body.data).not.toEqual(first.data);
  const again = await basisOf(server, { 'x-as-of': first.basis.time });
  expect(again).toEqual(first);
  const { time } = first.basis;
  const directive = await server.graphql(`query Then($t: DateTime) @asOf(time: $t) ${ALL}`, { t: time });
  expect(directive.body).toMatchObject({ data: first.data as object });
  expect((await server.graphql(`query @asOf(time: "${time}") ${ALL}`)).body.data).toEqual(first.data);
  expect((await server.graphql(`query ($t: DateTime = "${time}") @asOf(time: $t) ${ALL}`)).body.data).toEqual(
    first.data,
  );
  const now = (await server.graphql(ALL)).body.data;
  expect((await server.graphql(`query @asOf ${ALL}`)).body.data).toEqual(now);
  const argument = await server.graphql(
    'query ($t: DateTime) { runs(asOf: $t) { total } rules(asOf: $t) { rules { status } } }',
    { t: time },
  );
  expect(argument.body.data).toEqual({ runs: { total: 1 }, rules: { rules: [{ status: 'active' }] } });
});

test('who does not see all projects is told no position, by which writes of others could be counted, and is answered again as of the time', async () => {
  await using server = await startServer();
  await seed(server);
  const key = await server.newKey({ role: 'viewer', project: 'alpha' });
  const ask = async (headers: Record<string, string>) =>
    (
      await server.graphql(
        '{ entities(entityType: "Sample") { total } basis { position } }',
        {},
        { key, headers },
      )
    ).body;
  const first = await ask({ prefer: 'basis' });
  const { basis } = first.extensions as { basis: { time: string } };
  expect(basis).toEqual({ position: null, time: expect.any(String), schemaRevision: '1' });
  expect(first.data).toEqual({ entities: { total: 1 }, basis: { position: null } });
  await change(server);
  expect(await ask({ prefer: 'basis', 'x-as-of': basis.time })).toEqual(first);
  const { body } = await server.rest('GET', '/api/v1/metadata/entities/s1', {
    key,
    headers: { prefer: 'basis', 'x-as-of': basis.time },
  });
  expect(body.meta.basis).toEqual({ position: null, time: basis.time, schema_revision: '1' });
});

test('the basis of an instant in the future is now: what is written later changes nothing in it', async () => {
  await using server = await startServer();
  await seed(server);
  const ahead = await basisOf(server, { 'x-as-of': '2999-01-01T00:00:00Z' });
  expect(ahead.data).toEqual((await server.graphql(ALL)).body.data);
  const { time, position } = ahead.basis;
  const next = await basisOf(server);
  expect(next.basis.position).toBe(position);
  expect(time < next.basis.time).toBe(true);
  await change(server);
  expect(await basisOf(server, { 'x-as-of': time })).toEqual(ahead);
  const { body } = await server.graphql('{ basis(asOf: "2999-01-01T00:00:00Z") { time } }');
  expect(body.data.basis.time < '2999').toBe(true);
});

test('rows of REST are answered as of the header, and say their basis where it is asked for', async () => {
  await using server = await startServer();
  await seed(server);
  const PATHS = [
    '/api/v1/metadata/entities?entity_type=Sample',
    '/api/v1/metadata/entities/s1',
    '/api/v1/workflow/runs',
    '/api/v1/workflow/runs/r1',
    '/api/v1/artifact/rules',
    '/api/v1/artifact/productions/p1',
    '/api/v1/artifact/resolve?entity_type=Sample&label=one',
  ];
  const read = async (headers: Record<string, string>): Promise<unknown[]> =>
    Promise.all(
      PATHS.map(async (path) => {
        const { body: json, status } = await server.rest('GET', path, { headers });
        const { meta: _, ...payload } = json as { meta?: unknown };
        return [status, payload];
      }),
    );
  const before = await read({});
  expect(before.map((one) => (one as [number])[0])).toEqual(PATHS.map(() => 200));
  const { body: json } = await server.rest('GET', PATHS[0] ?? '', { headers: { prefer: 'basis' } });
  const { time } = json.meta.basis as { time: string };
  expect(json.meta.basis).toEqual({ position: expect.stringMatching(/^\d+$/), time, schema_revision: '1' });
  await change(server);
  expect(await read({})).not.toEqual(before);
  expect(await read({ 'x-as-of': time })).toEqual(before);
  const bare = await server.rest('GET', '/api/v1/workflow/runs', {
    headers: { prefer: 'basis', 'x-as-of': time },
  });
  expect(bare.headers.get('x-as-of')).toBe(time);
});

test('schemas are those that were registered by then, their versions, differences and references, too', async () => {
  await using server = await startServer();
  const register = async (name: string, version: string, more: Record<string, unknown>) => {
    const body = { name, version, fields: [{ name: 'label', field_type: 'string', ...more }] };
    expect((await server.rest('POST', '/api/v1/metadata/schemas', { body })).status).toBe(200);
    const { body: told } = await server.graphql('{ basis { time } }');
    return (told.data as { basis: { time: string } }).basis.time;
  };
  const before = new Date(Date.now() - 60_000).toISOString();
  const [first, second] = [
    await register('Sample', '1', {}),
    await register('Sample', '2', { description: 'What it says.' }),
  ];
  const child = { name: 'Blood', version: '1', parent: 'Sample', fields: [] };
  expect((await server.rest('POST', '/api/v1/metadata/schemas', { body: child })).status).toBe(200);
  const at = async (time: string) =>
    (
      await server.graphql(
        `query @asOf(time: "${time}") {
          schemas { name version subtypes }
          schema(name: "Sample") { allFields { description } }
          schemaVersions(name: "Sample") { version }
          schemaDiff(name: "Sample", version: "1") { differences { path } }
          schemaReferences(entityType: "Blood") { field }
        }`,
      )
    ).body.data;
  expect(await at(before)).toEqual({
    schemas: [],
    schema: null,
    schemaVersions: null,
    schemaDiff: null,
    schemaReferences: null,
  });
  expect(await at(first)).toEqual({
    schemas: [{ name: 'Sample', version: '1', subtypes: [] }],
    schema: { allFields: [{ description: null }] },
    schemaVersions: [{ version: '1' }],
    schemaDiff: { differences: [] },
    schemaReferences: null,
  });
  expect(await at(second)).toMatchObject({
    schemas: [{ name: 'Sample', version: '2', subtypes: [] }],
    schema: { allFields: [{ description: 'What it says.' }] },
    schemaVersions: [{ version: '2' }, { version: '1' }],
    schemaDiff: { differences: expect.arrayContaining([{ path: ['version'] }]) },
  });
  expect(await at('2999-01-01T00:00:00Z')).toMatchObject({
    schemas: [{ name: 'Blood' }, { name: 'Sample', subtypes: ['Blood'] }],
    schemaReferences: [],
  });
});

test('what changes something, or is not known of the past, is refused', async () => {
  await using server = await startServer();
  await seed(server);
  const headers = { 'x-as-of': '2999-01-01T00:00:00Z' };
  const body = { entity_type: 'Sample', id: 's3', data: { label: 'x' } };
  const written = await server.rest('POST', '/api/v1/metadata/ingest', { body, headers });
  expect([written.status, written.body.error.message]).toEqual([
    400,
    'nothing can be changed as of a time: leave out @asOf and X-As-Of',
  ]);
  const paused = await server.graphql('mutation { cancelRun(runId: "r1") { status } }', {}, { headers });
  expect(paused.body.errors[0].extensions.code).toBe('INVALID_REQUEST');
  expect((await server.graphql('{ run(runId: "r1") { status } entity(id: "s3") { id } }')).body.data).toEqual(
    { run: { status: 'running' }, entity: null },
  );
  expect(
    (await server.graphql('mutation @asOf { cancelRun(runId: "r1") { status } }')).body.errors[0].message,
  ).toContain('@asOf');
  for (const [query, what, why] of [
    ['query @asOf { schemaRevision }', 'Query.schemaRevision', 'everything is judged by the schemas of now'],
    ['query @asOf { health { status } }', 'Query.health', 'it tells of now alone'],
    ['query @asOf { entity(id: "s1") { artifacts { hash } } }', 'Entity.artifacts', FILES],
    ['query @asOf { workflowRunCrate(entityId: "s1") }', 'Query.workflowRunCrate', FILES],
  ] as const) {
    const { errors } = (await server.graphql(query)).body;
    expect(errors[0]).toMatchObject({
      message: `${what} cannot be read as of a time: ${why}`,
      extensions: { code: 'VALIDATION_FAILED' },
    });
  }
  const wrong = await server.graphql('{ runs { total } }', {}, { headers: { 'x-as-of': 'yesterday' } });
  expect(wrong.body.errors[0].extensions.code).toBe('VALIDATION_FAILED');
});

test('a node, and what it leads to, is of then; so are DRS objects of a list, and their addresses', async () => {
  await using server = await startServer();
  await seed(server);
  const hash = 'a'.repeat(64);
  const file = (size: number, letter: string) => ({
    entity_type: 'Sample',
    id: 's1',
    data: {
      label: letter,
      size,
      sha256: hash,
      uri: `https://cairn.test/api/v1/artifact/files/sha256:${letter.repeat(64)}`,
    },
  });
  const fields = ['label', 'sha256', 'uri'].map((name) => ({ name, field_type: 'string' }));
  const definition = {
    name: 'Sample',
    version: '2',
    fields: [...fields, { name: 'size', field_type: 'int' }],
  };
  const updated = await server.rest('POST', '/api/v1/metadata/schemas', { body: definition });
  expect(updated.status, updated.text).toBe(200);
  expect((await server.rest('POST', '/api/v1/metadata/ingest', { body: file(1, 'a') })).status).toBe(200);
  const NODE = `{ node(id: "s1") { __typename id ... on Sample { label size entity { version } } ... on Entity { runs { status entities { id data } } producedBy { status } } } }`;
  const read = async (headers: Record<string, string>) => {
    const node = await server.graphql(NODE, {}, { headers });
    expect(node.body.errors).toBeUndefined();
    const objects = await server.rest('POST', '/ga4gh/drs/v1/objects', {
      body: { bulk_object_ids: ['s1', 's2', `sha-256:${hash}`] },
      headers,
    });
    const access = await server.rest('GET', `/ga4gh/drs/v1/objects/s1/access/${hash}`, { headers });
    return [node.body.data, objects.status, objects.body, access.status, access.body];
  };
  const { basis } = (await server.graphql('{ basis { time } }')).body.data as { basis: { time: string } };
  const before = await read({});
  expect(before[1]).toBe(200);
  await change(server);
  expect((await server.rest('POST', '/api/v1/metadata/ingest', { body: file(2, 'b') })).status).toBe(200);
  expect(await read({})).not.toEqual(before);
  expect(await read({ 'x-as-of': basis.time })).toEqual(before);
  const both = await server.graphql(`query @asOf(time: "${basis.time}") ${NODE}`);
  expect(both.body.data).toEqual(before[0]);
});

test('the header is heeded by streams, and refused by name where nothing of the past is told', async () => {
  await using server = await startServer();
  await seed(server);
  const { basis } = await basisOf(server);
  await change(server);
  const headers = { 'x-as-of': basis.time };
  const streamed = await server.rest('POST', '/graphql', {
    body: { query: '{ runs { total } }' },
    headers: { ...headers, accept: 'text/event-stream' },
  });
  expect(streamed.text).toContain('"total":1');
  for (const [method, path] of [
    ['GET', '/api/v1/gateway/health'],
    ['GET', '/api/v1/openapi.json'],
    ['GET', '/api/v1/metadata/health'],
    ['OPTIONS', '/ga4gh/drs/v1/objects/s1'],
    ['GET', '/api/v1/gateway/audit'],
  ] as const) {
    const { status, text } = await server.rest(method, path, { headers });
    // metadata's and DRS's errors have no details
    expect([path, status, text]).toEqual([
      path,
      422,
      expect.stringMatching(/(?:Query\.\w+|\/api\/\S+) cannot be read as of a time/),
    ]);
  }
});
