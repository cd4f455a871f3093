// A sheet as other projects have it goes in by one command, with exact counts (docs/cli.md#tables): 4,978 rows,
// lines that end with CR LF, a quoted last column, headers with spaces.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse as parseYaml } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';
import { run } from '../cli/command-line.ts';

const ROWS = 4978;
const HEADER =
  'Sample name,Donor ID,Collection date,Sex,Age at sampling,Tissue type,Mother,Volume (ml),Free text';

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const nameOf = (i: number): string => `SAMEA${1_000_000 + i}`;
const noteOf = (i: number): string =>
  i % 50 === 0 ? `line one, of ${i}\r\n"line two"` : `taken by hand; sample no. ${i}`;

interface SheetOptions {
  /** Rows with another age. */
  readonly older?: (i: number) => boolean;
  /** Rows with a sex that is no word of the schema. */
  readonly broken?: (i: number) => boolean;
  readonly rows?: number;
}

const sheet = ({ older = () => false, broken = () => false, rows = ROWS }: SheetOptions = {}): string =>
  [
    HEADER,
    ...Array.from({ length: rows }, (_, i) =>
      [
        nameOf(i),
        `D ${i % 1203}`,
        `20${String(10 + (i % 15))}-0${(i % 9) + 1}-1${i % 10}`,
        broken(i) ? 'unclear' : ['female', 'male', ''][i % 3],
        i % 7 === 0 ? '' : String((i % 90) + (older(i) ? 1 : 0)),
        ['blood', 'liver', 'skin', 'lung'][i % 4],
        i > 100 && i % 11 === 0 ? nameOf(i - 100) : '',
        (i / 8).toFixed(3),
        quoted(noteOf(i)),
      ].join(','),
    ),
    '',
  ].join('\r\n');

describe('a sheet of 4,978 rows', () => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'cairn-tables-in-'));
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(cwd, { recursive: true });
  });
  const cairn = (...args: string[]) => run([...args, '--url', server.url, '--key', server.key], { cwd });
  const counts = async (...args: string[]): Promise<unknown> => {
    const { stdout } = await cairn('ingest', ...args, '--type', 'Sample', '--id', 'Sample name', '--json');
    const { created, updated, unchanged, failed, reasons } = JSON.parse(stdout) as Record<string, unknown>;
    return { created, updated, unchanged, failed, ...(failed === 0 ? {} : { reasons }) };
  };
  const all = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const write = (name: string, options?: SheetOptions): string => {
    writeFileSync(path.join(cwd, name), sheet(options));
    return name;
  };

  test('proposes its own schema, which can be registered as it is', async () => {
    const inferred = await cairn(
      'schemas',
      'infer',
      write('sheet.csv'),
      '--type',
      'Sample',
      '-o',
      'sample.yaml',
    );
    expect([inferred.status, inferred.stderr]).toEqual([0, '']);
    const text = readFileSync(path.join(cwd, 'sample.yaml'), 'utf8');
    expect(text).toContain("# cairn ingest sheet.csv --type Sample --id 'Sample name'");
    expect(text).toContain('# column "Sample name": all rows have a value, 4978 different: the id');
    expect(text).toContain('all 443 different values are ids in column "Sample name"');
    expect(parseYaml(text)).toEqual({
      name: 'Sample',
      version: '1.0.0',
      fields: [
        { name: 'donor_id', field_type: 'string', required: true },
        { name: 'collection_date', field_type: 'date', required: true },
        { name: 'sex', field_type: 'enum', values: ['female', 'male'] },
        { name: 'age_at_sampling', field_type: 'int' },
        {
          name: 'tissue_type',
          field_type: 'enum',
          values: ['blood', 'liver', 'lung', 'skin'],
          required: true,
        },
        { name: 'mother', field_type: 'ref', references: 'Sample' },
        { name: 'volume_ml', field_type: 'float', required: true },
        { name: 'free_text', field_type: 'string', required: true, unique: true },
      ],
    });
    expect((await cairn('schemas', 'register', 'sample.yaml')).status).toBe(0);
  });

  test('is checked by a dry run, loaded completely, and changes nothing when it is loaded again', async () => {
    expect(await counts('sheet.csv', '--dry-run')).toEqual({ ...all, created: ROWS });
    const { body: none } = await server.rest('GET', '/api/v1/metadata/entities?entity_type=Sample&limit=1');
    expect(none.data.total).toBe(0);
    expect(await counts('sheet.csv')).toEqual({ ...all, created: ROWS });
    const { body } = await server.rest('GET', '/api/v1/metadata/entities?entity_type=Sample&limit=1');
    expect(body.data.total).toBe(ROWS);
    for (const i of [0, 1, 50, 2222, ROWS - 1]) {
      const { body: one } = await server.rest('GET', `/api/v1/metadata/entities/${nameOf(i)}`);
      expect([one.data.version, one.data.data]).toEqual([
        1,
        expect.objectContaining({ donor_id: `D ${i % 1203}`, volume_ml: i / 8, free_text: noteOf(i) }),
      ]);
    }
    expect(await counts('sheet.csv')).toEqual({ ...all, unchanged: ROWS });
    expect(await counts('sheet.csv', '--dry-run')).toEqual({ ...all, unchanged: ROWS });
  });

  test('what was corrected in it is updated, what is new created, what is wrong refused by line and column', async () => {
    const file = write('later.csv', {
      rows: ROWS + 5,
      older: (i) => i % 700 === 1,
      broken: (i) => i % 1000 === 3,
    });
    const told = {
      created: 5,
      updated: 8,
      unchanged: ROWS - 13,
      failed: 5,
      reasons: [
        expect.objectContaining({
          count: 5,
          column: 'Sex',
          message: 'field sex must be one of female, male',
          lines: [3, 1003, 2003, 3003, 4003].map(lineOf),
        }),
      ],
    };
    expect(await counts(file, '--dry-run')).toEqual(told);
    expect(await counts(file, '--all-or-nothing')).toEqual({ ...told, created: 0, updated: 0, unchanged: 0 });
    expect(await counts(file, '--rejects', 'rejects.csv')).toEqual(told);
    const { body } = await server.rest('GET', '/api/v1/metadata/entities?entity_type=Sample&limit=1');
    expect(body.data.total).toBe(ROWS + 5);
    const rejected = readFileSync(path.join(cwd, 'rejects.csv'), 'utf8');
    writeFileSync(path.join(cwd, 'corrected.csv'), rejected.replaceAll('unclear', 'female'));
    expect(await counts('corrected.csv')).toMatchObject({ created: 0, failed: 0 });
  });

  test('a fault that all rows have stops the load, though some have others beside it', async () => {
    const text = sheet({ broken: () => true }).replaceAll(/,(\d0)?,blood,/g, ',old,blood,');
    writeFileSync(path.join(cwd, 'wrong.csv'), text);
    const { status, stderr } = await cairn('ingest', 'wrong.csv', '--type', 'Sample', '--id', 'Sample name');
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^cairn: stopped after 100 rows, 0 of them accepted: .* for one reason: field sex must be one of female, male \(column "Sex"\)\. Correct/,
      ),
    ]);
    const all = await cairn('ingest', 'wrong.csv', '--type', 'Sample', '--id', 'Sample name', '--keep-going');
    expect(all.stderr).toContain(
      'column "Sex, Age at sampling": field sex must be one of female, male; field age_at_sampling must be an integer',
    );
  });
});

/** Every fiftieth row has two lines. */
const lineOf = (i: number): number => i + 2 + Math.floor((i + 49) / 50);
