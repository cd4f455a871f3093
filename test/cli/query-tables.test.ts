// `cairn query -o`: the list of an answer as a table, CSV, NDJSON or YAML.
import { expect, test } from 'vitest';
import { run } from './command-line.ts';
import { platformDouble } from './platform-double.ts';

const CONNECTION = {
  typed: {
    sampleList: {
      totalCount: 2,
      edges: [
        { cursor: 'x', node: { id: 's1', donor: { id: 'd1', site: { town: '東京' } }, tags: ['a', 'b'] } },
        { cursor: 'y', node: { id: 's2', donor: null, tags: [] } },
      ],
    },
  },
};

async function query(
  data: unknown,
  ...args: string[]
): Promise<{ status: number; stdout: string; stderr: string }> {
  await using platform = await platformDouble(() => ({ body: { data } }));
  return await run(['query', '{ a }', '--url', platform.url, '--key', 'k', ...args]);
}

test('the nodes of a connection are rows, with the fields of what they refer to under their paths', async () => {
  expect(await query(CONNECTION, '-o', 'csv')).toMatchObject({
    status: 0,
    stdout: 'id,donor.id,donor.site.town,tags\r\ns1,d1,東京,"[""a"",""b""]"\r\ns2,,,[]\r\n',
  });
  const { stdout } = await query(CONNECTION, '-o', 'ndjson');
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(CONNECTION.typed.sampleList.edges.map(({ node }) => node));
  const table = await query(CONNECTION, '--columns', 'id,donor.site.town');
  expect(table.stdout.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['id', 'donor.site.town'],
    ['s1', '東京'],
    ['s2', '-'],
    [''],
  ]);
});

test('lists and nodes are rows, too; JSON and YAML are the whole answer', async () => {
  const rows = [
    { id: 'a', n: 1 },
    { id: 'b', n: null },
  ];
  for (const data of [{ entities: { total: 2, items: rows } }, { typed: { sampleList: { nodes: rows } } }])
    expect((await query(data, '-o', 'csv')).stdout).toBe('id,n\r\na,1\r\nb,\r\n');
  expect((await query({ entities: { items: rows } }, '-o', 'yaml')).stdout).toContain(
    'entities:\n  items:\n',
  );
  expect(JSON.parse((await query({ n: 1 }, '-o', 'json')).stdout)).toEqual({ data: { n: 1 } });
  expect(JSON.parse((await query({ n: 1 })).stdout)).toEqual({ n: 1 });
});

test('rows of CSV end alike, and keep what ends them', async () => {
  const { stdout } = await query({ rows: [{ a: 'x', b: 'ends in spaces  ' }] }, '-o', 'csv');
  expect(stdout).toBe('a,b\r\nx,ends in spaces  \r\n');
});

test('what has no list, or several, is no table', async () => {
  expect(await query({ entity: { id: 'a' } }, '-o', 'csv')).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining('has no list'),
  });
  expect(await query({ a: [{}], b: { c: [{}] } }, '-o', 'table')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('has 2 lists, and a table is of one: a, b.c'),
  });
});
