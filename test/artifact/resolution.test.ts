// docs/reference/artifact.md#resolve, docs/reference/artifact.md#resolve_all,
// docs/reference/artifact.md#match, docs/reference/artifact.md#rule-states,
// docs/reference/artifact.md#rule-scope.
import { expect, test } from 'vitest';
import { base64, tool } from './registration-testkit.ts';
import { cwl, setUp, server, store, rule, resolve } from './resolution-testkit.ts';
import { field } from './schema-field.ts';

setUp();

test('a stored entity that matches exactly is reused, with its uri', async () => {
  await store('Reuse', { id: 'r1', uri: 'file:///r1', sample: 's1', caller: 'x' });
  await rule('reuse', 'Reuse');
  const { status, body } = await resolve('entity_type=Reuse&sample=s1');
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      decision: 'reuse',
      uri: 'file:///r1',
      entity: { id: 'r1', fields: { sample: 's1' } },
      rule: null,
      plan: { decision: 'reuse', entity_id: 'r1', requires: [] },
    },
  });
  expect(body.plan_hash).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(
    (await server.rest('GET', '/api/v1/artifact/api/v1/resolve?entity_type=Reuse&sample=s1')).body,
  ).toEqual(body);
});

test('a missing entity is built by the rule that matches; the plan names the nearest miss and the field that differed', async () => {
  await store('Build', { id: 'b1', sample: 's1', caller: 'gatk' });
  await rule('builder', 'Build', {}, { sample: '{sample}', caller: 'bcftools' });
  await rule('stranger', 'Build', {}, { sample: '{sample}', caller: 'octopus' });
  const { body } = await resolve('entity_type=Build&sample=s1&caller=bcftools');
  expect(body).toMatchObject({
    decision: 'build',
    uri: null,
    entity: null,
    rule: 'builder@1',
    plan: { decision: 'build', rule: 'builder@1', bindings: { sample: 's1' } },
  });
  expect(body.plan.reason).toContain('nearest is b1, whose caller is gatk, not bcftools');
  expect(body.plan.nearest_id).toBe('b1');
  expect(body.plan.rules_considered).toEqual([
    { rule: 'builder@1', chosen: true, reason: 'matches with 1 fixed identity fields' },
    { rule: 'stranger@1', chosen: false, reason: 'caller is octopus, not bcftools' },
  ]);
  expect((await server.rest('GET', '/api/v1/metadata/entities?entity_type=Build')).body.data.total).toBe(1);
});

test('a value that no entity of the type can have is produced by no rule: nothing is started that could only fail', async () => {
  await server.rest('POST', '/api/v1/metadata/schemas', {
    body: {
      name: 'Typed',
      version: '1',
      fields: [
        field('uri', 'uri'),
        field('sample', 'string'),
        field('caller', 'string'),
        field('n', 'int'),
        field('x', 'float'),
        field('ok', 'bool'),
      ],
    },
  });
  await rule('typed', 'Typed', {
    execute: {
      cwl_content: base64(
        tool(
          'uri: {type: File, outputBinding: {glob: a}}\nsample: string\ncaller: string\nn: int\nx: float\nok: boolean',
        ),
      ),
    },
  });
  for (const [query, reason] of [
    ['n=abc', 'n must be a value of type int'],
    ['n=1.5', 'n must be a value of type int, not 1.5'],
    ['x=1e', 'type float'],
    ['ok=yes', 'type bool'],
  ]) {
    expect((await resolve(`entity_type=Typed&sample=s&${query}`)).body, query).toMatchObject({
      error: 'not_found',
      message: expect.stringContaining(reason ?? ''),
    });
  }
  expect((await resolve('entity_type=Typed&sample=s&n=-5&x=1e3&ok=true')).body).toMatchObject({
    decision: 'build',
  });
});

test('a stored entity that is unavailable is not reused', async () => {
  await store('Plan', { id: 'gone', sample: 's9' });
  await server.rest('DELETE', '/api/v1/metadata/entities/gone');
  const { status, body } = await resolve('entity_type=Plan&sample=s9');
  expect({ status, error: body.error }).toEqual({ status: 404, error: 'not_found' });
  expect(body.message).toContain('gone matches but is not available');
});

test('a rule that needs nothing and goes out to the network fetches', async () => {
  await rule('fetcher', 'Fetch', {
    execute: { cwl_content: cwl('requirements: {NetworkAccess: {networkAccess: true}}\n') },
  });
  expect((await resolve('entity_type=Fetch&sample=s1')).body.decision).toBe('fetch');
});

test('rules that match equally well are a conflict that names them; naming one resolves it', async () => {
  await rule('tie-a', 'Tie');
  await rule('tie-b', 'Tie');
  expect(await resolve('entity_type=Tie&sample=s1')).toMatchObject({
    status: 409,
    body: { error: 'conflict', details: { rules: ['tie-a@1', 'tie-b@1'] } },
  });
  expect((await resolve('entity_type=Tie&sample=s1&rule=tie-b')).body.rule).toBe('tie-b@1');
  expect((await resolve('entity_type=Tie&sample=s1&rule=never')).status).toBe(404);
});

test('the rule that fixes most identity fields goes first', async () => {
  await rule('general', 'Specific', {}, { sample: '{sample}', caller: '{caller}' });
  await rule('special', 'Specific', {}, { sample: '{sample}', caller: 'gatk' });
  expect((await resolve('entity_type=Specific&sample=s1&caller=gatk')).body.rule).toBe('special@1');
  expect((await resolve('entity_type=Specific&sample=s1&caller=other')).body.rule).toBe('general@1');
});

test('nothing stored and no rule is 404; so are unknown types; unknown fields are 422', async () => {
  expect((await resolve('entity_type=Summary&title=x')).status).toBe(404);
  expect((await resolve('entity_type=Nothing&title=x')).status).toBe(404);
  expect((await resolve('entity_type=Summary&colour=x')).status).toBe(422);
  expect((await resolve('sample=x')).status).toBe(400);
});

test('required entities are planned to any depth, with the bindings of the rule above', async () => {
  await rule('deep', 'Deep', {
    requires: [{ ref: 'Deeper(sample={sample})' }, { ref: 'Sample(sample_id={sample})' }],
  });
  await rule('deeper', 'Deeper', { requires: [{ ref: 'Deepest' }] });
  const missing = await resolve('entity_type=Deep&sample=s1');
  expect({ status: missing.status, path: missing.body.details.path }).toEqual({
    status: 404,
    path: ['Deep (sample = s1)', 'Deeper (sample = s1)', 'Deepest (sample = s1)'],
  });
  await store('Deepest', { id: 'd3', sample: 's1' });
  await store('Sample', { id: 'smp', sample_id: 's1' });
  expect((await resolve('entity_type=Deep&sample=s1')).body.plan).toMatchObject({
    rule: 'deep@1',
    requires: [
      { rule: 'deeper@1', requires: [{ decision: 'reuse', entity_id: 'd3' }] },
      { decision: 'reuse', entity_id: 'smp' },
    ],
  });
});

test('rules that require each other are a conflict that names the circle', async () => {
  await rule('circle-a', 'CircleA', { requires: [{ ref: 'CircleB' }] });
  await rule('circle-b', 'CircleB', { requires: [{ ref: 'CircleA' }] });
  expect(await resolve('entity_type=CircleA&sample=s1')).toMatchObject({
    status: 409,
    body: { details: { cycle: ['CircleA (sample = s1)', 'CircleB (sample = s1)', 'CircleA (sample = s1)'] } },
  });
});

test('a deprecated rule matches nothing, and neither does a version beside the active one unless it is named', async () => {
  await rule('old-rule', 'Old');
  await rule('old-rule', 'Old', { replace: false, description: 'beside' });
  expect((await resolve('entity_type=Old&sample=s1')).body.rule).toBe('old-rule@1');
  expect((await resolve('entity_type=Old&sample=s1&rule=old-rule@2')).body.rule).toBe('old-rule@2');
  await server.rest('PATCH', '/api/v1/artifact/rules/old-rule', {
    body: { status: 'deprecated', deprecation_note: 'n' },
  });
  expect((await resolve('entity_type=Old&sample=s1')).status).toBe(404);
  expect((await resolve('entity_type=Old&sample=s1&rule=old-rule@1')).status).toBe(404);
});

test("a user's own rule matches for that user alone, not even for administrators", async () => {
  const vera = await server.newKey({ role: 'viewer', owner: 'user:vera' });
  await rule('own', 'Own', { scope: 'user:vera' }, { sample: '{sample}' }, vera);
  expect((await resolve('entity_type=Own&sample=s1', vera)).body.rule).toBe('own@1');
  expect((await resolve('entity_type=Own&sample=s1')).status).toBe(404);
  expect((await resolve('entity_type=Own&sample=s1&rule=own')).status).toBe(404);
});

test('the plan hash covers the steps of the plan and changes with them', async () => {
  await rule('hashed', 'Plan');
  const hash = async () => (await resolve('entity_type=Plan&sample=h')).body.plan_hash;
  const first = await hash();
  expect(await hash()).toBe(first);
  await rule('hashed', 'Plan', { description: 'a new version' });
  expect(await hash()).not.toBe(first);
});

test('GraphQL resolves as REST does', async () => {
  const { body } = await server.graphql(
    'query R($c: JSON!) { resolveArtifact(entityType: "Reuse", criteria: $c) { decision uri entity { id } planHash } resolveAll(entityType: "Reuse", partialSpec: $c) { total entities { id } } }',
    { c: { sample: 's1' } },
  );
  expect(body.data).toMatchObject({
    resolveArtifact: { decision: 'reuse', uri: 'file:///r1', entity: { id: 'r1' } },
    resolveAll: { total: 1, entities: [{ id: 'r1' }] },
  });
});
