// Hostile documents are refused quickly and without effect.
import { expect, test } from 'vitest';
import { problemsOf, tool, workflowOf } from './check.ts';

const times = (text: string, n: number): string => text.repeat(n);
const aliases = Array.from(
  { length: 9 },
  (_, i) => `${'bcdefghij'[i]}: &${'bcdefghij'[i]} [${times(`*${'abcdefghi'[i]}, `, 9)}x]`,
).join('\n');

test.each<[what: string, text: string, problem: RegExp]>([
  ['lists in lists', times('[', 200_000), /nested deeper than 60 levels/],
  ['maps in maps', times('{a: ', 100_000), /nested deeper than 60 levels/],
  ['JSON in JSON', `${times('[', 100_000)}${times(']', 100_000)}`, /nested deeper than 60 levels/],
  ['dashes', times('- ', 50_000), /nested deeper than 60 levels/],
  ['aliases of aliases', `a: &a [x]\n${aliases}`, /too many aliases/],
  ['an alias of nothing', 'a: *b', /not valid YAML/],
  ['commas', `[${times(',', 1_000_000)}`, /too many lines and punctuation marks/],
  ['more than 1 MiB', times(' ', 2 ** 20 + 1), /larger than 1 MiB/],
  ['keys twice', 'a: 1\nb: {c: 1, c: 2}', /^main.cwl:2:11: the key c occurs twice/],
  [
    'types nested without end',
    tool(
      `inputs: {a: {type: ${times('{type: array, items: ', 40)}{type: record, fields: 5}${times('}', 40)}}}\noutputs: []`,
    ),
    /nested deeper than 25 levels/,
  ],
  [
    'thousands of inputs',
    tool(`inputs: {${Array.from({ length: 2000 }, (_, i) => `i${i}: string`).join(', ')}}\noutputs: []`),
    /^main.cwl:4:9: a process may have at most 1000 inputs/,
  ],
  ['no map', '[]', /must be a map/],
  ['nothing', '', /must be a map/],
  ['null', 'null', /must be a map/],
  ['a word', 'hello', /must be a map/],
  ['binary', '\u0000\u0001\u0002', /./],
  ['a list for a class', 'cwlVersion: v1.2\nclass: [Workflow]', /^main.cwl:2:8: `class` must be one of/],
  ['an empty graph', 'cwlVersion: v1.2\n$graph: []', /`\$graph` is empty/],
  [
    'steps of anything',
    'cwlVersion: v1.2\nclass: Workflow\ninputs: []\noutputs: []\nsteps: {a: null, b: {run: 5, in: 5, out: 5}}',
    /step b: `in` must be a list or a map/,
  ],
])('%s', async (_, text, problem) => {
  const started = performance.now();
  expect(await problemsOf(text)).toContainEqual(expect.stringMatching(problem));
  expect(performance.now() - started).toBeLessThan(5000);
});

test('nested double imports do not grow exponentially', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 9 }, (_, i) => [`f${i}.yml`, `[${times(`{$import: f${i + 1}.yml}, `, 9)}]`]),
  );
  expect(
    await problemsOf(tool('inputs: {$import: f0.yml}\noutputs: []'), { ...files, 'f9.yml': '[a]' }),
  ).toContainEqual(expect.stringMatching(/more than 500 documents and imports/));
});

test('names of object members such as constructor are ordinary names', async () => {
  const { inputs } = await workflowOf(
    tool(
      'inputs: {__proto__: string, constructor: {type: int, default: {__proto__: {polluted: 1}}}, toString: File}\noutputs: []',
    ),
  );
  expect(inputs.map((input) => input.name)).toEqual(['__proto__', 'constructor', 'toString']);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test('at most a hundred problems are reported', async () => {
  const inputs = Array.from({ length: 300 }, (_, i) => `i${i}: bogus${i}`).join(', ');
  expect(await problemsOf(tool(`inputs: {${inputs}}\noutputs: []`))).toHaveLength(100);
});

test('without a reader no other document can be had, whatever its address', async () => {
  for (const address of ['file:///etc/passwd', 'http://127.0.0.1/x', 'other.cwl', 'data:text/plain,x']) {
    const found = await problemsOf(
      `cwlVersion: v1.2\nclass: Workflow\ninputs: []\noutputs: []\nsteps: {a: {run: '${address}', in: [], out: []}}`,
    );
    expect(found, address).toEqual([expect.stringContaining('there is no such document')]);
  }
});
