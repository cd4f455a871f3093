// docs/reference/artifact.md#container-images: the configured engine runs the images of workflows; images
// that cannot be run are refused, unused ones are reported.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CwltoolRunner } from '../../subgraphs/artifact/runners/cwltool-runner.ts';
import { imageTrouble } from '../../subgraphs/artifact/runners/image-demands.ts';
import { sandboxKind } from '../../subgraphs/artifact/runners/sandbox.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { containerStandIn, type StandIn } from './container-stand-in.ts';
import {
  addRule,
  addSchema,
  canRun,
  cwltoolSettings,
  ended,
  GREETING,
  NOWHERE,
  produce,
  shell,
  storedFile,
} from './production-testkit.ts';

const IMAGE = 'quay.io/biocontainers/greet:1';
const OUT =
  "uri: {type: File, outputBinding: {glob: out.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}";
const hinted = (image = IMAGE): string =>
  shell(
    'echo hello $(inputs.sample) > out.txt',
    'sample: string',
    OUT,
    `hints: {DockerRequirement: {dockerPull: ${image}}}\n`,
  );
const required = (image = IMAGE): string =>
  hinted(image)
    .replace(/hints: .*\n/, '')
    .replace('requirements:\n', `requirements:\n  DockerRequirement: {dockerPull: "${image}"}\n`);
/** Two steps: the first names an image, the second does not. */
const mixed = `cwlVersion: v1.2
class: Workflow
inputs: {sample: string}
outputs: {uri: {type: File, outputSource: second/uri}, sample: {type: string, outputSource: second/sample}}
steps:
  first: {run: {class: CommandLineTool, hints: {DockerRequirement: {dockerPull: "${IMAGE}"}}, baseCommand: [echo, first], stdout: a.txt, inputs: {sample: string}, outputs: {made: stdout}}, in: {sample: sample}, out: [made]}
  second: {run: {class: CommandLineTool, requirements: {InlineJavascriptRequirement: {}}, baseCommand: cat, stdout: out.txt, inputs: {made: {type: File, inputBinding: {}}, sample: string}, outputs: {uri: stdout, sample: {type: string, outputBinding: {outputEval: "\${ return inputs.sample; }"}}}}, in: {made: first/made, sample: sample}, out: [uri, sample]}
`;

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'cairn-containers-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function platform(runner: string): Promise<TestServer> {
  const server = await startServer({
    config: `artifact: {runner: {type: cwltool, ${runner}}, limits: {ram: 3 GiB}}\n`,
  });
  await addSchema(server, GREETING);
  for (const [name, cwl] of [
    ['hinted', hinted()],
    ['required', required()],
    ['mixed', mixed],
  ] as const)
    await addRule(server, name, cwl, {
      produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
    });
  return server;
}
const ask = (server: TestServer, rule: string) =>
  produce(server, { entity_type: 'Greeting', criteria: { sample: rule }, rule });
const textOf = async (server: TestServer, uri: string): Promise<string> =>
  readFile(storedFile(server, uri), 'utf8');
const contextOf = async (server: TestServer, id: string): Promise<string> =>
  (await server.rest('GET', `/api/v1/metadata/entities/${id}/history`)).text;

test.skipIf(!canRun)(
  'without an engine, an image that is hinted at is not used, and plan, log and provenance say so; one that is required is 503 before anything is queued',
  async () => {
    await using server = await platform('container_engine: none');
    const {
      body: { plan },
    } = await server.rest('GET', '/api/v1/artifact/resolve?entity_type=Greeting&sample=hinted&rule=hinted');
    expect(plan.reason).toContain(`container images are not used (${IMAGE})`);
    const made = await ask(server, 'hinted');
    expect(made.body, JSON.stringify(made.body)).toMatchObject({ status: 'completed' });
    expect((await ended(server, made.body.production_id)).log).toContain('container images are not used');
    expect(await contextOf(server, made.body.entity.id)).toContain(
      `container images are not used (${IMAGE})`,
    );
    const refused = await server.rest('POST', '/api/v1/artifact/produce', {
      body: { entity_type: 'Greeting', criteria: { sample: 'required' }, rule: 'required' },
    });
    expect(refused).toMatchObject({
      status: 503,
      body: {
        error: 'runner_unavailable',
        message: expect.stringContaining('set artifact.runner.container_engine'),
        details: { install: expect.any(String) },
      },
    });
    expect((await server.rest('GET', '/api/v1/artifact/productions')).body.total).toBe(1);
  },
);

const ENGINES = [
  ['docker', 'docker'],
  ['podman', 'podman'],
] as const;
test.skipIf(!canRun).each(ENGINES)(
  '%s is given the image, the directories, no network and the limits; its containers are removed',
  async (_, engine) => {
    const standIn = await containerStandIn(path.join(root, engine), engine);
    await using server = await platform(
      `container_engine: ${engine}, tool_paths: ["${standIn.directory}"], default_image: "docker.io/debian:12"`,
    );
    for (const rule of ['hinted', 'required', 'mixed']) {
      const made = await ask(server, rule);
      expect(made.body, JSON.stringify(made.body)).toMatchObject({ status: 'completed' });
      expect(await textOf(server, made.body.entity.uri)).toBe(
        rule === 'mixed' ? 'first\n' : `hello ${rule}\n`,
      );
      expect(await contextOf(server, made.body.entity.id)).toContain(IMAGE);
    }
    const told = await standIn.told();
    const runs = told.filter(([verb]) => verb === 'run');
    expect(runs.map((words) => words.find((word) => [IMAGE, 'docker.io/debian:12'].includes(word)))).toEqual([
      IMAGE,
      IMAGE,
      IMAGE,
      'docker.io/debian:12',
    ]);
    for (const words of runs)
      expect(words).toEqual(
        expect.arrayContaining([
          '--memory',
          String(3 * 2 ** 30),
          '--pids-limit',
          '--net=none',
          '--read-only=true',
          '--rm',
          expect.stringMatching(/^--cidfile=/),
        ]),
      );
    for (const words of runs)
      // podman refuses it as root
      expect(words.includes('--userns=keep-id')).toBe(engine === 'podman' && process.getuid?.() !== 0);
    expect(told).toContainEqual(['pull', IMAGE]);
    expect(told.filter(([verb]) => verb === 'rm')).toEqual(runs.map(() => ['rm', '--force', 'c0ffee']));
  },
);

test.skipIf(!canRun)(
  'a container that does not start fails its run, which does not wait for it',
  async () => {
    const standIn = await containerStandIn(path.join(root, 'broken'), 'podman');
    await using server = await platform(`container_engine: podman, tool_paths: ["${standIn.directory}"]`);
    await addRule(server, 'broken', hinted('quay.io/broken:1'), {
      produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
    });
    expect((await ask(server, 'broken')).body).toMatchObject({
      status: 'failed',
      error: { code: 'workflow_failed' },
    });
    expect((await standIn.told()).filter(([verb]) => verb === 'rm')).toEqual([]);
  },
);

test.skipIf(!canRun)(
  'an engine that is not there, and workflows of which some tools would run outside of containers, are 503 with what to do; workflows without images run as ever',
  async () => {
    const standIn: StandIn = await containerStandIn(path.join(root, 'some'), 'docker');
    await using server = await platform(`container_engine: docker, tool_paths: ["${standIn.directory}"]`);
    await using without = await platform('container_engine: singularity');
    const asked = (to: TestServer, rule: string) =>
      to.rest('POST', '/api/v1/artifact/produce', {
        body: { entity_type: 'Greeting', criteria: { sample: rule }, rule },
      });
    expect(await asked(server, 'mixed')).toMatchObject({
      status: 503,
      body: { error: 'runner_unavailable', message: expect.stringContaining('default_image') },
    });
    expect(await asked(without, 'hinted')).toMatchObject({
      status: 503,
      body: {
        error: 'runner_unavailable',
        message: expect.stringContaining('singularity cannot be used on this machine'),
      },
    });
    await addRule(without, 'plain', hinted().replace(/hints: .*\n/, ''), {
      produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
    });
    expect((await ask(without, 'plain')).body).toMatchObject({ status: 'completed' });
  },
);

test('images that a workflow builds or loads itself are never run; those that were not asked about before may be', () => {
  const podman = { containerEngine: 'podman', containerNetwork: 'none' } as const;
  expect(imageTrouble({ images: ['a'], otherContainers: ['dockerLoad'] }, podman)).toContain('dockerLoad');
  expect(imageTrouble({ images: ['a'], otherContainers: [] }, podman)).toBeNull();
  expect(imageTrouble({ images: [], otherContainers: [], withoutImage: true }, podman)).toBeNull();
  expect(
    imageTrouble(
      { images: ['a'], otherContainers: [] },
      { containerEngine: 'none', containerNetwork: 'none' },
    ),
  ).toBeNull();
});

test.skipIf(!canRun || (await sandboxKind()) !== 'bubblewrap')(
  'JavaScript of a workflow in containers is still in our sandbox',
  async () => {
    const standIn = await containerStandIn(path.join(root, 'js'), 'docker');
    const directory = path.join(root, 'js-run');
    await mkdir(directory);
    const escape =
      "${ var fs = globalThis.constructor.constructor('return require')()('fs'); return [fs.existsSync('" +
      path.join(root, 'js') +
      "'), fs.existsSync('/etc/shadow'), fs.existsSync('/usr/bin')].join(); }";
    const cwl = shell(
      'echo x > out.txt',
      'sample: string',
      `word: {type: string, outputBinding: {outputEval: ${JSON.stringify(escape)}}}`,
      `hints: {DockerRequirement: {dockerPull: ${IMAGE}}}\n`,
    );
    const outcome = await new CwltoolRunner(
      cwltoolSettings({ toolPaths: [standIn.directory], containerEngine: 'docker' }),
      { cores: 1, ram: 2 ** 32, disk: 2 ** 30, timeSeconds: 120 },
      NOWHERE,
    ).run(
      {
        id: 'x',
        main: 'https://inline.invalid/w.cwl',
        version: 'v1.2',
        documents: [{ url: 'https://inline.invalid/w.cwl', content: cwl }],
        inputs: { sample: 's' },
        network: false,
        images: { images: [IMAGE], otherContainers: [] },
        onLog: () => undefined,
      },
      directory,
      new AbortController().signal,
    );
    expect(outcome, outcome.log).toMatchObject({ ok: true, outputs: { word: 'false,false,true' } });
  },
);
