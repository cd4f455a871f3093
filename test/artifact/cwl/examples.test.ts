// Real tools by others, and one of ours, are valid, and have the outputs that rules map.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../../platform/project-root.ts';
import { validateCwl } from '../../../subgraphs/artifact/cwl/validate.ts';
import { outputsOf, workflowOf } from './check.ts';

const folder = path.join(projectRoot, 'examples/cwl');
const textOf = (file: string): string => readFileSync(path.join(folder, file), 'utf8');

const OUTPUTS: Readonly<Record<string, Record<string, string>>> = {
  'bcftools-stats-record.cwl': {
    VariantStats: 'record {uri: File, sample_count: int, record_count: int, note: string?}',
    raw: 'File[]?',
  },
  'bio-cwl-tools/bash/Gunzip.cwl': { unzipped_file: 'File' },
  'bio-cwl-tools/bwa/BWA-Index.cwl': { index: 'File' },
  'bio-cwl-tools/bwa/BWA-Mem.cwl': { reads_stdout: 'File' },
  'bio-cwl-tools/fastqc/fastqc_1.cwl': { fastqc_zip: 'File[]', fastqc_html: 'File[]' },
  'bio-cwl-tools/samtools/samtools_faidx.cwl': { sequences_with_index: 'File', sequences_index: 'File' },
  'bio-cwl-tools/samtools/samtools_index.cwl': { bam_sorted_indexed: 'File' },
  'bio-cwl-tools/samtools/samtools_sort.cwl': { sorted_alignments: 'File' },
  'bio-cwl-tools/samtools/samtools_stats.cwl': { stats: 'File' },
  'bio-cwl-tools/util/grep.cwl': { result: 'File' },
};

test('the table below names every example', () => {
  const files = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.cwl'));
  expect(files.sort()).toEqual(Object.keys(OUTPUTS).sort());
});

test.each(Object.entries(OUTPUTS))('%s is valid, and its outputs have their types', async (file, outputs) => {
  expect(await outputsOf(textOf(file))).toEqual(outputs);
});

test('what a tool requires of its runner is reported', async () => {
  expect((await workflowOf(textOf('bio-cwl-tools/samtools/samtools_sort.cwl'))).demands).toMatchObject({
    images: ['quay.io/biocontainers/samtools:1.14--hb421002_0'],
    otherContainers: [],
    network: false,
  });
  expect((await workflowOf(textOf('bcftools-stats-record.cwl'))).demands).toEqual({
    images: [],
    imagesRequired: false,
    withoutImage: true,
    otherContainers: [],
    resources: {},
    seconds: null,
    javascript: true,
    network: false,
    networkRequired: false,
    software: [],
  });
});

test('inputs tell whether they may be left out', async () => {
  const { inputs } = await workflowOf(textOf('bio-cwl-tools/samtools/samtools_sort.cwl'));
  expect(inputs.find((input) => input.name === 'unsorted_alignments')).toEqual({
    name: 'unsorted_alignments',
    type: { kind: 'File' },
    optional: false,
    format: 'edam:format_2572',
  });
  expect(inputs.find((input) => input.name === 'by_name')).toMatchObject({ optional: true });
});

test('each damaged example is reported at the position of the damage', async () => {
  const whole = textOf('bcftools-stats-record.cwl');
  const damages: [from: string, to: string, found: RegExp][] = [
    ['class: CommandLineTool', 'class: CommandLine', /^main.cwl:2:8: `class` must be one of/],
    ['inputs:', 'imputs:', /^main.cwl:6:1: unknown field `imputs`|`inputs` is missing/],
    ['type: int,', 'type: integer,', /^main.cwl:15:30: unknown type "integer"/],
    ['position: 1', 'position: first, colour: red', /^main.cwl:7:\d+: unknown field `colour`/],
    ['stdout: stats.txt', 'stdout: [stats.txt]', /^main.cwl:8:9: `stdout` must be a string/],
    [
      'cwlVersion: v1.2',
      'cwlVersion: v2.0',
      /^main.cwl:1:13: `cwlVersion` must be one of v1.0, v1.1, v1.2, not "v2.0"/,
    ],
    ['note: {type: string?}', 'note: {type: string?', /^main.cwl:\d+:\d+: not valid YAML/],
  ];
  for (const [from, to, found] of damages) {
    expect(whole).toContain(from);
    const result = await validateCwl(whole.replace(from, to), { url: 'https://example.org/main.cwl' });
    expect(result.valid, to).toBe(false);
    if (!result.valid)
      expect(
        result.problems.map((p) => `main.cwl:${p.line}:${p.column}: ${p.message}`),
        to,
      ).toContainEqual(expect.stringMatching(found));
  }
});
