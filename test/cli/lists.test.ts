// How lists are printed: formats, columns, pages, and widths on a terminal.
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { definitionDifferences } from '../../cli/schema-differences.ts';
import { planTree } from '../../cli/plan-tree.ts';
import { newLines } from '../../cli/production-states.ts';
import { table } from '../../cli/output.ts';
import { run } from './command-line.ts';
import { type Answer, type Asked, platformDouble } from './platform-double.ts';

const RUNS = [
  { run_id: 'r1', trigger_name: 'nightly', status: 'success', counts: { a: 1 }, note: null },
  { run_id: 'r2', trigger_name: '=cmd', status: 'failed', counts: { a: 2 }, note: 'a,"b"\nc' },
];
const pages = ({ query }: Asked): Answer =>
  query['cursor'] === undefined
    ? { body: { runs: RUNS.slice(0, 1), total: 2, next_cursor: 'C2' } }
    : { body: { runs: RUNS.slice(1), total: 2, next_cursor: null } };
const list = async (...args: string[]) => {
  await using platform = await platformDouble(pages);
  const done = await run(['runs', 'list', ...args, '--url', platform.url, '--key', 'k']);
  return { ...done, asked: platform.asked };
};

test('a page prints the command for the next page; --all reads every page', async () => {
  const first = await list();
  expect(first.stdout).toMatch(/r1 +nightly +success/);
  expect(first.stdout).toContain('more: --all, or --cursor C2');
  expect(first.stdout).not.toContain('r2');
  const all = await list('--all', '-o', 'json', '--limit', '1');
  expect(JSON.parse(all.stdout)).toEqual({ runs: RUNS, total: 2, next_cursor: null });
  expect(all.asked.map(({ query }) => query)).toEqual([{ limit: ['1'] }, { limit: ['1'], cursor: ['C2'] }]);
});

test('the formats for programs', async () => {
  expect((await list('--all', '-o', 'ndjson')).stdout).toBe(
    RUNS.map((one) => `${JSON.stringify(one)}\n`).join(''),
  );
  expect((await list('--all', '-o', 'csv')).stdout).toBe(
    'run_id,trigger_name,status,counts,note\r\n' +
      'r1,nightly,success,"{""a"":1}",\r\nr2,=cmd,failed,"{""a"":2}","a,""b""\nc"\r\n',
  );
  expect((await list('--all', '-o', 'csv', '--columns', 'run_id, counts.a')).stdout).toBe(
    'run_id,counts.a\r\nr1,1\r\nr2,2\r\n',
  );
  expect((await list('-o', 'yaml')).stdout).toContain('trigger_name: nightly\n');
  expect((await list('--columns', 'status,counts.a,counts.nothing')).stdout).toMatch(
    /^status +counts\.a +counts\.nothing\nsuccess +1 +-\n/,
  );
});

test.each([
  [['--json', '-o', 'csv'], '--json contradicts -o csv'],
  [['-o', 'json', '--columns', 'a'], '--columns is for'],
  [['--columns', 'a,,b'], 'separated by commas'],
  [
    ['--columns', 'run_id,stauts'],
    'there is no field "stauts". Did you mean "status"? The fields are run_id,',
  ],
  [['-o', 'xml'], 'Allowed choices are table, json, ndjson, csv, yaml'],
])('wrong usage is reported: %s', async (args, message) => {
  const { status, stderr, asked } = await list(...args);
  expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(asked.length).toBeLessThanOrEqual(1);
});

test('rows fit a terminal, in any script', () => {
  const paint = { bold: String, dim: String, red: String, green: String, yellow: String };
  const rows = [
    ['s1', '日本語のサンプル名はとても長い', 'x'.repeat(100)],
    ['s2', '👩‍🔬 e\u0301', 'short'],
  ];
  const to = { write: () => true, isTTY: true, columns: 40 };
  const lines = table(paint, ['ID', 'NAME', 'DATA'], rows, to).split('\n');
  for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(40);
  const at = lines.map((line) => stringWidth(line.slice(0, line.search(/DATA|x|short/))));
  expect(new Set(at).size).toBe(1); // one column
  expect(lines[1]).toMatch(/^s1 {2}日本語.*… {1,2}x+…$/);
  const whole = table(paint, ['ID', 'NAME', 'DATA'], rows);
  expect(whole).toContain('x'.repeat(100));
});

test('the differences of two definitions: properties, fields, and defaults that say nothing', () => {
  const field = { name: 'sex', field_type: 'string', required: false };
  const before = { name: 'S', version: '1', fields: [field, { name: 'old', field_type: 'string' }] };
  const after = {
    name: 'S',
    version: '2',
    description: 'd',
    fields: [
      { name: 'sex', field_type: 'string', unique: false },
      { name: 'new', field_type: 'integer' },
    ],
  };
  expect(definitionDifferences(before, after)).toEqual([
    { change: 'changed', what: 'version', before: '1', after: '2' },
    { change: 'added', what: 'description', after: 'd' },
    { change: 'removed', what: 'fields.old', before: { name: 'old', field_type: 'string' } },
    { change: 'added', what: 'fields.new', after: { name: 'new', field_type: 'integer' } },
  ]);
});

test('a plan is a tree', () => {
  const paint = { bold: String, dim: String, red: String, green: String, yellow: String };
  const leaf = (type: string, more = {}) => ({
    decision: 'reuse',
    entity_type: type,
    reason: 'there',
    ...more,
  });
  const plan = {
    decision: 'build',
    entity_type: 'Calls',
    criteria: { sample: 's', depth: 3 },
    reason: 'none',
    requires: [
      { ...leaf('Reads', { decision: 'build' }), requires: [leaf('Raw')] },
      leaf('Raw', { repeated: true }),
    ],
  };
  expect(planTree(paint, plan).split('\n')).toEqual([
    'build Calls sample=s depth=3',
    '│ none',
    '├─ build Reads',
    '│  │ there',
    '│  └─ reuse Raw',
    '│       there',
    '└─ reuse Raw (as above)',
    '     there',
  ]);
});

test('only new text of a log is printed, also after its beginning was dropped', () => {
  expect(newLines('', 'a\n')).toBe('a\n');
  expect(newLines('a\nb\n', 'a\nb\nc\n')).toBe('c\n');
  expect(newLines('a\nb\n', 'b\nc\n')).toBe('c\n');
  expect(newLines('a\nb\n', 'x\ny\n')).toBe('x\ny\n');
});

test('a list without items is no line of NDJSON or CSV, but for the heading that was asked for', async () => {
  await using platform = await platformDouble(() => ({ body: { runs: [], total: 0, next_cursor: null } }));
  const none = async (...args: string[]) =>
    (await run(['runs', 'list', ...args, '--url', platform.url, '--key', 'k'])).stdout;
  expect(await none('-o', 'ndjson')).toBe('');
  expect(await none('-o', 'csv')).toBe('');
  expect(await none('-o', 'csv', '--columns', 'run_id')).toBe('run_id\r\n');
});

test('what prints facts takes -o json and -o yaml', async () => {
  const me = { actor: 'user:ada', roles: ['viewer'], projects: null };
  await using platform = await platformDouble(() => ({ body: { data: { me } } }));
  const whoami = (...args: string[]) => run(['whoami', ...args, '--url', platform.url, '--key', 'k']);
  expect(JSON.parse((await whoami('-o', 'json')).stdout)).toEqual(me);
  expect((await whoami('-o', 'yaml')).stdout).toBe('actor: user:ada\nroles:\n  - viewer\nprojects: null\n');
  expect((await whoami('-o', 'text')).stdout).toBe((await whoami()).stdout);
  expect((await whoami('--json', '-o', 'yaml')).status).toBe(2);
  expect((await whoami('-o', 'csv')).status).toBe(2);
});
