// Who registers, supersedes and deprecates which rules; fetched workflows.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';
import { base64, canary, ruleOf, sha256, STATS_CWL, tool, withTypes } from './registration-testkit.ts';

let server: TestServer;

let viewer: string;

let analyst: string;

beforeAll(async () => {
  server = await withTypes(
    await startServer({
      config:
        'artifact: {allow_networks: [127.0.0.0/8], allowed_images: ["quay.io/biocontainers/*"], limits: {cores: 4, ram: 1 GiB}}\n',
      transport: 'in-process',
    }),
  );
  viewer = await server.newKey({ role: 'viewer', owner: 'user:vera' });
  analyst = await server.newKey({ role: 'analyst', owner: 'user:anna' });
});

afterAll(() => server[Symbol.asyncDispose]());

const RULES = '/api/v1/artifact/rules';

const register = (body: unknown, key = server.key) => server.rest('POST', RULES, { body, key });

const violationsOf = async (body: unknown) => (await register(body)).body.details.violations;

const withCwl = (name: string, outputs: string, more: Record<string, unknown> = {}, rest = '') =>
  ruleOf(name, { execute: { cwl_content: base64(tool(outputs, rest)) }, ...more });

const BASE = 'uri: File\nsample_id: string\n';

test('a workflow by URL is fetched with what it imports, hashed and kept by its content', async () => {
  await using web = await canary({
    '/main.cwl': STATS_CWL.replace("'true'", '{$import: command.yml}'),
    '/command.yml': '"true"',
  });
  const { status, body } = await register(ruleOf('fetched', { execute: { cwl_url: web.url('/main.cwl') } }));
  expect(status).toBe(201);
  const { rows } = await server.database.pool.query<{ content: string; documents: unknown[] }>(
    'SELECT d.content, w.documents FROM artifact.cwl_document d, artifact.workflow w WHERE d.hash = $1 AND w.hash = $2',
    [body.cwl_hash, body.workflow_hash],
  );
  expect(sha256(rows[0]?.content ?? '')).toBe(body.cwl_hash);
  expect(rows[0]?.documents).toEqual([
    { reference: '', hash: body.cwl_hash },
    { reference: 'command.yml', hash: sha256('"true"') },
  ]);
});

test('a workflow that cannot be fetched is 422', async () => {
  await using web = await canary();
  expect(await violationsOf(ruleOf('gone', { execute: { cwl_url: web.url('/gone.cwl') } }))).toMatchObject([
    { check: 'cwl', message: `cwl_url ${web.url('/gone.cwl')} returns status 404` },
  ]);
  expect(
    await violationsOf(ruleOf('gone', { execute: { cwl_url: 'http://127.0.0.1:9/a.cwl' } })),
  ).toMatchObject([{ check: 'cwl' }]);
});

test('images that are not allowed and resources over the limits are refused', async () => {
  const asks = (image: string, cores: number) =>
    withCwl(
      'greedy',
      BASE.trim(),
      {},
      `requirements: {DockerRequirement: {dockerPull: ${image}}, ResourceRequirement: {coresMin: ${cores}, ramMin: 4096}}\n`,
    );
  expect(
    (await violationsOf(asks('evil.example.org/miner', 64))).map((v: { check: string }) => v.check),
  ).toEqual(['image', 'limit', 'limit']);
  expect(
    (await violationsOf(asks('quay.io/biocontainers/samtools:1.9', 2))).map(
      (v: { check: string }) => v.check,
    ),
  ).toEqual(['limit']);
});

test('viewers register rules of their own scope only, analysts global ones', async () => {
  expect(await register(ruleOf('roles'), viewer)).toMatchObject({
    status: 403,
    body: { error: 'insufficient_role', details: { required_role: 'analyst' } },
  });
  expect(await register(ruleOf('roles-own', { scope: 'user:vera' }), viewer)).toMatchObject({
    status: 201,
    body: { scope: 'user:vera' },
  });
  expect((await register(ruleOf('roles-other', { scope: 'user:anna' }), viewer)).status).toBe(403);
  expect((await register(ruleOf('roles'), analyst)).status).toBe(201);
  for (const scope of ['mine', 'user:', 'Global', 'user:a b'])
    expect([scope, await register(ruleOf('roles', { scope }), analyst)]).toMatchObject([
      scope,
      {
        status: 422,
        body: {
          details: {
            violations: [{ check: 'definition', message: expect.stringContaining('scope') as string }],
          },
        },
      },
    ]);
});

test("an actor cannot supersede or see another actor's own rule", async () => {
  await register(ruleOf('private', { scope: 'user:vera' }), viewer);
  expect(await register(ruleOf('private'), analyst)).toMatchObject({
    status: 422,
    body: { details: { violations: [{ check: 'name' }] } },
  });
  expect((await server.rest('GET', `${RULES}/private`, { key: analyst })).status).toBe(404);
  expect(
    (
      await server.rest('PATCH', `${RULES}/private`, {
        key: analyst,
        body: { status: 'deprecated', deprecation_note: 'mine now' },
      })
    ).status,
  ).toBe(404);
});

test("an actor's own rule with the name of a global rule does not hide it from others", async () => {
  await register(ruleOf('shared'), analyst);
  for (const replace of [true, false])
    expect(await register(ruleOf('shared', { scope: 'user:anna', replace }), analyst)).toMatchObject({
      status: 422,
      body: { details: { violations: [{ check: 'name' }] } },
    });
  expect(
    await server.rest('POST', `${RULES}?dry_run=true`, {
      key: analyst,
      body: ruleOf('shared', { scope: 'user:anna' }),
    }),
  ).toMatchObject({ body: { valid: false, violations: [{ check: 'name' }] } });
  expect(await server.rest('GET', `${RULES}/shared`, { key: viewer })).toMatchObject({
    body: { rule: 'shared@1', status: 'active', scope: 'global' },
  });
  await register(ruleOf('draft', { scope: 'user:anna' }), analyst); // and may be made global
  expect(await register(ruleOf('draft'), analyst)).toMatchObject({
    body: { rule: 'draft@2', scope: 'global' },
  });
});

test('PATCH deprecates with a note; other states and missing notes are 422, unknown rules 404', async () => {
  await register(ruleOf('old'));
  const patch = (name: string, body: unknown, key = server.key) =>
    server.rest('PATCH', `${RULES}/${name}`, { body, key });
  const body = { status: 'deprecated', deprecation_note: 'use new' };
  for (const sent of [body, {}, { status: 'active' }, { ...body, deprecation_note: 5 }, { ...body, zzz: 1 }])
    expect([sent, (await patch('old', sent, viewer)).status]).toEqual([sent, 403]);
  expect((await patch('old', { status: 'active', deprecation_note: 'x' })).status).toBe(422);
  expect((await patch('old', { status: 'deprecated' })).status).toBe(422);
  expect(await patch('old', { ...body, description: 'new' })).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining('nothing else can be changed') },
  });
  expect((await server.rest('GET', `${RULES}/old`)).body).toMatchObject({ status: 'active' });
  expect((await patch('never', body)).status).toBe(404);
  expect(await patch('old', body)).toMatchObject({
    status: 200,
    body: { rule: 'old@1', status: 'deprecated', deprecation_note: 'use new' },
  });
  expect((await server.rest('GET', `${RULES}/old`)).body).toMatchObject({
    status: 'deprecated',
    deprecation_note: 'use new',
  });
});

test('a plain name without an active version deprecates nothing; a version keeps the note that it has', async () => {
  await register(ruleOf('gone'));
  const patch = (name: string, note: string) =>
    server.rest('PATCH', `${RULES}/${name}`, { body: { status: 'deprecated', deprecation_note: note } });
  expect((await patch('gone', 'first')).body).toMatchObject({ rule: 'gone@1', deprecation_note: 'first' });
  expect(await patch('gone', 'second')).toMatchObject({
    status: 200,
    body: { rule: 'gone@1', status: 'deprecated', deprecation_note: 'first' },
  });
  expect((await server.rest('GET', `${RULES}/gone`)).body).toMatchObject({ deprecation_note: 'first' });
  expect((await patch('gone@1', 'third')).body).toMatchObject({ deprecation_note: 'third' });
});

test('GraphQL registers as REST does', async () => {
  const mutation =
    'mutation R($d: JSON!, $dry: Boolean!) { registerRule(definition: $d, dryRun: $dry) { isValid rule { rule } violations { check expectedType } } }';
  expect(
    (await server.graphql(mutation, { d: ruleOf('by-graphql'), dry: false })).body.data.registerRule,
  ).toEqual({ isValid: true, rule: { rule: 'by-graphql@1' }, violations: [] });
  expect(
    (await server.graphql(mutation, { d: withCwl('x', 'uri: File\nsample_id: int'), dry: true })).body.data
      .registerRule,
  ).toEqual({ isValid: false, rule: null, violations: [{ check: 'field_type', expectedType: 'string' }] });
  expect((await server.graphql(mutation, { d: 5, dry: false })).body.errors[0].extensions.code).toBe(
    'VALIDATION_FAILED',
  );
});
