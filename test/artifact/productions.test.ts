// docs/reference/artifact.md#productions, docs/reference/artifact.md#the-artifact-store,
// docs/reference/artifact.md#who-sees-a-production; and the fields that both add to entities.
import { expect, test } from 'vitest';
import { artifactRows } from '../../rest-compat/routes/artifact.routes.ts';
import { callerOf, viewer } from '../testkit/callers.ts';
import { serveRows } from '../testkit/serve-rows.ts';
import { artifactBench, type ArtifactBench } from './artifact-bench.ts';

const PAGE = `query Page($entityType: String, $status: ProductionStatus, $rule: String, $limit: Int! = 100, $offset: Int! = 0, $cursor: String) {
  productions(entityType: $entityType, status: $status, rule: $rule, limit: $limit, offset: $offset, cursor: $cursor) { total nextCursor productions { id } }
}`;
const OF_ENTITIES = (fields: string): string =>
  `query Of($of: [_Any!]!) { _entities(representations: $of) { ... on Entity { id ${fields} } } }`;
const entities = (...ids: readonly string[]): { of: unknown[] } => ({
  of: ids.map((id) => ({ __typename: 'Entity', id })),
});

const AA = `sha256:${'a'.repeat(64)}`;
const BB = `sha256:${'b'.repeat(64)}`;
async function storeFiles(bench: ArtifactBench): Promise<void> {
  await bench.sql(`INSERT INTO artifact.stored_object (hash, size, media_type, created_at, last_used_at, evicted_at) VALUES
    ('${AA}', 5000000000, 'text/plain', '2026-01-31T09:30:00.000001Z', '2026-01-31T09:30:00.000002Z', NULL),
    ('${BB}', 1, NULL, '2026-01-31T09:30:00Z', '2026-01-31T09:30:00Z', '2026-02-01T00:00:00Z')`);
  await bench.sql(
    `INSERT INTO artifact.artifact_entity VALUES ('e1', '${AA}', 'uri', NULL), ('e1', '${BB}', 'index', NULL), ('e2', '${AA}', 'uri', NULL)`,
  );
}

test('productions are listed newest first; filters narrow the list and cursors walk it', async () => {
  await using bench = await artifactBench();
  await bench.seedProductions(
    { id: 'p1' },
    { id: 'p2', status: 'failed', rule: 'stats@2' },
    { id: 'p3', entityType: 'Peak', rule: 'peaks@1', requestedAt: '2026-02-01T00:00:00Z' },
    { id: 'p4', rule: 'statsx@1' },
  );
  const first = (await bench.ask(PAGE, { limit: 3 })).productions;
  expect(first).toEqual({
    total: 4,
    nextCursor: expect.any(String),
    productions: [{ id: 'p3' }, { id: 'p4' }, { id: 'p2' }],
  });
  expect((await bench.ask(PAGE, { limit: 3, offset: 1, cursor: first.nextCursor })).productions).toEqual({
    total: 4,
    nextCursor: null,
    productions: [{ id: 'p1' }],
  });
  expect((await bench.ask(PAGE, { rule: 'stats' })).productions.productions).toEqual([
    { id: 'p2' },
    { id: 'p1' },
  ]);
  expect((await bench.ask(PAGE, { rule: 'stats@2' })).productions.productions).toEqual([{ id: 'p2' }]);
  expect((await bench.ask(PAGE, { entityType: 'Peak' })).productions).toMatchObject({
    total: 1,
    productions: [{ id: 'p3' }],
  });
  expect((await bench.ask(PAGE, { status: 'failed' })).productions).toMatchObject({
    total: 1,
    productions: [{ id: 'p2' }],
  });
});

test('invalid limits, states and cursors are refused as invalid_request', async () => {
  await using bench = await artifactBench();
  for (const variables of [
    { limit: 0 },
    { limit: 1001 },
    { offset: -1 },
    { cursor: 'x' },
    { status: 'done' },
  ]) {
    await expect(bench.ask(PAGE, variables), JSON.stringify(variables)).rejects.toThrow(/^INVALID_REQUEST: /);
  }
});

test('a production for another project does not exist: not by id, not in the list, not behind an entity', async () => {
  await using bench = await artifactBench();
  await bench.seedProductions(
    { id: 'shared' },
    { id: 'theirs', criteria: { project: 'p2' }, entityIds: ['e1'] },
  );
  const scoped = callerOf('user:sam', ['viewer'], ['p1']);
  expect(
    await bench.ask(
      '{ production(id: "theirs") { id } productions { total productions { id } } }',
      {},
      scoped,
    ),
  ).toEqual({ production: null, productions: { total: 1, productions: [{ id: 'shared' }] } });
  const { _entities: found } = await bench.ask(OF_ENTITIES('producedBy { id }'), entities('e1'), scoped);
  expect(found[0].producedBy).toBeNull();
  expect(
    (await bench.ask('{ production(id: "theirs") { id } }', {}, callerOf('user:sue', ['viewer'], ['p2'])))
      .production,
  ).toEqual({ id: 'theirs' });
});

test('a production that uses or names an entity of another project, however deep in its plan, does not exist either', async () => {
  await using bench = await artifactBench();
  await bench.seedProductions({ id: 'uses' }, { id: 'names' }, { id: 'asks' }, { id: 'own' }, { id: 'none' });
  const plans: Record<string, unknown> = {
    uses: {
      projects: [],
      requires: [{ projects: [], requires: [{ projects: ['p1', 'p2'], requires: [] }] }],
    },
    names: { projects: ['p2'], requires: [] },
    asks: { projects: [], requires: [{ criteria: { project: 'p2' }, projects: [], requires: [] }] },
    own: { projects: ['p1'], requires: [{ criteria: { project: 'p1' }, projects: ['p1'] }] },
    none: {},
  };
  for (const [id, plan] of Object.entries(plans))
    await bench.sql(`UPDATE artifact.production SET plan = '${JSON.stringify(plan)}' WHERE id = '${id}'`);
  const seenBy = async (projects: readonly string[]): Promise<string[]> => {
    const { productions: page } = await bench.ask(PAGE, {}, callerOf('user:sam', ['viewer'], projects));
    expect(page.total).toBe(page.productions.length);
    return (page.productions as { id: string }[]).map(({ id }) => id).sort();
  };
  expect(await seenBy(['p1'])).toEqual(['none', 'own']);
  expect(await seenBy(['p1', 'p2'])).toEqual(['asks', 'names', 'none', 'own', 'uses']);
  expect(
    (await bench.ask('{ production(id: "uses") { id } }', {}, callerOf('user:sam', ['viewer'], ['p1'])))
      .production,
  ).toBeNull();
});

test('entities know their production, their files and their rules, each list in one statement', async () => {
  await using bench = await artifactBench();
  await storeFiles(bench);
  await bench.seedRules({ name: 'stats' }, { name: 'peaks' });
  await bench.seedProductions(
    { id: 'old', entityIds: ['e1', 'e2'] },
    { id: 'new', rule: 'peaks@1', entityIds: ['e1'], requestedAt: '2026-02-01T00:00:00Z' },
  );
  const { _entities: found } = await bench.ask(
    OF_ENTITIES(
      'producedBy { id rule productionRule { rule } entities { id } } artifacts { hash } index: artifacts(field: "index") { hash }',
    ),
    entities('e1', 'e2', 'e3'),
  );
  expect(found).toEqual([
    {
      id: 'e1',
      producedBy: {
        id: 'new',
        rule: 'peaks@1',
        productionRule: { rule: 'peaks@1' },
        entities: [{ id: 'e1' }],
      },
      artifacts: [{ hash: BB }, { hash: AA }],
      index: [{ hash: BB }],
    },
    {
      id: 'e2',
      producedBy: {
        id: 'old',
        rule: 'stats@1',
        productionRule: { rule: 'stats@1' },
        entities: [{ id: 'e1' }, { id: 'e2' }],
      },
      artifacts: [{ hash: AA }],
      index: [],
    },
    { id: 'e3', producedBy: null, artifacts: [], index: [] },
  ]);
  expect(bench.statements).toHaveLength(3); // productions, files, rules
});

test('a stored file is found by its digest, evicted or not', async () => {
  await using bench = await artifactBench(
    () => () => Promise.resolve({ data: { entities: { items: [{ id: 'e1' }] } } }),
  );
  await storeFiles(bench);
  const file =
    'query File($hash: ID!) { storedFile(hash: $hash) { hash size mediaType createdAt lastUsedAt evictedAt } }';
  expect((await bench.ask(file, { hash: AA })).storedFile).toEqual({
    hash: AA,
    size: 5_000_000_000,
    mediaType: 'text/plain',
    createdAt: '2026-01-31T09:30:00.000001Z',
    lastUsedAt: '2026-01-31T09:30:00.000002Z',
    evictedAt: null,
  });
  expect((await bench.ask(file, { hash: BB })).storedFile).toMatchObject({
    size: 1,
    mediaType: null,
    evictedAt: '2026-02-01T00:00:00.000000Z',
  });
  for (const hash of [`sha256:${'c'.repeat(64)}`, 'sha256:aa', '\u0000'])
    expect((await bench.ask(file, { hash })).storedFile).toBeNull();
});

test('a stored file that only entities hold which the caller does not see does not exist', async () => {
  await using bench = await artifactBench(() => () => Promise.resolve({ data: { entities: { items: [] } } }));
  await storeFiles(bench);
  expect(await bench.ask(`{ storedFile(hash: "${AA}") { hash } }`)).toEqual({ storedFile: null });
});

test.each(['', '/api/v1'])('GET %s/productions/{id} answers one production', async (prefix) => {
  await using bench = await artifactBench();
  await using rest = await serveRows(bench.component, artifactRows, viewer);
  await bench.seedProductions({ id: 'p1', criteria: { sample: 's1' }, entityIds: ['e1'] });
  expect(await rest.get(`${prefix}/productions/p1`)).toEqual({
    status: 200,
    body: {
      production_id: 'p1',
      status: 'completed',
      entity_type: 'VariantStats',
      criteria: { sample: 's1' },
      rule: 'stats@1',
      plan: { decision: 'build' },
      entity_ids: ['e1'],
      error: null,
      requested_by: 'user:rita',
      requested_at: '2026-01-31T09:30:00.123456Z',
      started_at: null,
      finished_at: null,
      parameters: {},
      inputs: {},
      produced: [],
      runner: null,
      images: null,
      log: null,
      waiters: 0,
    },
  });
  expect(await rest.get(`${prefix}/productions/p2`)).toMatchObject({
    status: 404,
    body: { error: 'not_found', message: 'production not found: p2' },
  });
});

test("reading rules, productions and files needs the viewer's role", async () => {
  await using bench = await artifactBench();
  const nobody = callerOf('user:nobody', []);
  for (const query of [
    '{ rules { total } }',
    '{ rule(name: "x") { name } }',
    '{ production(id: "x") { id } }',
    '{ productions { total } }',
    '{ storedFile(hash: "x") { hash } }',
  ]) {
    await expect(bench.ask(query, {}, nobody)).rejects.toThrow(/^INSUFFICIENT_ROLE: role viewer is required/);
  }
});
