// docs/reference/artifact.md#staleness: notations of CWL that mean the same are no change, others are.
import { expect, test } from 'vitest';
import { meaningOf, workflowChanges } from './workflow-meaning.ts';

const BASE = `cwlVersion: v1.2
class: Workflow
$namespaces: {edam: "http://edamontology.org/"}
requirements:
  InlineJavascriptRequirement: {}
inputs:
  sample: string
  reads: {type: "string?"}
  bams: {type: "File[]", format: "edam:format_2572", secondaryFiles: .bai}
  lane:
    type: {type: record, name: lane, fields: {number: int, side: {type: "string?", doc: which}}}
steps:
  one:
    run: {class: CommandLineTool, baseCommand: cat, inputs: {a: File}, outputs: {b: {type: File, outputBinding: {glob: out}}}}
    scatter: a
    in: {a: bams, sample: {source: sample}}
    out: [b]
outputs:
  b: {type: "File[]", outputSource: one/b}
`;
const changed = (from: string, to: string): readonly string[] => {
  expect(BASE).toContain(from);
  const meaning = (content: string) => meaningOf({ documents: [{ reference: '', content }] });
  return workflowChanges(meaning(BASE), meaning(BASE.replace(from, to)));
};

test.each([
  ['type: "string?"', 'type: ["null", string]'],
  ['type: "string?"', 'type: [string?]'],
  ['type: "File[]", format', 'type: {type: array, items: File}, format'],
  ['sample: string', 'sample: {type: string, sbg:suggested: "x"}'],
  ['doc: which', 'doc: of two'],
  ['{number: int,', '{number: {type: int},'],
  [
    'fields: {number: int, side: {type: "string?", doc: which}}',
    'fields: [{name: side, type: ["null", string]}, {name: number, type: int}]',
  ],
  ['secondaryFiles: .bai', 'secondaryFiles: [{pattern: .bai}]'],
  ['in: {a: bams, sample: {source: sample}}', 'in: {sample: sample, a: {source: bams}}'],
  ['InlineJavascriptRequirement: {}', '- class: InlineJavascriptRequirement'],
  ['baseCommand: cat', 'baseCommand: [cat]'],
  ['glob: out', 'glob: [out]'],
  ['scatter: a', 'scatter: [a]'],
  ['in: {a: bams, sample: {source: sample}}', 'in: [{id: sample, source: sample}, {id: a, source: bams}]'],
  ['out: [b]', 'out: [{id: b}]'],
  ['class: Workflow', 'class: Workflow\ns:author: somebody\nintent: [edam:operation_1]\n$schemas: [x.owl]'],
  ['$namespaces: {', '$namespaces: {s: "https://schema.org/", '],
])('%s as %s is no change', (from, to) => {
  expect(changed(from, to)).toEqual([]);
});

test('an optional secondary file is one in either notation', () => {
  const tool = (files: string) =>
    meaningOf({
      documents: [
        {
          reference: '',
          content: `class: CommandLineTool\ninputs: {a: {type: File, secondaryFiles: ${files}}}`,
        },
      ],
    });
  expect(workflowChanges(tool('.bai?'), tool('{pattern: .bai, required: false}'))).toEqual([]);
  expect(workflowChanges(tool('.bai?'), tool('.bai'))).toEqual(['inputs differ']);
});

test.each([
  ['type: "string?"', 'type: string', 'inputs differ'],
  ['type: "string?"', 'type: [string, "null"]', 'inputs differ'],
  ['type: "File[]", format', 'type: "File[]?", format', 'inputs differ'],
  ['number: int', 'number: long', 'inputs differ'],
  ['secondaryFiles: .bai', 'secondaryFiles: .bai?', 'inputs differ'],
  ['secondaryFiles: .bai', 'secondaryFiles: [.bai, .csi]', 'inputs differ'],
  ['http://edamontology.org/', 'http://other.example/', '$namespaces differ'],
  [
    'InlineJavascriptRequirement: {}',
    'InlineJavascriptRequirement: {expressionLib: [x]}',
    'requirements differ',
  ],
  ['baseCommand: cat', 'baseCommand: [cat, -n]', 'step one differs'],
  ['glob: out', 'glob: [out, more]', 'step one differs'],
  ['a: bams', 'a: [bams]', 'step one differs'],
  ['class: Workflow', 'class: Workflow\ntoString: x', 'toString differ'],
])('%s as %s is one', (from, to, told) => {
  expect(changed(from, to)).toEqual([told]);
});

test.each([
  [
    'a program',
    'lib.js',
    'function f(x) {\n  return x ? {a: 1} : 2;\n}',
    'function f(x) {\n  return x ? {a: 2} : 2;\n}',
  ],
  ['a text that is YAML, too', 'lib.sh', 'echo a  # b', 'echo a'],
  [
    'hints of other vocabularies',
    'hints.yml',
    'cwltool:CUDARequirement: {cudaVersionMin: "11.4"}',
    'cwltool:CUDARequirement: {cudaVersionMin: "12.0"}',
  ],
  ['inputs with the name of a field that describes', 'inputs.yml', '{intent: string}', '{intent: int}'],
])('of %s that a document takes from another, what changes is a change', (_what, reference, from, to) => {
  const meaning = (content: string) =>
    meaningOf({
      documents: [
        { reference: '', content: BASE },
        { reference, content },
      ],
    });
  expect(workflowChanges(meaning(from), meaning(to))).toEqual([`document ${reference} differs`]);
});

test('comments and layout of an imported fragment are no change', () => {
  const meaning = (content: string) => meaningOf({ documents: [{ reference: 'hints.yml', content }] });
  expect(workflowChanges(meaning('a: {b: 1} # c'), meaning('a:\n  b: 1'))).toEqual([]);
});
