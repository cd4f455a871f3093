// docs/reference/artifact.md#cwltool, docs/reference/artifact.md#workflow-identity: the registered documents
// run, whatever their addresses serve now.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CwltoolRunner } from '../../subgraphs/artifact/runners/cwltool-runner.ts';
import { canRun, cwltoolSettings, NOWHERE, shell } from './production-testkit.ts';

const OUT = 'made: {type: File, outputBinding: {glob: out.txt}}';
const MAIN = `cwlVersion: v1.2
class: Workflow
inputs: {word: string}
outputs: {made: {type: File, outputSource: second/made}}
steps:
  first: {run: tools/first.cwl, in: {word: word}, out: [made]}
  second: {run: "https://other.test/second.cwl#main", in: {before: first/made}, out: [made]}
`;
const documents = [
  { url: 'https://host.test/a/main.cwl', content: MAIN },
  {
    url: 'https://host.test/a/tools/first.cwl',
    content: shell('echo $(inputs.word) > out.txt', 'word: string', OUT),
  },
  {
    url: 'https://other.test/second.cwl',
    content: shell(
      'cat $(inputs.before.path) > out.txt; echo second >> out.txt',
      'before: File',
      OUT,
      'id: main\n',
    ),
  },
];

test.skipIf(!canRun)(
  'documents refer to each other by relative and by absolute addresses, and none is fetched',
  async () => {
    const root = await mkdtemp(path.join(os.tmpdir(), 'cairn-runner-'));
    try {
      const seen: string[] = [];
      const outcome = await new CwltoolRunner(
        cwltoolSettings(),
        { cores: 1, ram: 2 ** 32, disk: 2 ** 30, timeSeconds: 60 },
        NOWHERE,
      ).run(
        {
          id: 'x',
          main: 'https://host.test/a/main.cwl',
          version: 'v1.2',
          documents,
          inputs: { word: 'first' },
          network: false,
          images: null,
          onLog: (tail) => {
            seen.push(tail);
          },
        },
        root,
        new AbortController().signal,
      );
      expect(outcome.ok, outcome.log).toBe(true);
      const made = outcome.ok ? (outcome.outputs['made'] as { location: string }) : { location: '' };
      expect(await readFile(fileURLToPath(made.location), 'utf8')).toBe('first\nsecond\n');
      expect(seen.at(-1)).toContain('completed success');
    } finally {
      await rm(root, { recursive: true });
    }
  },
);

test('a missing command is reported with what to install', async () => {
  const runner = new CwltoolRunner(
    cwltoolSettings({ command: 'never-installed' }),
    { cores: 1, ram: 1, disk: 1, timeSeconds: 1 },
    NOWHERE,
  );
  expect(await runner.version()).toBeNull();
  expect(await runner.trouble()).toMatch(/never-installed cannot be run on this machine: install cwltool/);
});
