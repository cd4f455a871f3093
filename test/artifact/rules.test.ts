// docs/reference/artifact.md#rule-definition, docs/reference/artifact.md#rule-states,
// docs/reference/artifact.md#who-sees-a-rule.
import { expect, test } from 'vitest';
import { artifactRows } from '../../rest-compat/routes/artifact.routes.ts';
import { admin, callerOf, viewer } from '../testkit/callers.ts';
import { serveRows } from '../testkit/serve-rows.ts';
import { artifactBench, DEFINITION } from './artifact-bench.ts';

const versionOf = 'query Rule($name: ID!) { rule(name: $name) { rule status } }';

test('the plain name means the active version, name@n exactly one', async () => {
  await using bench = await artifactBench();
  await bench.seedRules(
    { name: 'stats', version: 1, status: 'superseded' },
    { name: 'stats', version: 2, previous: 1 },
    { name: 'stats', version: 3, status: 'superseded' },
  );
  expect((await bench.ask(versionOf, { name: 'stats' })).rule).toEqual({ rule: 'stats@2', status: 'active' });
  expect((await bench.ask(versionOf, { name: 'stats@1' })).rule).toEqual({
    rule: 'stats@1',
    status: 'superseded',
  });
  expect((await bench.ask(versionOf, { name: 'stats@3' })).rule).toEqual({
    rule: 'stats@3',
    status: 'superseded',
  });
});

test('a deprecated rule can still be read by its plain name', async () => {
  await using bench = await artifactBench();
  await bench.seedRules(
    { name: 'stats', version: 1, status: 'superseded' },
    { name: 'stats', version: 2, status: 'deprecated' },
  );
  expect((await bench.ask(versionOf, { name: 'stats' })).rule).toEqual({
    rule: 'stats@2',
    status: 'deprecated',
  });
});

test('an unknown rule reference is not found', async () => {
  await using bench = await artifactBench();
  await bench.seedRules({ name: 'stats' });
  for (const name of [
    'none',
    'stats@2',
    'stats@0',
    'stats@99999999999',
    'stats@',
    '@1',
    'stats@1@1',
    'st\u0000ats',
    'stats\u0000@1',
  ]) {
    expect((await bench.ask(versionOf, { name })).rule, name).toBeNull();
  }
});

test("a rule shows its definition in the schema's spelling and as it was registered", async () => {
  await using bench = await artifactBench();
  const definition = {
    produces: [
      {
        entity_type: 'Peak',
        from_output: 'peaks',
        array_mode: 'one_per_item',
        match: { sample: '{sample}' },
      },
      { entity_type: 'Summary' },
    ],
    requires: [{ ref: 'Sample' }],
    execute: { cwl_url: 'https://example.org/a.cwl', cwl_hash: 'sha256:00' },
  };
  await bench.seedRules(
    { name: 'peaks', version: 1, status: 'superseded' },
    { name: 'peaks', version: 2, previous: 1, definition },
  );
  const { rule } =
    await bench.ask(`{ rule(name: "peaks") { name version rule definition produces { entityType fromOutput arrayMode match } requires { ref }
    execute { cwlUrl cwlContent cwlHash } description tags status previousVersionId scope deprecationNote cwlHash registeredBy registeredAt isStatic } }`);
  expect(rule).toEqual({
    name: 'peaks',
    version: 2,
    rule: 'peaks@2',
    definition: { ...definition, name: 'peaks' },
    produces: [
      { entityType: 'Peak', fromOutput: 'peaks', arrayMode: 'one_per_item', match: { sample: '{sample}' } },
      { entityType: 'Summary', fromOutput: null, arrayMode: null, match: null },
    ],
    requires: [{ ref: 'Sample' }],
    execute: { cwlUrl: 'https://example.org/a.cwl', cwlContent: null, cwlHash: 'sha256:00' },
    description: 'words',
    tags: ['qc'],
    status: 'active',
    previousVersionId: 'peaks@1',
    scope: 'global',
    deprecationNote: null,
    cwlHash: 'sha256:00',
    registeredBy: 'user:rita',
    registeredAt: '2026-01-31T09:30:00.000007Z',
    isStatic: false,
  });
});

test("a user's own rule is seen by that user and by administrators, and does not exist for anybody else", async () => {
  await using bench = await artifactBench();
  await bench.seedRules(
    { name: 'shared' },
    { name: 'mine', scope: 'user:vera' },
    { name: 'theirs', scope: 'user:tom' },
  );
  await bench.seedProductions({ id: 'p', rule: 'theirs@1' });
  const query =
    '{ rules { total rules { name } } rule(name: "theirs") { name } pinned: rule(name: "theirs@1") { name } production(id: "p") { productionRule { name } } }';
  expect(await bench.ask(query, {}, callerOf('user:vera'))).toEqual({
    rules: { total: 2, rules: [{ name: 'mine' }, { name: 'shared' }] },
    rule: null,
    pinned: null,
    production: { productionRule: null },
  });
  const theirs = { name: 'theirs' };
  expect(await bench.ask(query, {}, callerOf('user:tom'))).toMatchObject({
    rules: { total: 2 },
    rule: theirs,
    pinned: theirs,
    production: { productionRule: theirs },
  });
  expect(await bench.ask(query, {}, admin)).toMatchObject({
    rules: { total: 3 },
    rule: theirs,
    pinned: theirs,
    production: { productionRule: theirs },
  });
  const ofTom = '{ rules(scope: "user:tom") { total rules { name } } }';
  expect(await bench.ask(ofTom, {}, viewer)).toEqual({ rules: { total: 0, rules: [] } });
  expect(await bench.ask(ofTom, {}, admin)).toEqual({ rules: { total: 1, rules: [theirs] } });
});

const PAGE = `query Page($status: RuleStatus, $name: String, $limit: Int! = 100, $offset: Int! = 0, $cursor: String) {
  rules(status: $status, name: $name, limit: $limit, offset: $offset, cursor: $cursor) { total nextCursor rules { rule } }
}`;

test('rules are listed by name and version; filters narrow the list', async () => {
  await using bench = await artifactBench();
  await bench.seedRules(
    { name: 'b', version: 1, status: 'superseded' },
    { name: 'b', version: 10, status: 'superseded' },
    { name: 'b', version: 11 },
    { name: 'a' },
  );
  expect((await bench.ask(PAGE)).rules).toEqual({
    total: 4,
    nextCursor: null,
    rules: [{ rule: 'a@1' }, { rule: 'b@1' }, { rule: 'b@10' }, { rule: 'b@11' }],
  });
  expect((await bench.ask(PAGE, { status: 'superseded' })).rules.rules).toEqual([
    { rule: 'b@1' },
    { rule: 'b@10' },
  ]);
  expect((await bench.ask(PAGE, { name: 'b', limit: 1, offset: 1 })).rules).toMatchObject({
    total: 3,
    rules: [{ rule: 'b@10' }],
  });
  expect((await bench.ask(PAGE, { name: 'b\u0000' })).rules).toEqual({
    total: 0,
    nextCursor: null,
    rules: [],
  });
});

test('following cursors gives every version once', async () => {
  await using bench = await artifactBench();
  for (let version = 1; version <= 7; version++)
    await bench.seedRules({ name: version % 2 ? 'a' : 'b', version, status: 'superseded' });
  const seen: string[] = [];
  for (let cursor: string | null = null, more = true; more;) {
    const { rules } = await bench.ask(PAGE, { limit: 2, cursor, offset: cursor === null ? 0 : 1 });
    seen.push(...rules.rules.map((r: { rule: string }) => r.rule));
    cursor = rules.nextCursor;
    more = cursor !== null;
  }
  expect(seen).toEqual(['a@1', 'a@3', 'a@5', 'a@7', 'b@2', 'b@4', 'b@6']);
});

test('invalid limits, states and cursors are refused as invalid_request', async () => {
  await using bench = await artifactBench();
  const refused = [
    { limit: 0 },
    { limit: 1001 },
    { offset: -1 },
    { cursor: 'x' },
    { cursor: Buffer.from('["a",1.5]').toString('base64url') },
    { status: 'new' },
  ];
  for (const variables of refused)
    await expect(bench.ask(PAGE, variables), JSON.stringify(variables)).rejects.toThrow(/^INVALID_REQUEST: /);
});

test.each(['', '/api/v1'])(
  'GET %s/rules and …/rules/{name} answer the whole rule as it was registered',
  async (prefix) => {
    await using bench = await artifactBench();
    await using rest = await serveRows(bench.component, artifactRows, viewer);
    await bench.seedRules(
      { name: 'stats', version: 1, status: 'superseded' },
      { name: 'stats', version: 2, previous: 1 },
    );
    const rule = {
      name: 'stats',
      version: 2,
      rule: 'stats@2',
      ...DEFINITION,
      requires: [],
      description: 'words',
      tags: ['qc'],
      status: 'active',
      scope: 'global',
      previous_version_id: 'stats@1',
      deprecation_note: null,
      cwl_hash: 'sha256:00',
      workflow_hash: null,
      registered_by: 'user:rita',
      registered_at: '2026-01-31T09:30:00.000007Z',
    };
    expect(await rest.get(`${prefix}/rules/stats`)).toEqual({ status: 200, body: rule });
    expect(await rest.get(`${prefix}/rules/stats@1`)).toMatchObject({
      status: 200,
      body: { rule: 'stats@1', status: 'superseded', previous_version_id: null },
    });
    expect(await rest.get(`${prefix}/rules?status=active&name=stats&scope=global`)).toEqual({
      status: 200,
      body: { rules: [rule], total: 1, next_cursor: null },
    });
    expect(await rest.get(`${prefix}/rules/none`)).toMatchObject({
      status: 404,
      body: { error: 'not_found', message: 'rule not found: none' },
    });
    expect(await rest.get(`${prefix}/rules?limit=0`)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  },
);
