// Workflows are validated in a separate thread: with the same results, references included, and without harm
// to the process.
import { expect, test } from 'vitest';
import { validateCwl } from '../../../subgraphs/artifact/cwl/validate.ts';
import { validateInWorker } from '../../../subgraphs/artifact/cwl-source/validate-in-worker.ts';

const TOOL =
  "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: 'true'\ninputs: {x: int}\noutputs: {y: {type: stdout}}\n";
const WORKFLOW =
  'cwlVersion: v1.2\nclass: Workflow\ninputs: {x: int}\noutputs: {y: {type: File, outputSource: s/y}}\nsteps:\n  s: {run: tool.cwl, in: {x: x}, out: [y]}\n';
const url = 'https://host.test/main.cwl';
const read = (address: string): Promise<string> =>
  address === 'https://host.test/tool.cwl'
    ? Promise.resolve(TOOL)
    : Promise.reject(new Error('is not there'));

test('the findings are the same as in this thread', async () => {
  for (const text of [
    TOOL,
    WORKFLOW,
    WORKFLOW.replace('tool.cwl', 'other.cwl'),
    TOOL.replace('int', 'integer'),
    'not: cwl',
    '{',
    '',
  ]) {
    expect(await validateInWorker(text, { url, read }), text).toEqual(await validateCwl(text, { url, read }));
  }
});

test('many are checked at once, each with its own documents', async () => {
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      validateInWorker(i % 2 === 0 ? WORKFLOW : 'not: cwl', { url: `https://host.test/${i}.cwl`, read }),
    ),
  );
  expect(results.map(({ valid }) => valid)).toEqual(results.map((_, i) => i % 2 === 0));
});

test('a bomb of references is a problem of the workflow, and the next one is checked', async () => {
  const bomb = `cwlVersion: v1.2\nclass: CommandLineTool\na: &a [${'x,'.repeat(9)}x]\n${[...'bcdefghij'].map((name, i) => `${name}: &${name} [${`*${'abcdefghi'[i]},`.repeat(9)}*${'abcdefghi'[i]}]`).join('\n')}\ninputs: {}\noutputs: {}\n`;
  expect(await validateInWorker(bomb, { url, read })).toMatchObject({ valid: false });
  expect(await validateInWorker(TOOL, { url, read })).toMatchObject({ valid: true });
});
