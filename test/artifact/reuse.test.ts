// docs/reference/artifact.md#reuse-rules: parameters that the rule takes are compared with those of a
// production; entities created by hand have none. GET /resolve and POST /produce decide alike.
import { rm } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../testkit/server.ts';
import {
  addRule,
  addSchema,
  canRun,
  GREET,
  GREETING,
  produce,
  startProducer,
  storedFile,
} from './production-testkit.ts';

let server: TestServer;
const MATCH = (entity_type: string) => ({ produces: { entity_type, match: { sample: '{sample}' } } });
const put = async (entity_type: string, id: string, data: Record<string, unknown>): Promise<void> => {
  const { status, text } = await server.rest('POST', '/api/v1/metadata/ingest', {
    body: { entity_type, id, data: { uri: 'https://files.test/x', ...data } },
  });
  if (status !== 200) throw new Error(text);
};
const RESOLVE =
  'query($t: String!, $c: JSON!, $p: JSON, $r: ID) { resolveArtifact(entityType: $t, criteria: $c, parameters: $p, rule: $r) { decision rule planHash entity { id } plan } }';
const resolve = async (t: string, c: unknown, p: unknown = null, r: string | null = null) =>
  (await server.graphql(RESOLVE, { t, c, p, r })).body;

// nothing can run here: a build would be 503, and no production is begun
beforeAll(async () => {
  server = await startProducer('artifact: {runner: {type: cwltool, command: cwltool-that-is-not-there}}\n');
  for (const name of ['Greeting', 'Strict', 'Unruled']) await addSchema(server, { ...GREETING, name });
  await addRule(server, 'greet', GREET, MATCH('Greeting'));
  await addRule(server, 'strict', GREET, { ...MATCH('Strict'), reuse: 'produced' });
  for (const type of ['Greeting', 'Strict', 'Unruled'])
    for (const sample of ['a', 'b', 'c'])
      await put(type, `${type}-${sample}`, { sample, mood: sample === 'c' ? 'sad' : 'plain' });
  // as if they had been produced, with these parameters
  for (const [type, sample, mood] of [
    ['Greeting', 'b', 'glad'],
    ['Strict', 'b', 'glad'],
    ['Strict', 'c', undefined],
  ] as const) {
    await server.database.pool.query(
      `INSERT INTO artifact.production (id, entity_type, criteria, rule, status, request_key, plan, entity_ids, requested_by, parameters) VALUES ($1, $2, '{}', 'greet@1', 'completed', $1, '{}', $3, 'user:rita', $4)`,
      [`${type}-${sample}`, type, [`${type}-${sample}`], mood === undefined ? {} : { mood }],
    );
  }
});
afterAll(() => server[Symbol.asyncDispose]());

test('what was made by hand is reused whatever parameters are given, unless the rule says `reuse: produced`; what was produced with others is not', async () => {
  const decision = async (type: string, sample: string, parameters: unknown = null): Promise<unknown> =>
    (await resolve(type, { sample }, parameters)).data?.resolveArtifact.decision;
  expect([
    await decision('Greeting', 'a', { mood: 'glad' }),
    await decision('Greeting', 'b', { mood: 'glad' }),
    await decision('Greeting', 'b', { mood: 'sad' }),
    await decision('Greeting', 'b'),
  ]).toEqual(['reuse', 'reuse', 'build', 'reuse']);
  expect([
    await decision('Strict', 'a'),
    await decision('Strict', 'a', { mood: 'glad' }),
    await decision('Strict', 'b'),
    await decision('Strict', 'c', { mood: 'glad' }),
    await decision('Strict', 'c'),
  ]).toEqual(['build', 'build', 'reuse', 'build', 'reuse']);
  expect((await resolve('Strict', { sample: 'a' })).data.resolveArtifact.plan.reason).toContain(
    'Strict-a matches but was not made by a production, and strict reuses only produced entities',
  );
  expect((await server.rest('GET', '/api/v1/artifact/rules/strict')).body).toMatchObject({
    reuse: 'produced',
  });
  expect((await server.graphql('{ rules { rules { name reuse } } }')).body.data.rules.rules).toEqual([
    { name: 'greet', reuse: 'any' },
    { name: 'strict', reuse: 'produced' },
  ]);
  expect(
    await server.rest('POST', '/api/v1/artifact/rules', {
      body: { name: 'odd', ...MATCH('Greeting'), execute: { cwl_content: 'eA==' }, reuse: 'sometimes' },
    }),
  ).toMatchObject({ status: 422 });
});

test(
  'whatever is asked for, resolving and producing decide alike: the same entity, the same plan, or the same refusal',
  { timeout: 120_000 },
  async () => {
    const request = fc.record({
      type: fc.constantFrom('Greeting', 'Strict', 'Unruled', 'Nothing'),
      sample: fc.constantFrom('a', 'b', 'c', 'new'),
      mood: fc.constantFrom(undefined, 'plain', 'sad'),
      odd: fc.boolean(),
      parameters: fc.constantFrom(
        null,
        {},
        { mood: 'glad' },
        { mood: 'sad' },
        { colour: 'red' },
        { mood: 'glad', colour: 'red' },
      ),
      rule: fc.constantFrom(null, null, 'greet', 'strict@1', 'never'),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ type, sample, mood, odd, parameters, rule }) => {
        const criteria = {
          sample,
          ...(mood === undefined ? {} : { mood }),
          ...(odd ? { unheard: 'x' } : {}),
        };
        const [seen, done] = [
          await resolve(type, criteria, parameters, rule),
          await server.rest('POST', '/api/v1/artifact/produce', {
            body: { entity_type: type, criteria, parameters, rule },
          }),
        ];
        const found = seen.data?.resolveArtifact;
        if (found === undefined || found === null)
          expect(done.body.error.toUpperCase()).toBe(seen.errors[0].extensions.code);
        else if (found.decision === 'reuse')
          expect(done).toMatchObject({
            status: 200,
            body: { decision: 'reuse', entity: { id: found.entity.id }, plan_hash: found.planHash },
          });
        else expect(done).toMatchObject({ status: 503, body: { error: 'runner_unavailable' } });
        if (parameters !== null && Object.keys(parameters).length > 0) return;
        const query = new URLSearchParams({
          entity_type: type,
          ...criteria,
          ...(rule === null ? {} : { rule }),
        });
        const overRest = await server.rest('GET', `/api/v1/artifact/resolve?${query.toString()}`);
        if (found)
          expect(overRest.body).toMatchObject({ decision: found.decision, plan_hash: found.planHash });
        else expect(overRest.body.error).toBe(done.body.error);
      }),
      { numRuns: 120 },
    );
  },
);

test.skipIf(!canRun)(
  'a stored result whose file is gone is not what resolving answers with, and resolving changes nothing',
  async () => {
    await using own = await startProducer();
    await addSchema(own, GREETING);
    await addRule(own, 'greet', GREET, MATCH('Greeting'));
    const {
      body: { entity },
    } = await produce(own, { entity_type: 'Greeting', criteria: { sample: 'lost' } });
    await rm(storedFile(own, entity.uri));
    const { body } = await own.rest('GET', '/api/v1/artifact/resolve?entity_type=Greeting&sample=lost');
    expect(body).toMatchObject({
      decision: 'build',
      plan: { reason: expect.stringContaining('is missing in the artifact store') },
    });
    expect((await own.rest('GET', `/api/v1/metadata/entities/${entity.id}`)).body.data.is_available).toBe(
      true,
    );
    expect(
      (
        await own.rest('POST', '/api/v1/artifact/produce', {
          body: { entity_type: 'Greeting', criteria: { sample: 'lost' }, plan_hash: body.plan_hash },
        })
      ).status,
    ).toBe(202);
  },
);
