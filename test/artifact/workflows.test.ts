// A rule runs exactly the documents that it was registered with, whatever other workflows have the same main
// document, and whatever its address serves now.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../testkit/server.ts';
import {
  addSchema,
  canRun,
  GREETING,
  produce,
  shell,
  startProducer,
  storedFile,
} from './production-testkit.ts';
import { canary } from './registration-testkit.ts';

let server: TestServer;
let web: Awaited<ReturnType<typeof canary>>;
const files: Record<string, string> = {};

const OUT =
  "uri: {type: File, outputBinding: {glob: out.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}";
const says = (word: string): string => shell(`echo ${word} > out.txt`, 'sample: string', OUT);
const runs = (reference: string): string => `cwlVersion: v1.2
class: Workflow
requirements: {SubworkflowFeatureRequirement: {}}
inputs: {sample: string}
outputs:
  uri: {type: File, outputSource: only/uri}
  sample: {type: string, outputSource: only/sample}
steps: {only: {run: ${reference}, in: {sample: sample}, out: [uri, sample]}}
`;

beforeAll(async () => {
  web = await canary(files);
  server = await startProducer('artifact: {allow_networks: [127.0.0.1/32]}\n');
  await addSchema(server, GREETING);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await web[Symbol.asyncDispose]();
});

const register = (name: string, url: string, more: Record<string, unknown> = {}, key = server.key) =>
  server.rest('POST', '/api/v1/artifact/rules', {
    key,
    body: {
      name,
      produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
      execute: { cwl_url: url },
      ...more,
    },
  });

let count = 0;
/** What a rule's workflow says. */
async function said(rule: string, key = server.key): Promise<string> {
  const { body } = await produce(
    server,
    { entity_type: 'Greeting', criteria: { sample: `w${++count}` }, rule },
    key,
  );
  return body.entity ? readFile(storedFile(server, body.entity.uri), 'utf8') : JSON.stringify(body);
}

test.skipIf(!canRun)(
  'an address whose sub-document has changed is registered as version 2 and runs the new tool; version 1 runs the old one',
  async () => {
    Object.assign(files, { '/v/main.cwl': runs('tool.cwl'), '/v/tool.cwl': says('old') });
    const first = await register('changing', web.url('/v/main.cwl'));
    files['/v/tool.cwl'] = says('new');
    const second = await register('changing', web.url('/v/main.cwl'));
    expect([first.body.rule, second.body.rule]).toEqual(['changing@1', 'changing@2']);
    expect(first.body.cwl_hash).toBe(second.body.cwl_hash);
    expect(first.body.workflow_hash).not.toBe(second.body.workflow_hash);
    expect([await said('changing'), await said('changing@1'), await said('changing@2')]).toEqual([
      'new\n',
      'old\n',
      'new\n',
    ]);
    const plan = async (rule: string) =>
      (await server.rest('GET', `/api/v1/artifact/resolve?entity_type=Greeting&sample=plan&rule=${rule}`))
        .body;
    const [one, two] = [await plan('changing@1'), await plan('changing@2')];
    expect([one.plan.workflow_hash, two.plan.workflow_hash]).toEqual([
      first.body.workflow_hash,
      second.body.workflow_hash,
    ]);
    expect(one.plan_hash).not.toBe(two.plan_hash);
  },
);

test.skipIf(!canRun)(
  'the same documents from elsewhere are the same workflow, and run from there; other documents beside an equal main one are another',
  async () => {
    Object.assign(files, {
      '/a/main.cwl': runs('../lib/tool.cwl'),
      '/lib/tool.cwl': says('here'),
      '/copy/a/main.cwl': runs('../lib/tool.cwl'),
      '/copy/lib/tool.cwl': says('here'),
      '/other/a/main.cwl': runs('../lib/tool.cwl'),
      '/other/lib/tool.cwl': says('there'),
    });
    const [origin, copy, other] = [
      await register('origin', web.url('/a/main.cwl')),
      await register('copy', web.url('/copy/a/main.cwl')),
      await register('other', web.url('/other/a/main.cwl')),
    ];
    expect(new Set([origin, copy, other].map(({ body }) => body.cwl_hash)).size).toBe(1);
    expect(copy.body.workflow_hash).toBe(origin.body.workflow_hash);
    expect(other.body.workflow_hash).not.toBe(origin.body.workflow_hash);
    expect([await said('origin'), await said('copy'), await said('other')]).toEqual([
      'here\n',
      'here\n',
      'there\n',
    ]);
  },
);

test.skipIf(!canRun)(
  "a viewer who was first with a main document of the same bytes, for a rule of their own, changes nothing of anybody else's rule",
  async () => {
    Object.assign(files, {
      '/mine/main.cwl': runs('part.cwl'),
      '/mine/part.cwl': says('viewer'),
      '/ours/main.cwl': runs('part.cwl'),
      '/ours/part.cwl': says('administrator'),
    });
    const viewer = await server.newKey({ role: 'viewer', owner: 'user:vera' });
    expect((await register('veras', web.url('/mine/main.cwl'), { scope: 'user:vera' }, viewer)).status).toBe(
      201,
    );
    expect((await register('ours', web.url('/ours/main.cwl'))).status).toBe(201);
    delete files['/mine/main.cwl'];
    delete files['/mine/part.cwl'];
    expect(await said('ours')).toBe('administrator\n');
  },
);

test.skipIf(!canRun)(
  'what is included or imported is part of the workflow, and so is which process of a packed document is meant',
  async () => {
    const included = (): string =>
      says('included')
        .replace('echo included > out.txt', '$(inputs.greet)')
        .replace('inputs:\n', 'inputs:\n  greet: {type: string, default: {$include: word.sh}}\n');
    Object.assign(files, { '/i/main.cwl': included(), '/i/word.sh': 'echo one > out.txt' });
    const first = await register('including', web.url('/i/main.cwl'));
    expect(first.status, JSON.stringify(first.body)).toBe(201);
    files['/i/word.sh'] = 'echo two > out.txt';
    const second = await register('including', web.url('/i/main.cwl'));
    expect(second.body.workflow_hash).not.toBe(first.body.workflow_hash);
    expect([await said('including@1'), await said('including@2')]).toEqual(['one\n', 'two\n']);

    const packed = (id: string): string =>
      says(id)
        .replace('cwlVersion: v1.2\n', '')
        .replace('class:', `id: ${id}\nclass:`)
        .split('\n')
        .map((line, i) => (line === '' ? '' : `${i === 0 ? '  - ' : '    '}${line}`))
        .join('\n');
    files['/packed.cwl'] = `cwlVersion: v1.2\n$graph:\n${packed('left')}${packed('right')}`;
    const sides = [
      await register('left', web.url('/packed.cwl#left')),
      await register('right', web.url('/packed.cwl#right')),
    ];
    expect(
      sides.map(({ status }) => status),
      JSON.stringify(sides.map(({ body }) => body)),
    ).toEqual([201, 201]);
    expect([await said('left'), await said('right')]).toEqual(['left\n', 'right\n']);
  },
);

test.skipIf(!canRun)(
  'sub-documents may be on any host; addresses that differ only by query are one document',
  async () => {
    await using other = await canary({ '/far%20away.cwl?v=2': says('far') });
    Object.assign(files, {
      '/odd/main.cwl?token=x': runs('sub/mid%20dle.cwl?v=1'),
      '/odd/sub/mid%20dle.cwl?v=1': runs('gr%C3%BC%C3%9Fe+(1).cwl'),
      '/odd/sub/gr%C3%BC%C3%9Fe+(1).cwl': says('odd'),
      '/odd/abroad.cwl': runs(other.url('/far%20away.cwl?v=2')),
      '/odd/twice.cwl': runs('t.cwl?v=1').replace(
        'steps: {',
        'steps: {more: {run: "t.cwl?v=2", in: {sample: sample}, out: []}, ',
      ),
      '/odd/t.cwl?v=1': says('one'),
      '/odd/t.cwl?v=2': says('two'),
    });
    await register('odd', web.url('/odd/main.cwl?token=x'));
    await register('abroad', web.url('/odd/abroad.cwl'));
    expect([await said('odd'), await said('abroad')]).toEqual(['odd\n', 'far\n']);
    expect((await register('twice', web.url('/odd/twice.cwl'))).body).toMatchObject({
      details: {
        violations: [{ check: 'cwl', message: expect.stringContaining('only in their query') as string }],
      },
    });
  },
);

test('an address that answers something else every time is one content for one registration', async () => {
  let times = 0;
  files['/quoting.cwl'] = says('it').replace('class:', 'doc: {$include: twice.cwl}\nclass:');
  Object.defineProperty(files, '/twice.cwl', {
    configurable: true,
    get: () => runs('quoting.cwl').replace('steps:', `doc: answer ${++times}\nsteps:`),
  });
  const { body } = await register('twice', web.url('/twice.cwl'));
  expect(body).toMatchObject({ rule: 'twice@1' });
  expect(times).toBe(1);
});
