// Workflows: steps, links, packed documents, and workflows of several documents.
import { expect, test } from 'vitest';
import { outputsOf, problemsOf, tool, workflowOf } from './check.ts';

const ECHO = tool('inputs: {text: string, extra: string?}\noutputs: {line: string, file: File}\n', 'v1.0');
const COUNT = tool('inputs: {file: File, times: {type: int, default: 1}}\noutputs: {count: int}\n', 'v1.0');
const FILES = { 'echo.cwl': ECHO, 'count.cwl': COUNT };
const flow = (rest: string, version = 'v1.2'): string => `cwlVersion: ${version}\nclass: Workflow\n${rest}`;

const TWO_STEPS = `inputs: {text: string}
outputs:
  count: {type: int, outputSource: counted/count}
steps:
  said: {run: echo.cwl, in: {text: text}, out: [file]}
  counted: {run: count.cwl, in: {file: said/file}, out: [count]}
`;

test('a workflow of documents beside it is valid, and tells them all', async () => {
  const workflow = await workflowOf(flow(TWO_STEPS), FILES);
  expect(workflow).toMatchObject({
    version: 'v1.2',
    kind: 'Workflow',
    inputs: [{ name: 'text', optional: false }],
    outputs: [{ name: 'count', type: { kind: 'int' } }],
  });
  expect(workflow.documents).toEqual(
    ['main.cwl', 'echo.cwl', 'count.cwl'].map((file) => `https://example.org/flows/${file}`),
  );
});

test.each([
  ['said/file', 'said/fil', 'main.cwl:8:40: step counted input file: the source said/fil does not exist'],
  [
    '{file: said/file}',
    '{file: text}',
    'main.cwl:8:40: step counted input file: type string cannot be assigned to File',
  ],
  [
    'outputSource: counted/count',
    'outputSource: text',
    'main.cwl:5:10: output count: type string cannot be assigned to int',
  ],
  ['in: {text: text}', 'in: {}', 'main.cwl:7:9: step said: the required input text is missing'],
  [
    'out: [file]',
    'out: [fil]',
    'main.cwl:7:49: step said: fil is not an output of its process (outputs: line, file)',
  ],
  ['run: echo.cwl', 'run: other.cwl', 'main.cwl:7:15: step said: run other.cwl: there is no such document'],
  [
    'in: {text: text}',
    'in: {text: text}, scatter: txt',
    'main.cwl:7:52: step said: the scatter input txt is not an input of the step',
  ],
  [
    'in: {text: text}',
    'in: {text: counted/count}',
    'main.cwl:7:36: step said input text: type int cannot be assigned to string',
  ],
])('a workflow with %s made %s is refused', async (from, to, problem) => {
  expect(await problemsOf(flow(TWO_STEPS.replace(from, to)), FILES)).toContain(problem);
});

test('steps that wait for each other are refused', async () => {
  const steps =
    'inputs: []\noutputs: []\nsteps:\n  a: {run: echo.cwl, in: {text: b/line}, out: [line]}\n  b: {run: echo.cwl, in: {text: a/line}, out: [line]}\n';
  expect(await problemsOf(flow(steps), FILES)).toEqual([
    'main.cwl:6:3: the steps depend on each other in a cycle: a -> b -> a',
  ]);
});

test('faults of a document that a step runs are reported for that document', async () => {
  expect(
    await problemsOf(flow(TWO_STEPS), {
      ...FILES,
      'echo.cwl': ECHO.replace('extra: string?', 'extra: strung'),
    }),
  ).toEqual(['echo.cwl:4:31: unknown type "strung"']);
});

test('scattering gives lists, conditions give null, and picking takes it away again', async () => {
  const step = (more: string, source: string): string =>
    flow(`inputs: {texts: 'string[]', go: boolean}
outputs:
  out: {type: ${source}}
steps:
  said: {run: echo.cwl, in: {text: ${more.includes('scatter') ? 'texts' : '{default: x}'}, go: go}, out: [line]${more}}
`);
  expect(await problemsOf(step(', scatter: text', '"string[]", outputSource: said/line'), FILES)).toEqual([]);
  expect(await problemsOf(step(', scatter: text', 'string, outputSource: said/line'), FILES)).toEqual([
    'main.cwl:5:8: output out: type string[] cannot be assigned to string',
  ]);
  expect(await problemsOf(step(', when: $(inputs.go)', '"string?", outputSource: said/line'), FILES)).toEqual(
    [],
  );
  expect(
    await problemsOf(
      step(', when: $(inputs.go)', 'string, outputSource: [said/line], pickValue: the_only_non_null'),
      FILES,
    ),
  ).toEqual([]);
  expect(
    await problemsOf(step('', '"string[]", outputSource: [said/line], pickValue: all_non_null'), FILES),
  ).toEqual([]);
  expect(
    await problemsOf(step('', 'string, outputSource: [said/line], pickValue: all_non_null'), FILES),
  ).toEqual(['main.cwl:5:8: output out: type string[] cannot be assigned to string']);
});

test('several sources are a list; flattened, lists among them are not nested', async () => {
  const merged = (rest: string): string =>
    flow(`inputs: {one: string, many: 'string[]'}\noutputs:\n  out: {${rest}}\nsteps: []\n`);
  expect(await problemsOf(merged('type: "string[]", outputSource: [one, one]'))).toEqual([]);
  expect(await problemsOf(merged('type: "string[]", outputSource: [one, many]'))).toEqual([
    'main.cwl:5:8: output out: type string[][] cannot be assigned to string[]',
  ]);
  expect(
    await problemsOf(merged('type: "string[]", outputSource: [one, many], linkMerge: merge_flattened')),
  ).toEqual([]);
});

test('a workflow in a workflow sees the types that the outer one names', async () => {
  const inner =
    '{class: Workflow, inputs: {p: Pair}, outputs: {q: {type: Pair, outputSource: p}}, steps: []}';
  const text =
    flow(`requirements:\n  SchemaDefRequirement: {types: [{$import: pair.yml}]}\n  SubworkflowFeatureRequirement: {}
inputs: {p: Pair}\noutputs:\n  out: {type: Pair, outputSource: in/q}\nsteps:\n  in: {run: ${inner}, in: {p: p}, out: [q]}\n`);
  expect(
    await outputsOf(text, { 'pair.yml': '{name: Pair, type: record, fields: {a: int, b: int}}' }),
  ).toEqual({ out: 'record {a: int, b: int}' });
});

const PACKED = `{"cwlVersion": "v1.2", "$graph": [
  {"class": "CommandLineTool", "id": "#tool", "baseCommand": "x", "inputs": [{"id": "#tool/a", "type": "string"}], "outputs": [{"id": "#tool/b", "type": "int"}]},
  {"class": "Workflow", "id": "#main", "inputs": [{"id": "#main/a", "type": "string"}],
   "outputs": [{"id": "#main/b", "type": "int", "outputSource": "#main/run/b"}],
   "steps": [{"id": "#main/run", "run": "#tool", "in": [{"id": "#main/run/a", "source": "#main/a"}], "out": ["#main/run/b"]}]}]}`;

test('of a packed document the process main is meant, or the one that the address names', async () => {
  expect(await workflowOf(PACKED)).toMatchObject({ kind: 'Workflow', outputs: [{ name: 'b' }] });
  expect(await workflowOf(PACKED, {}, 'https://example.org/flows/main.cwl#tool')).toMatchObject({
    kind: 'CommandLineTool',
  });
  expect(await problemsOf(PACKED.replaceAll('#main', '#first'))).toEqual([
    'main.cwl:1:34: the document has no process named main',
  ]);
  expect(await problemsOf(PACKED, {}, 'https://example.org/flows/main.cwl#nope')).toEqual([
    'main.cwl:1:34: the document has no process named nope',
  ]);
});

test('every process of a packed document is checked, with places in its text', async () => {
  expect(await problemsOf(PACKED.replace('"type": "int"}]},', '"type": "number"}]},'))).toEqual([
    expect.stringMatching(/^main.cwl:2:\d+: unknown type "number"$/),
  ]);
  expect(await problemsOf(PACKED.replace('"#main/a"}]', '"#main/z"}]'))).toEqual([
    expect.stringMatching(/^main.cwl:5:\d+: step run input a: the source #main\/z does not exist$/),
  ]);
});

test('a packed document may import a part of itself', async () => {
  const packed = `cwlVersion: v1.2
$graph:
  - {class: CommandLineTool, id: main, inputs: [], outputs: {p: '#pair.yml/Pair'}, requirements: [{class: SchemaDefRequirement, types: [{$import: '#pair.yml'}]}]}
  - {class: CommandLineTool, id: other, inputs: [], outputs: [], requirements: [{class: SchemaDefRequirement, types: [{id: '#pair.yml', name: '#pair.yml/Pair', type: enum, symbols: [a]}]}]}
`;
  expect(await outputsOf(packed)).toEqual({ p: 'enum (a)' });
});

test('a workflow that runs itself, and imports that import themselves, are refused', async () => {
  expect(
    await problemsOf(flow('inputs: []\noutputs: []\nsteps:\n  a: {run: main.cwl, in: [], out: []}\n')),
  ).toEqual(['main.cwl:1:1: a workflow must not run itself']);
  expect(
    await problemsOf(tool('inputs: {$import: a.yml}\noutputs: []\n'), {
      'a.yml': '{x: {$import: b.yml}}',
      'b.yml': '{$import: a.yml}',
    }),
  ).toContain('b.yml:1:1: $import a.yml: the document imports itself');
});

test('text can be included, and addresses may begin with a declared prefix', async () => {
  const text = tool(
    `inputs: []\noutputs: []\nrequirements:\n  InlineJavascriptRequirement: {expressionLib: [{$include: lib.js}]}\n`,
  );
  expect(await problemsOf(text, { 'lib.js': 'var x = 1' })).toEqual([]);
  expect(await problemsOf(text)).toEqual(['main.cwl:7:49: $include lib.js: there is no such document']);
  const prefixed = flow(
    '$namespaces: {lab: https://example.org/flows/}\ninputs: []\noutputs: []\nsteps:\n  a: {run: lab:none.cwl, in: [], out: []}\n',
  )
    .replace('none', 'count')
    .replace('in: []', 'in: {file: {default: {class: File, path: x}}}');
  expect(await problemsOf(prefixed, FILES)).toEqual([]);
});
