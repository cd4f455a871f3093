// What the tests of `cairn ingest` share.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CommandLine, run } from './command-line.ts';
import { type Answer, type Asked, platformDouble } from './platform-double.ts';

export const cwd = mkdtempSync(path.join(tmpdir(), 'cairn-ingest-'));
// Files of a worker share their modules, so the folder lives as long as the worker.
process.once('exit', () => rmSync(cwd, { recursive: true, force: true }));

const SCHEMAS: Record<string, unknown> = {
  Sample: {
    name: 'Sample',
    parent: 'Thing',
    fields: [
      { name: 'age', field_type: 'integer' },
      { name: 'height', field_type: 'float' },
      { name: 'living', field_type: 'bool' },
      { name: 'tags', field_type: 'string', many: true },
      { name: 'extra', field_type: 'json' },
    ],
  },
  Holder: { name: 'Holder', fields: [{ name: 'data', field_type: 'json' }] },
  Thing: {
    name: 'Thing',
    fields: [
      { name: 'rank', field_type: 'int' },
      { name: 'code', field_type: 'string' },
    ],
  },
};

interface Sent {
  readonly entity_type?: string;
  readonly id?: string;
  readonly data: Record<string, unknown>;
}

/** Stores nothing: refuses what is named `bad`, tells `old` as unchanged and `known` as updated. */
function outcomeOf(row: Sent, i: number): Record<string, unknown> {
  const named = row.id ?? row.data['id'];
  const id = typeof named === 'string' ? named : `generated-${i}`;
  if (id.startsWith('bad'))
    return {
      row: i,
      line: i + 1,
      id,
      code: 422,
      message: `field age of ${id} must be an integer`,
      details: { failures: [{ input_context: { field: 'age' } }] },
    };
  const change = id.startsWith('old') ? 'unchanged' : id.startsWith('known') ? 'updated' : 'created';
  return { row: i, line: i + 1, id, version: 1, change };
}

export function answered(rows: readonly Sent[]): Answer {
  const outcomes = rows.map(outcomeOf);
  const count = (change: string): number => outcomes.filter((one) => one['change'] === change).length;
  const [created, updated, unchanged] = ['created', 'updated', 'unchanged'].map(count);
  const failed = outcomes.filter((one) => 'code' in one).length;
  return {
    status: failed > 0 ? 207 : 200,
    body: { data: { outcomes, created, updated, unchanged, failed }, error: null, meta: {} },
  };
}

export const BULK = '/api/v1/metadata/ingest/bulk';

export const rowsIn = ({ text }: Asked): Sent[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Sent);

export function platform(asked: Asked): Answer {
  const schema = /^\/api\/v1\/metadata\/schemas\/(.+)$/.exec(asked.path)?.[1];
  if (schema !== undefined) {
    const found = SCHEMAS[schema];
    return found === undefined
      ? { status: 404, body: { data: null, error: { code: 404, message: 'schema not found' }, meta: {} } }
      : { body: { data: found, error: null, meta: {} } };
  }
  if (asked.path === '/api/v1/metadata/schemas')
    return { body: { data: Object.values(SCHEMAS), error: null, meta: {} } };
  return answered(rowsIn(asked));
}

export const file = (name: string, content: string | Buffer): string => {
  writeFileSync(path.join(cwd, name), content);
  return name;
};

interface Ingested {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly rows: readonly Sent[];
  readonly asked: readonly Asked[];
}

export async function ingested(
  args: string[],
  line: CommandLine = {},
  answer: (asked: Asked) => Answer = platform,
): Promise<Ingested> {
  await using double = await platformDouble(answer);
  const result = await run(['ingest', ...args, '--url', double.url, '--key', 'k'], { cwd, ...line });
  const asked = double.asked.filter((one) => one.path === BULK);
  return { ...result, asked, rows: asked.flatMap(rowsIn) };
}

export const TYPE = ['--type', 'Sample'];

export const row = (id: string, data: Record<string, unknown> = {}): Sent => ({
  entity_type: 'Sample',
  id,
  data,
});
