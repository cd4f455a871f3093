// docs/reference/artifact.md#registration-validation, docs/reference/artifact.md#rule-states,
// docs/reference/artifact.md#roles.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';
import { base64, ruleOf, sha256, STATS_CWL, tool, withTypes } from './registration-testkit.ts';

let server: TestServer;

beforeAll(async () => {
  server = await withTypes(
    await startServer({
      config:
        'artifact: {allow_networks: [127.0.0.0/8], allowed_images: ["quay.io/biocontainers/*"], limits: {cores: 4, ram: 1 GiB}}\n',
      transport: 'in-process',
    }),
  );
});

afterAll(() => server[Symbol.asyncDispose]());

const RULES = '/api/v1/artifact/rules';

const register = (body: unknown, key = server.key) => server.rest('POST', RULES, { body, key });

const violationsOf = async (body: unknown) => (await register(body)).body.details.violations;

const withCwl = (name: string, outputs: string, more: Record<string, unknown> = {}, rest = '') =>
  ruleOf(name, { execute: { cwl_content: base64(tool(outputs, rest)) }, ...more });

test.each([RULES, '/api/v1/artifact/api/v1/rules'])(
  'POST %s registers a rule: 201 and the whole rule',
  async (path) => {
    const name = `whole-${path.length}`;
    const { status, body } = await server.rest('POST', path, {
      body: ruleOf(name, { description: 'words', tags: ['qc'], requires: [{ ref: 'Sample' }] }),
    });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        name,
        version: 1,
        rule: `${name}@1`,
        status: 'active',
        scope: 'global',
        description: 'words',
        tags: ['qc'],
        requires: [{ ref: 'Sample' }],
        previous_version_id: null,
        deprecation_note: null,
        cwl_hash: sha256(STATS_CWL),
        produces: { entity_type: 'VariantStats', match: { sample_id: '{sample_id}' } },
        execute: { cwl_content: base64(STATS_CWL) },
      },
    });
    expect((await server.rest('GET', `${path}/${name}`)).body).toEqual(body);
  },
);

test('registering again supersedes: the plain name is the new version, name@1 the old one', async () => {
  await register(ruleOf('again'));
  expect((await register(ruleOf('again', { description: 'second' }))).body).toMatchObject({
    rule: 'again@2',
    status: 'active',
    previous_version_id: 'again@1',
  });
  expect((await server.rest('GET', `${RULES}/again`)).body).toMatchObject({ rule: 'again@2' });
  expect((await server.rest('GET', `${RULES}/again@1`)).body).toMatchObject({
    status: 'superseded',
    description: null,
  });
});

test('with replace false the old version stays active', async () => {
  await register(ruleOf('beside'));
  expect(await register(ruleOf('beside', { replace: false }))).toMatchObject({
    status: 201,
    body: { rule: 'beside@2', status: 'superseded', previous_version_id: null },
  });
  expect((await server.rest('GET', `${RULES}/beside`)).body).toMatchObject({
    rule: 'beside@1',
    status: 'active',
  });
});

test('twenty registrations at once make twenty consecutive versions, each superseding the one before', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => register(ruleOf('busy'))));
  expect(answers.map((a) => a.status)).toEqual(Array(20).fill(201));
  const { body } = await server.rest('GET', `${RULES}?name=busy`);
  expect(body.rules.map((r: { version: number }) => r.version)).toEqual(
    Array.from({ length: 20 }, (_, i) => i + 1),
  );
  expect(body.rules.map((r: { previous_version_id: string | null }) => r.previous_version_id)).toEqual([
    null,
    ...Array.from({ length: 19 }, (_, i) => `busy@${i + 1}`),
  ]);
  expect(body.rules.filter((r: { status: string }) => r.status === 'active')).toHaveLength(1);
});

test('a dry run answers 200 with every violation and registers nothing', async () => {
  expect(await server.rest('POST', `${RULES}?dry_run=true`, { body: ruleOf('rehearsed') })).toMatchObject({
    status: 200,
    body: { dry_run: true, valid: true, violations: [] },
  });
  const wrong = withCwl('rehearsed', 'sample_id: int', {
    produces: { entity_type: 'VariantStats', match: { nothing: 1 } },
  });
  const { status, body } = await server.rest('POST', `${RULES}?dry_run=true`, { body: wrong });
  expect({
    status,
    valid: body.valid,
    checks: body.violations.map((v: { check: string }) => v.check),
  }).toEqual({ status: 200, valid: false, checks: ['field_type', 'file_uri', 'match'] });
  expect((await server.rest('GET', `${RULES}/rehearsed`)).status).toBe(404);
});

test('a type that differs is 422 and names output, its type, the field and the expected type', async () => {
  const { status, body } = await register(
    withCwl('typed', 'uri: File\nsample_id: string\nrecord_count: string'),
  );
  expect({ status, error: body.error }).toEqual({ status: 422, error: 'validation_failed' });
  expect(body.details.violations).toEqual([
    {
      check: 'field_type',
      output: 'record_count',
      output_type: 'string',
      entity_type: 'VariantStats',
      field: 'record_count',
      expected_type: 'int',
      message: 'output record_count (string): field record_count of VariantStats must be int',
    },
  ]);
});

const BASE = 'uri: File\nsample_id: string\n';

test.each([
  ['record_count', 'long', true],
  ['record_count', 'int?', true],
  ['record_count', 'float', false],
  ['record_count', 'int[]', false],
  ['ratio', 'double', true],
  ['ratio', 'float', true],
  ['ratio', 'int', false],
  ['passed', 'boolean', true],
  ['passed', 'string', false],
  ['tags', 'string[]', true],
  ['tags', 'string', false],
  ['tags', 'int[]', false],
  ['extra', 'Any', true],
  ['extra', '{type: record, fields: {a: int}}', true],
  ['extra', 'string', false],
  ['level', '{type: enum, symbols: [high, low]}', true],
  ['level', '{type: enum, symbols: [high]}', false],
  ['level', 'string', false],
  ['day', 'string', false],
  ['caller', '[string, int]', false],
])('field %s takes an output of type %s: %s', async (name, type, fits) => {
  const { body } = await server.rest('POST', `${RULES}?dry_run=true`, {
    body: withCwl('types', `${BASE}${name}: {type: ${/^[[{]/.test(type) ? type : `'${type}'`}}`),
  });
  expect(body.violations.map((v: { check: string; field: string }) => [v.check, v.field])).toEqual(
    fits ? [] : [['field_type', name]],
  );
});

test('an output that may be null does not fit a required field', async () => {
  expect(await violationsOf(withCwl('optional', 'uri: File\nsample_id: string?'))).toMatchObject([
    { check: 'field_type', output_type: 'string?', field: 'sample_id', expected_type: 'string' },
  ]);
});

test('all violations are reported at once, in the order of the checks', async () => {
  const produces = [
    { entity_type: 'Nothing', from_output: 'stats' },
    { entity_type: 'VariantStats', from_output: 'gone' },
    { entity_type: 'VariantStats', from_output: 'stats', match: { nope: '{x}' } },
  ];
  const outputs = 'stats: {type: {type: record, fields: {sample_id: int, colour: string}}}';
  expect(
    (await violationsOf(withCwl('many', outputs, { produces }))).map(
      (v: { check: string; output: string; field: string }) => [v.check, v.output, v.field],
    ),
  ).toEqual([
    ['entity_type', null, null],
    ['output', 'gone', null],
    ['field_type', 'stats', 'sample_id'],
    ['field_type', 'stats', 'colour'],
    ['file_uri', null, 'uri'],
    ['match', null, 'nope'],
  ]);
});

test('an invalid workflow is reported with its position, together with the faults of the types', async () => {
  const execute = { cwl_content: base64('cwlVersion: v1.2\nclass: Nonsense\n') };
  const violations = await violationsOf(ruleOf('broken', { execute, produces: { entity_type: 'Nothing' } }));
  expect(violations.map((v: { check: string }) => v.check).at(-1)).toBe('entity_type');
  expect(violations[0]).toMatchObject({
    check: 'cwl',
    message: expect.stringMatching(/^workflow\.cwl:/) as string,
  });
});

test('two outputs of one type need from_output; a list of records needs one_per_item', async () => {
  const outputs =
    'a: {type: {type: record, fields: {uri: File, sample_id: string}}}\nb: {type: {type: array, items: {type: record, fields: {uri: File, sample_id: string}}}}';
  const two = (b: Record<string, unknown>) =>
    withCwl('two', outputs, {
      produces: [
        { entity_type: 'VariantStats', from_output: 'a' },
        { entity_type: 'VariantStats', ...b },
      ],
    });
  expect(await violationsOf(two({}))).toMatchObject([
    { check: 'output', message: 'from_output is required if two outputs have the type VariantStats' },
  ]);
  expect(await violationsOf(two({ from_output: 'b' }))).toMatchObject([{ check: 'output', output: 'b' }]);
  expect(
    (await register(two({ from_output: 'b', array_mode: 'one_per_item', match: { sample_id: '{s}' } })))
      .status,
  ).toBe(201);
});

test.each([
  ['no execute', { execute: undefined }],
  ['both sources', { execute: { cwl_url: 'https://example.org/a.cwl', cwl_content: 'YQ==' } }],
  ['neither', { execute: {} }],
  ['no base64', { execute: { cwl_content: '***' } }],
  ['a slash in the name', { name: 'a/b' }],
  ['a version in the name', { name: 'a@1' }],
  ['a backslash in the name', { name: 'a\\b' }],
  ['a name that paths cannot have', { name: '..' }],
  ['a list in a match', { produces: { entity_type: 'VariantStats', match: { sample_id: ['a'] } } }],
  ['a match that is a list', { produces: { entity_type: 'VariantStats', match: ['sample_id'] } }],
  ['an unknown key', { colour: 'red' }],
  ['an unknown array mode', { produces: { entity_type: 'VariantStats', array_mode: 'all' } }],
  ['an unreadable reference', { requires: [{ ref: 'Sample(' }] }],
  ['nothing produced', { produces: [] }],
])('a definition with %s is 422', async (_, wrong) => {
  const { status, body } = await register({ ...ruleOf('shape'), ...wrong });
  expect({ status, check: body.details.violations[0].check }).toEqual({ status: 422, check: 'definition' });
});

test('an identity field may have any name, and is looked for under it', async () => {
  const match = JSON.parse('{"sample_id": "{sample_id}", "__proto__": "{s}"}') as unknown;
  expect(
    await violationsOf(ruleOf('named', { produces: { entity_type: 'VariantStats', match } })),
  ).toMatchObject([{ check: 'match', field: '__proto__' }]);
});

test("a hash that is not the workflow's is 422; the right one is accepted", async () => {
  const execute = (text: string) => ({ execute: { cwl_content: base64(STATS_CWL), cwl_hash: sha256(text) } });
  expect(await violationsOf(ruleOf('hashed', execute('other')))).toMatchObject([
    { check: 'cwl', message: expect.stringContaining(sha256(STATS_CWL)) as string },
  ]);
  expect((await register(ruleOf('hashed', execute(STATS_CWL)))).status).toBe(201);
});
