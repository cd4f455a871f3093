// docs/reference/artifact.md#staleness: single changes to what results were made from, each with its reason or none.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { meaningOf, workflowChanges } from '../../subgraphs/artifact/staleness/workflow-meaning.ts';
import { settled } from '../../subgraphs/artifact/staleness/settled-inputs.ts';
import type { TestServer } from '../testkit/server.ts';
import { addRule, addSchema, canRun, produce, shell, startProducer } from './production-testkit.ts';
import { field } from './schema-field.ts';

const workflow = (command: string, inputs: string, more = ''): string =>
  shell(
    command,
    inputs,
    [
      'uri: {type: File, outputBinding: {glob: out.txt}}',
      "sample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
    ].join('\n'),
    more,
  );
const GREETING_INPUTS = 'sample: string\nreads: string';
const GREET = workflow('echo $(inputs.reads) > out.txt', GREETING_INPUTS);
/** The same with a comment, other quotes, a label and a documented input. */
const GREET_AGAIN = `# says hello\n${workflow('echo $(inputs.reads) > out.txt', 'sample: {type: string, doc: whose}\nreads: "string"', 'label: Greets\n').replace('{type: string, doc: whose}', 'string')}`;
const GREET_LOUDLY = workflow('echo LOUD $(inputs.reads) > out.txt', GREETING_INPUTS);
const ECHO = workflow('cat $(inputs.greeting.path) > out.txt', 'sample: string\ngreeting: File');

const RULE = {
  produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
  requires: [{ ref: 'Sample(name={sample})' }],
};
const METADATA = '/api/v1/metadata';

interface Told {
  readonly is_stale: boolean;
  readonly is_complete: boolean;
  readonly reasons: readonly Record<string, unknown>[];
}

describe.skipIf(!canRun)('results', () => {
  let server: TestServer;
  let made = 0;
  let sample: string;
  let greeting: string;
  let echo: string;

  const post = async (path: string, body: unknown): Promise<void> => {
    const { status, text } = await server.rest('POST', `${METADATA}${path}`, { body });
    if (status !== 200) throw new Error(text);
  };
  const write = (data: Record<string, unknown>): Promise<void> =>
    post('/ingest', { entity_type: 'Sample', id: sample, data: { name: sample, ...data } });
  const ask = async (id: string): Promise<Told> =>
    (await server.rest('GET', `/api/v1/artifact/staleness/${id}`)).body as Told;
  const kindsOf = async (id: string): Promise<unknown[]> => (await ask(id)).reasons.map(({ kind }) => kind);
  const make = async (entityType: string): Promise<string> => {
    const { body } = await produce(server, { entity_type: entityType, criteria: { sample } });
    if (body.entity === undefined) throw new Error(JSON.stringify(body));
    return String(body.entity.id);
  };

  beforeAll(async () => {
    server = await startProducer();
    await addSchema(server, {
      name: 'Sample',
      version: '1',
      fields: [
        field('name', 'string', { required: true }),
        field('reads', 'string'),
        field('note', 'string'),
        field('project', 'string'),
      ],
    });
    for (const name of ['Greeting', 'Echo'])
      await addSchema(server, {
        name,
        version: '1',
        fields: [field('uri', 'uri'), field('sample', 'string')],
      });
    await addRule(server, 'echo', ECHO, {
      produces: { entity_type: 'Echo', match: { sample: '{sample}' } },
      requires: [{ ref: 'Greeting(sample={sample})' }],
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());
  beforeEach(async () => {
    sample = `s${++made}`;
    await addRule(server, 'greet', GREET, RULE);
    await write({ reads: 'a', note: 'n' });
    greeting = await make('Greeting');
    echo = await make('Echo');
  });

  test('are not stale when nothing has changed, nor by what no input took', async () => {
    const fresh = { is_stale: false, is_complete: true, reasons: [], not_known: [] };
    expect(await ask(greeting)).toEqual(fresh);
    expect(await ask(echo)).toEqual(fresh);
    await write({ reads: 'a', note: 'another' });
    expect([await ask(greeting), await ask(echo)]).toEqual([fresh, fresh]);
  });

  test('are stale by a field that was bound, and so is what was made of them, until it is as it was', async () => {
    await write({ reads: 'a', note: 'another' });
    await write({ reads: 'b', note: 'another' });
    const reason = {
      kind: 'INPUT_CHANGED',
      message: `Sample ${sample} v1 -> v3: reads changed, bound as input reads`,
      entity_id: sample,
      field: 'reads',
      input: 'reads',
      from_version: 1,
      to_version: 3,
      from_rule: null,
      to_rule: null,
      image: null,
      from_digest: null,
      to_digest: null,
      production_id: expect.any(String),
    };
    const stale = { is_stale: true, is_complete: true, not_known: [] };
    expect(await ask(greeting)).toEqual({ ...stale, reasons: [{ ...reason, via: [] }] });
    expect(await ask(echo)).toEqual({ ...stale, reasons: [{ ...reason, via: [greeting] }] });
    const { body } = await server.graphql(
      `query ($id: ID!) { entity(id: $id) { staleness { isStale } producedBy { staleness { reasons { via field } } } } }`,
      { id: echo },
    );
    expect(body.data).toEqual({
      entity: {
        staleness: { isStale: true },
        producedBy: { staleness: { reasons: [{ via: [greeting], field: 'reads' }] } },
      },
    });
    await write({ reads: 'a' });
    expect(await kindsOf(echo)).toEqual([]);
  });

  test('are stale by a rule that does something else; comments, layout, labels and names are no change', async () => {
    await addRule(server, 'greet', GREET_AGAIN, { ...RULE, description: 'the same' });
    expect(await kindsOf(greeting)).toEqual([]);
    await addRule(server, 'greet', GREET_LOUDLY, RULE);
    expect(await ask(echo)).toMatchObject({
      reasons: [
        {
          kind: 'RULE_CHANGED',
          via: [greeting],
          message: expect.stringMatching(
            /^rule greet@\d+ was superseded by greet@\d+: arguments differ$/,
          ) as string,
        },
      ],
    });
    await addRule(server, 'greet', GREET, RULE);
    expect(await kindsOf(greeting)).toEqual([]);
    const { status } = await server.rest('PATCH', '/api/v1/artifact/rules/greet', {
      body: { status: 'deprecated', deprecation_note: 'wrong' },
    });
    expect(status).toBe(200);
    expect(await ask(greeting)).toMatchObject({
      reasons: [{ kind: 'RULE_WITHDRAWN', message: expect.stringContaining('(wrong)') as string }],
    });
    await addRule(server, 'welcome', GREET_AGAIN, RULE);
    expect(await kindsOf(greeting)).toEqual([]);
    await server.rest('PATCH', '/api/v1/artifact/rules/welcome', {
      body: { status: 'deprecated', deprecation_note: 'over' },
    });
  });

  test('are made anew where only fresh ones may be reused, with what they require, and each thing once', async () => {
    const asked = { entity_type: 'Echo', criteria: { sample } };
    const resolved = async (
      reuse: string,
    ): Promise<{ decision: string; plan: { reason: string; stale_reasons?: string[] } }> => {
      const { body } = await server.graphql(
        `query ($criteria: JSON!, $reuse: ArtifactReuse!) { resolveArtifact(entityType: "Echo", criteria: $criteria, reuse: $reuse) { decision plan } }`,
        { criteria: asked.criteria, reuse },
      );
      return (
        body as {
          data: { resolveArtifact: { decision: string; plan: { reason: string; stale_reasons?: string[] } } };
        }
      ).data.resolveArtifact;
    };
    expect(await resolved('fresh')).toMatchObject({ decision: 'reuse' });
    await write({ reads: 'b' });
    expect(await resolved('any')).toMatchObject({ decision: 'reuse' });
    const plan = await resolved('fresh');
    expect(plan.decision).toBe('build');
    expect(plan.plan.reason).toContain('is stale');
    expect(plan.plan.stale_reasons).toEqual([
      expect.stringContaining(`Sample ${sample} v1 -> v2: reads changed`),
    ]);
    expect((await produce(server, asked)).body).toMatchObject({ decision: 'reuse', entity: { id: echo } });
    const both = await Promise.all([1, 2].map(() => produce(server, { ...asked, reuse: 'fresh' })));
    for (const { body } of both)
      expect(body).toMatchObject({ status: 'completed', entity: { id: echo, version: 2 } });
    const made = async (): Promise<number> =>
      (
        (await server.rest('GET', '/api/v1/artifact/productions')).body.productions as { criteria: unknown }[]
      ).filter(({ criteria }) => JSON.stringify(criteria) === JSON.stringify({ sample })).length;
    expect(await made()).toBe(4); // two before, and each of the two once more
    expect([await kindsOf(echo), await kindsOf(greeting)]).toEqual([[], []]);
    expect((await produce(server, { ...asked, reuse: 'fresh' })).body).toMatchObject({ decision: 'reuse' });
    expect(await made()).toBe(4);
    const refused = await server.rest('POST', '/api/v1/artifact/produce', {
      body: { ...asked, reuse: 'new' },
    });
    expect([refused.status, refused.body.message]).toEqual([422, 'reuse must be any or fresh']);
  });

  test('are stale where what they require is not available; only results have an answer, for those who see them', async () => {
    await post(`/entities/${sample}/availability`, { is_available: false });
    expect(await ask(greeting)).toMatchObject({
      reasons: [
        { kind: 'INPUT_GONE', entity_id: sample, message: `Sample ${sample} is no longer available` },
      ],
    });
    const viewer = await server.newKey({ role: 'viewer', owner: 'user:vera' });
    for (const id of [sample, 'nowhere'])
      expect((await server.rest('GET', `/api/v1/artifact/staleness/${id}`, { key: viewer })).status).toBe(
        404,
      );
    expect((await server.rest('GET', `/api/v1/artifact/staleness/${greeting}`, { key: viewer })).status).toBe(
      200,
    );
  });
});

const ADDRESS = 'https://one.example/api/v1/artifact/files/';
const HASH = 'a'.repeat(64);
test('files are compared by their content where it is known, whoever names them', () => {
  const file = (location: string, id: string) => ({
    class: 'File',
    location,
    entity: { id, entityType: 'T', field: 'uri' },
  });
  const known = new Map([['https://elsewhere.example/x', `sha256:${HASH}`]]);
  const same = { class: 'File', location: `sha256:${HASH}` };
  expect(settled(file(`${ADDRESS}${HASH}`, 'a'), known)).toEqual(same);
  expect(settled(file(`file:///old/sha256/aa/aa/${HASH}`, 'b'), known)).toEqual(same);
  expect(settled([file('https://elsewhere.example/x', 'c')], known)).toEqual([same]);
  expect(settled({ a: [`${ADDRESS}${HASH}`, 1, null] }, known)).toEqual({ a: [`sha256:${HASH}`, 1, null] });
  expect(settled(file('https://elsewhere.example/y', 'c'), known)).toEqual({
    class: 'File',
    location: 'https://elsewhere.example/y',
  });
});

const kept = (main: string, other = 'class: CommandLineTool') =>
  meaningOf({
    documents: [
      { reference: '', content: main },
      { reference: 'tools/sort.cwl', content: other },
    ],
  });
const WORKFLOW = `class: Workflow
inputs: {doc: string, label: int}
steps:
  sort: {run: tools/sort.cwl, in: {x: doc}, out: [y]}
  cut: {run: {class: CommandLineTool, doc: cuts, baseCommand: cut}, in: {}, out: []}
`;

test.each([
  ['a comment', WORKFLOW.replace('steps:', '# then\nsteps:'), []],
  ['the order of keys', WORKFLOW.replace('{doc: string, label: int}', '{label: int, doc: string}'), []],
  ['documentation of a step', WORKFLOW.replace('doc: cuts', 'doc: cuts columns'), []],
  ['a label', `label: l\n${WORKFLOW}`, []],
  [
    'the form of inputs',
    WORKFLOW.replace(
      '{doc: string, label: int}',
      '[{id: label, type: int}, {id: doc, type: string, doc: d}]',
    ),
    [],
  ],
  ['a documented input', WORKFLOW.replace('label: int', 'label: {type: int, doc: how many}'), []],
  [
    'the form of steps',
    WORKFLOW.replace('  sort: {', '  - {id: sort, ').replace('  cut: {', '  - {id: cut, '),
    [],
  ],
  [
    'a step of a list',
    WORKFLOW.replace('  sort: {', '  - {id: sort, ').replace('  cut: {run: {', '  - {id: cut, run: {x: 1, '),
    ['step cut differs'],
  ],
  [
    'inputs of one id',
    WORKFLOW.replace('{doc: string, label: int}', '[{id: doc}, {id: doc}]'),
    ['inputs differ'],
  ],
  ['an input that is called label', WORKFLOW.replace('label: int', 'label: long'), ['inputs differ']],
  ['an input that is called doc', WORKFLOW.replace('doc: string, ', ''), ['inputs differ']],
  [
    'the tool of a step',
    WORKFLOW.replace('baseCommand: cut', 'baseCommand: [cut, -f1]'),
    ['step cut differs'],
  ],
  ['a step less', WORKFLOW.replace(/ {2}cut.*\n/, ''), ['step cut differs']],
])('%s of a workflow', (_, changed, told) => {
  expect(workflowChanges(kept(WORKFLOW), kept(changed))).toEqual(told);
});

test('documents beside the main one count, by what they mean', () => {
  const sorted = 'class: CommandLineTool\nbaseCommand: sort';
  expect(workflowChanges(kept(WORKFLOW, sorted), kept(WORKFLOW, `${sorted} # lines`))).toEqual([]);
  expect(workflowChanges(kept(WORKFLOW, sorted), kept(WORKFLOW, `${sorted}er`))).toEqual([
    'document tools/sort.cwl differs',
  ]);
});
