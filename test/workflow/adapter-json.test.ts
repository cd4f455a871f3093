// JSON documents read in parts, SQL, and adapters of a deployment.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import { expect, test } from 'vitest';
import { adapter as adapterSchema } from '../../platform/config/adapter-definition.ts';
import { openAdapter } from '../../subgraphs/workflow/adapters/open-adapter.ts';
import { streamRecords } from '../../platform/tables/stream-records.ts';
import { freshDatabase } from '../testkit/database.ts';
import { open, pull, pieces } from './adapters-testkit.ts';

test('sql: rows as PostgreSQL writes them in JSON, through a cursor; `:since` is a parameter, everything where there is none', async () => {
  await using database = await freshDatabase();
  const query = `SELECT i AS id, 'it''s :since' AS text, timestamptz '2026-01-01T00:00:00Z' + i * interval '1 day' AS at, i::numeric / 4 AS part
    FROM generate_series(1, 2500) AS i WHERE timestamptz '2026-01-01T00:00:00Z' + i * interval '1 day' > :since -- all; or what is new
    ORDER BY 1;`;
  const all = await pull({ type: 'sql', url: database.url, query });
  expect(all).toHaveLength(2500);
  expect(all[1]).toEqual({ id: 2, text: "it's :since", at: '2026-01-03T00:00:00+00:00', part: 0.5 });
  expect(await pull({ type: 'sql', url: database.url, query }, '2032-11-01T00:00:00Z')).toHaveLength(4);
  expect((await open({ type: 'sql', url: database.url, query })).incremental).toBe(true);
});

test('sql: it can only read, has a time limit, and what fails says why without the password', async () => {
  await using database = await freshDatabase();
  await database.pool.query(
    `INSERT INTO workflow.trigger (name, type, definition, status) VALUES ('t', 'manual', '{}', 'idle')`,
  );
  for (const [query, message] of [
    ['DELETE FROM workflow.trigger RETURNING name AS id', /syntax error|read-only/],
    ['WITH gone AS (SELECT pg_sleep(30)) SELECT 1 AS id FROM gone', /statement timeout/],
    ['SELECT * FROM nowhere', /nowhere/],
  ] as const) {
    await expect(pull({ type: 'sql', url: database.url, query, timeout_seconds: 1 })).rejects.toThrow(
      expect.objectContaining({ name: 'AdapterFetchError', message: expect.stringMatching(message) }),
    );
  }
  await expect(
    pull({ type: 'sql', url: 'postgres://u:hush@127.0.0.1:1/x', query: 'SELECT 1' }),
  ).rejects.toThrow(expect.objectContaining({ message: expect.not.stringContaining('hush') }));
  expect((await database.pool.query('SELECT 1 FROM workflow.trigger')).rowCount).toBe(1);
});

test("module: JavaScript or TypeScript of a deployment's own, with options, its own types and its own transformation", async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-module-'));
  await writeFile(
    path.join(dir, 'count.mjs'),
    `export default {
    entityType: 'Own', incremental: true,
    async *fetch({ since, options }) { for (let i = 0; i < options.n; i++) yield { i, since }; },
    transform: ({ i, since }) => { if (i === 1) throw new Error('not this one'); return { id: 'm' + i, label: since }; },
  };`,
  );
  await writeFile(path.join(dir, 'half.ts'), 'export const half = (n: number): number => n / 2;');
  await writeFile(
    path.join(dir, 'typed.ts'),
    `import { half } from './half.ts';\ninterface Row { readonly id: string; readonly n: number }
export default { *fetch(): Iterable<Row> { yield { id: 't', n: half(4) }; throw new Error('the line is dead'); } };`,
  );
  await writeFile(path.join(dir, 'none.mjs'), 'export default 7;');
  const own = await openAdapter(
    adapterSchema({ env: {}, directory: dir }).parse({
      name: 'a',
      type: 'module',
      module: './count.mjs',
      options: { n: 2 },
    }),
  );
  expect(own).toMatchObject({ entityType: 'Own', incremental: true });
  expect(own.map({ i: 0, since: 'x' })).toEqual({ id: 'm0', label: 'x' });
  expect(() => own.map({ i: 1 })).toThrow(
    expect.objectContaining({ name: 'AdapterTransformError', message: 'not this one' }),
  );
  expect(
    await pull({ type: 'module', module: './count.mjs', options: { n: 2 } }, '2026-01-01T00:00:00Z', dir),
  ).toEqual([
    { i: 0, since: '2026-01-01T00:00:00Z' },
    { i: 1, since: '2026-01-01T00:00:00Z' },
  ]);
  await expect(pull({ type: 'module', module: './typed.ts' }, null, dir)).rejects.toThrow(
    expect.objectContaining({
      name: 'AdapterFetchError',
      message: expect.stringContaining('the line is dead'),
    }),
  );
  for (const module of ['./none.mjs', './absent.mjs'])
    await expect(pull({ type: 'module', module }, null, dir)).rejects.toThrow(
      expect.objectContaining({ name: 'AdapterFetchError' }),
    );
  await rm(dir, { recursive: true });
});

const streamed = async (text: string, at?: string): Promise<unknown[]> => {
  const records: unknown[] = [];
  for await (const { line: _, ...record } of streamRecords(pieces(text), at)) records.push(record);
  return records;
};

test('json: records come out of a list anywhere in the document; what surrounds it is left', async () => {
  const doc =
    '\uFEFF{"meta":{"list":[1,2],"list2":{"x":[9]}},"a":{"list":[{"id":"ü","n":[1.5,{"k":null}]},7,"x",[]],"after":[[]]},"z":{}}';
  expect(await streamed(doc, 'a.list')).toEqual([
    { row: { id: 'ü', n: [1.5, { k: null }] } },
    { row: 7 },
    { row: 'x' },
    { row: [] },
  ]);
  expect(await streamed('[]')).toEqual([]);
  expect(await streamed('{"a":{"list":[]}}', 'a.list')).toEqual([]);
  expect(await streamed('[{"n":9007199254740993},{"n":1},{"n":1e400},{"n":100000000000000000000}]')).toEqual([
    { fault: expect.stringContaining('9007199254740993') },
    { row: { n: 1 } },
    { fault: expect.stringContaining('1e400') },
    { row: { n: 1e20 } },
  ]);
});

test('json: what is no JSON, ends early, nests too deeply or has no list cannot be read', async () => {
  for (const [text, at] of [
    ['{"a":', undefined],
    ['[1,]', undefined],
    ['[1', undefined],
    ['', undefined],
    ['[1] 2', undefined],
    ['{"a":{"0":1}}', 'a'],
    ['{"b":[]}', 'a'],
    ['"x"', undefined],
    [`${'['.repeat(5000)}${']'.repeat(5000)}`, undefined],
  ] as const) {
    await expect(streamed(text, at), text.slice(0, 20)).rejects.toThrow(
      expect.objectContaining({ name: 'TableFault' }),
    );
  }
});

/** A source of as many empty lists. */
const empties = (count: number) => `[${'[],'.repeat(count)}[]]`;

test('json: small values that take many times their text are refused before they are all there', async () => {
  const limits = { jsonValues: 1000, jsonNames: 50 };
  const records = async (text: string, at?: string): Promise<unknown[]> => {
    const found: unknown[] = [];
    for await (const record of streamRecords(pieces(text, 1000), at, limits)) found.push(record);
    return found;
  };
  await expect(records(`[${empties(1000)}]`)).rejects.toThrow(
    'has more than 1000 values in or before one record',
  );
  await expect(records(`{"beside":${empties(1000)},"list":[]}`, 'list')).rejects.toThrow(
    'has more than 1000 values',
  );
  const names = JSON.stringify(Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`n${i}`, i])));
  await expect(records(`[${names}]`)).rejects.toThrow('has an object of more than 50 names');
  expect(await records(empties(5000))).toHaveLength(5001); // each is a record
});

test('json: two hundred thousand records pass through the memory of a few', async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"items":[');
    for (let i = 0; i < 200_000; i += 100)
      yield Buffer.from(
        `${i > 0 ? ',' : ''}${Array.from({ length: 100 }, (_, j) => JSON.stringify({ id: `s${i + j}`, text: 'x'.repeat(200) })).join(',')}`,
      );
    yield Buffer.from(']}');
  }
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void; // added by the flag
  const used = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  let count = 0;
  let after = Number.POSITIVE_INFINITY;
  for await (const record of streamRecords(endless(), 'items'))
    if ('row' in record && ++count === 190_000) after = used();
  expect(count).toBe(200_000);
  expect(after - before).toBeLessThan(10_000_000); // the document has 50 MB, its parsed values more
});
