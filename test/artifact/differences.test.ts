// docs/reference/artifact.md#differences-of-productions and #differences-of-rules: what differs between two productions, and between two versions of a rule.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyPatch, type PatchOperation } from '../testkit/apply-patch.ts';
import { callerOf } from '../testkit/callers.ts';
import type { TestServer } from '../testkit/server.ts';
import { artifactBench } from './artifact-bench.ts';
import { base64 } from './registration-testkit.ts';
import { addRule, addSchema, canRun, GREET, GREETING, produce, startProducer } from './production-testkit.ts';

const RULE = { produces: { entity_type: 'Greeting', match: { sample: '{sample}' } } };
const LOUD = GREET.replace('echo hello', 'echo HELLO').replace(
  'mood: {type: string, default: plain}',
  'mood: {type: string, default: loud}',
);

interface Told {
  readonly json_patch: readonly PatchOperation[];
  readonly is_complete: boolean;
  readonly differences: readonly {
    readonly path: readonly string[];
    readonly kind: string;
    readonly before: unknown;
    readonly after: unknown;
  }[];
}

let server: TestServer;
const diff = async (path: string, key?: string) =>
  server.rest('GET', `/api/v1/artifact/${path}`, key === undefined ? {} : { key });
const partsOf = ({ differences }: Told): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    differences.map(({ path, kind, before, after }) => [path.join(' / '), [kind, before, after]]),
  );

/** The patch between two documents makes one of the other, as REST answers them to the same caller. */
async function expectPatch(
  kind: 'rules' | 'productions',
  [from, to]: readonly [string, string],
  key?: string,
): Promise<readonly PatchOperation[]> {
  const [{ body: before }, { body: after }, { body }] = await Promise.all([
    diff(`${kind}/${from}`, key),
    diff(`${kind}/${to}`, key),
    diff(`${kind}/${from}/diff?to=${to}`, key),
  ]);
  const { json_patch: patch } = body as Told;
  expect(applyPatch(before, patch)).toEqual(after);
  return patch;
}

beforeAll(async () => {
  server = await startProducer();
  await addSchema(server, GREETING);
  await addRule(server, 'greet', GREET, { ...RULE, tags: ['b', 'a'] });
});
afterAll(() => server[Symbol.asyncDispose]());

test('rules differ in what was registered and in what their workflows mean, not in comments and layout', async () => {
  await addRule(server, 'greet', `# says hello\n${GREET}`, {
    ...RULE,
    tags: ['a', 'b'],
    description: 'says hello',
  });
  const cosmetic = (await diff('rules/greet@1/diff?to=greet@2')).body as Told;
  expect(cosmetic.is_complete).toBe(true);
  expect(partsOf(cosmetic)).toEqual({
    description: ['ADDED', null, 'says hello'],
    cwl_hash: ['CHANGED', expect.stringMatching(/^sha256:/), expect.stringMatching(/^sha256:/)],
    workflow_hash: ['CHANGED', expect.stringMatching(/^sha256:/), expect.stringMatching(/^sha256:/)],
  });
  await addRule(server, 'greet', LOUD, {
    ...RULE,
    tags: ['a', 'b'],
    reuse: 'produced',
    requires: [{ ref: 'Greeting(sample=x)' }],
  });
  const { body } = await diff('rules/greet@1/diff?to=greet');
  expect(body).toMatchObject({ before: { rule: 'greet@1' }, after: { rule: 'greet@3', status: 'active' } });
  expect(partsOf(body as Told)).toMatchObject({
    reuse: ['CHANGED', 'any', 'produced'],
    'requires / Greeting(sample=x)': ['ADDED', null, { ref: 'Greeting(sample=x)' }],
    'workflow / inputs / mood': [
      'CHANGED',
      { type: 'string', default: 'plain' },
      { type: 'string', default: 'loud' },
    ],
    'workflow / arguments': ['CHANGED', expect.anything(), expect.anything()],
  });
  const patch = await expectPatch('rules', ['greet@1', 'greet']);
  expect(patch).toContainEqual({ op: 'add', path: '/reuse', value: 'produced' });
  expect(patch).toContainEqual({ op: 'replace', path: '/tags', value: ['a', 'b'] });
  await expectPatch('rules', ['greet', 'greet@2']);
  await addRule(server, 'greet', GREET, RULE);
  expect((await diff('rules/greet@4/diff?to=greet@4')).body).toMatchObject({
    differences: [],
    is_complete: true,
    json_patch: [],
  });
});

test("another user's own rule is as one that is not there", async () => {
  const vera = await server.newKey({ role: 'viewer', owner: 'user:vera' });
  const own = { name: 'own', execute: { cwl_content: base64(GREET) }, ...RULE, scope: 'user:vera' };
  const made = await server.rest('POST', '/api/v1/artifact/rules', { body: own, key: vera });
  expect(made.status, made.text).toBe(201);
  const other = await server.newKey({ role: 'viewer', owner: 'user:otto' });
  expect((await diff('rules/own/diff?to=greet', vera)).status).toBe(200);
  const answers = await Promise.all(
    ['own/diff?to=greet', 'none/diff?to=greet', 'greet/diff?to=own', 'greet/diff?to=none'].map((path) =>
      diff(`rules/${path}`, other),
    ),
  );
  for (const { status, body } of answers)
    expect([status, (body as { message: string }).message]).toEqual([404, 'there are not both rules']);
  expect((await diff('rules/greet/diff')).status).toBe(400);
});

describe.skipIf(!canRun)('productions', () => {
  const make = async (criteria: Record<string, unknown>, more = {}): Promise<string> => {
    const { body } = await produce(server, { entity_type: 'Greeting', criteria, ...more });
    expect(body.entity, JSON.stringify(body)).toBeDefined();
    return String(body.production_id);
  };

  test('differ in what they were given, how they were made, and what came of them', async () => {
    await addRule(server, 'greet', GREET, RULE);
    const first = await make({ sample: 's1' });
    const second = await make({ sample: 's2' }, { parameters: { mood: 'merry' } });
    const { body } = await diff(`productions/${first}/diff?to=${second}`);
    expect(body).toMatchObject({
      before: { production_id: first, status: 'completed' },
      after: { production_id: second },
      is_complete: true,
    });
    expect(partsOf(body as Told)).toEqual({
      'criteria / sample': ['CHANGED', 's1', 's2'],
      'parameters / mood': ['ADDED', null, 'merry'],
      'inputs / sample': ['CHANGED', 's1', 's2'],
      'inputs / mood': [expect.any(String), expect.toSatisfy(() => true), 'merry'],
      'outputs / Greeting / entity_id': ['CHANGED', expect.any(String), expect.any(String)],
      'outputs / Greeting / uri': [
        'CHANGED',
        expect.stringMatching(/^sha256:/),
        expect.stringMatching(/^sha256:/),
      ],
    });
    expect(await expectPatch('productions', [first, second])).toContainEqual({
      op: 'replace',
      path: '/criteria/sample',
      value: 's2',
    });
    await addRule(server, 'greet', LOUD, RULE);
    const third = await make({ sample: 's3' });
    const parts = partsOf((await diff(`productions/${first}/diff?to=${third}`)).body as Told);
    expect(parts).toMatchObject({
      rule: ['CHANGED', expect.stringMatching(/^greet@/), expect.stringMatching(/^greet@/)],
      workflow_hash: ['CHANGED', expect.anything(), expect.anything()],
      'workflow / arguments': ['CHANGED', expect.anything(), expect.anything()],
    });
    expect(Object.keys(parts)).not.toContain('status');
  });

  test("tell nothing of a workflow of another user's own rule but its hash", async () => {
    await addRule(server, 'greet', GREET, RULE);
    const first = await make({ sample: 'o1' });
    const keyOf = (owner: string): Promise<string> => server.newKey({ role: 'analyst', owner });
    const [wilma, otto] = [await keyOf('user:wilma'), await keyOf('user:otto')];
    const own = { name: 'loud', execute: { cwl_content: base64(LOUD) }, ...RULE, scope: 'user:wilma' };
    await server.rest('POST', '/api/v1/artifact/rules', { body: own, key: wilma });
    const asked = { entity_type: 'Greeting', criteria: { sample: 'o2' }, rule: 'loud' };
    const { body } = await produce(server, asked, wilma);
    expect(body.entity, JSON.stringify(body)).toBeDefined();
    const pathsFor = async (key: string): Promise<readonly string[]> => {
      const told = await diff(`productions/${first}/diff?to=${body.production_id}`, key);
      return Object.keys(partsOf(told.body as Told));
    };
    expect(await pathsFor(wilma)).toContain('workflow / arguments');
    await expectPatch('productions', [first, String(body.production_id)], otto);
    const others = await pathsFor(otto);
    expect(others).toContain('workflow_hash');
    expect(others.filter((path) => path.startsWith('workflow /'))).toEqual([]);
  });
});

test('a production of a foreign project is as one that is not there, on either side', async () => {
  await using bench = await artifactBench();
  await bench.seedProductions({ id: 'shared' }, { id: 'theirs', criteria: { project: 'p2' } });
  await bench.sql(`UPDATE artifact.production SET plan = '{"requires": [], "workflow_hash": null}'`);
  const ask = async (id: string, toId: string, projects: readonly string[]): Promise<unknown> =>
    (
      await bench.ask(
        'query ($id: ID!, $toId: ID!) { productionDiff(id: $id, toId: $toId) { after { id } differences { path } } }',
        { id, toId },
        callerOf('user:sam', ['viewer'], projects),
      )
    ).productionDiff;
  expect(await ask('shared', 'theirs', ['p2'])).toEqual({
    after: { id: 'theirs' },
    differences: [{ path: ['criteria', 'project'] }],
  });
  for (const [id, toId] of [
    ['shared', 'theirs'],
    ['theirs', 'shared'],
    ['shared', 'none'],
    ['shared', 'no\u0000ne'],
  ] as const)
    expect(await ask(id, toId, ['p1'])).toBeNull();
});
