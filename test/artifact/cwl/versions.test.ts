// A feature is refused under an older version, and accepted under the version that introduced it.
import { expect, test } from 'vitest';
import { problemsOf, tool, workflowOf } from './check.ts';

const requirement = (text: string, version: string): string =>
  tool(`inputs: []\noutputs: []\nrequirements: {${text}}\n`, version);

test.each(['v1.0', 'v1.1', 'v1.2'])('%s is understood', async (version) => {
  expect(await workflowOf(tool('inputs: []\noutputs: []\n', version))).toMatchObject({ version });
});

test.each(['draft-3', 'v1.3.0-dev1', 'v1', '5'])('cwlVersion %s is refused', async (version) => {
  expect(await problemsOf(tool('inputs: []\noutputs: []\n', version))).toEqual([
    expect.stringMatching(/^main.cwl:1:13: `cwlVersion` must be one of v1.0, v1.1, v1.2, not /),
  ]);
});

test('a document without cwlVersion is refused', async () => {
  expect(await problemsOf('class: CommandLineTool\ninputs: []\noutputs: []\n')).toEqual([
    'main.cwl:1:1: `cwlVersion` is missing',
  ]);
});

test.each<[what: string, document: (version: string) => string, since: string, problem: RegExp]>([
  [
    'WorkReuse',
    (v) => requirement('WorkReuse: {enableReuse: false}', v),
    'v1.1',
    /WorkReuse needs cwlVersion v1.1$/,
  ],
  [
    'NetworkAccess',
    (v) => requirement('NetworkAccess: {networkAccess: true}', v),
    'v1.1',
    /NetworkAccess needs cwlVersion v1.1$/,
  ],
  [
    'ToolTimeLimit',
    (v) => requirement('ToolTimeLimit: {timelimit: 5}', v),
    'v1.1',
    /ToolTimeLimit needs cwlVersion v1.1$/,
  ],
  [
    'half a core',
    (v) => requirement('ResourceRequirement: {coresMin: 0.5}', v),
    'v1.2',
    /coresMin: a fraction needs cwlVersion v1.2$/,
  ],
  [
    'string[][]',
    (v) => tool('inputs: {a: "string[][]"}\noutputs: []\n', v),
    'v1.2',
    /nested array shorthand needs cwlVersion v1.2$/,
  ],
  [
    'intent',
    (v) => tool('inputs: []\noutputs: []\nintent: ["https://example.org/x"]\n', v),
    'v1.2',
    /`intent` needs cwlVersion v1.2$/,
  ],
  [
    'pickValue',
    (v) =>
      `cwlVersion: ${v}\nclass: Workflow\ninputs: {a: string?}\noutputs: {o: {type: string, outputSource: [a], pickValue: first_non_null}}\nsteps: []\n`,
    'v1.2',
    /`pickValue` needs cwlVersion v1.2$/,
  ],
  [
    'Operation',
    (v) => `cwlVersion: ${v}\nclass: Operation\ninputs: []\noutputs: []\n`,
    'v1.2',
    /Operation needs cwlVersion v1.2$/,
  ],
])('%s', async (_, document, since, problem) => {
  const versions = ['v1.0', 'v1.1', 'v1.2'];
  for (const version of versions) {
    const found = await problemsOf(document(version));
    if (version < since) expect(found, version).toContainEqual(expect.stringMatching(problem));
    else expect(found, version).toEqual([]);
  }
});

test('unknown requirements are refused, unknown hints are not', async () => {
  expect(await problemsOf(requirement('FooRequirement: {}', 'v1.2'))).toEqual(
    ['main.cwl:6:16: unknown requirement FooRequirement'].map((p) =>
      expect.stringContaining(p.slice(p.indexOf(': '))),
    ),
  );
  expect(await problemsOf(tool('inputs: []\noutputs: []\nhints: {FooRequirement: {x: 1}}\n'))).toEqual([]);
  expect(await problemsOf(tool('inputs: []\noutputs: []\nhints: [{x: 1}]\n'))).toEqual([
    'main.cwl:6:9: each entry of `hints` must be a map with a class',
  ]);
});

test('what a requirement needs is checked and reported', async () => {
  expect(await problemsOf(requirement('DockerRequirement: {dockerPul: x}', 'v1.2'))).toEqual([
    expect.stringMatching(/^main.cwl:6:\d+: DockerRequirement: unknown field `dockerPul`/),
  ]);
  const text = tool(
    'inputs: []\noutputs: []\nrequirements:\n  DockerRequirement: {dockerPull: "ubuntu:24.04"}\n  ResourceRequirement: {coresMin: 2, ramMin: $(inputs.x)}\n  ToolTimeLimit: {timelimit: 60}\n  NetworkAccess: {networkAccess: true}\n  InlineJavascriptRequirement: {}\nhints:\n  DockerRequirement: {dockerFile: "FROM scratch", dockerImageId: mine}\n',
  );
  expect((await workflowOf(text)).demands).toEqual({
    images: ['ubuntu:24.04', 'mine'],
    otherContainers: ['dockerFile'],
    imagesRequired: true,
    withoutImage: false,
    resources: { coresMin: 2, ramMin: '$(inputs.x)' },
    seconds: 60,
    javascript: true,
    network: true,
    networkRequired: true,
    software: [],
  });
});
