// docs/reference/artifact.md#lists-of-stale-results: two processes look while both inputs of results change, each of them at the
// changes of one input or of both: afterwards each list is what comparing one result after the other tells.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startServer } from '../testkit/server.ts';
import { startProcess } from '../testkit/server-process.ts';
import { plant } from './planted-results.ts';
import { addRule, addSchema, shell } from './production-testkit.ts';
import { field } from './schema-field.ts';

const PAIR = shell(
  'echo $(inputs.reads) $(inputs.age) > out.txt',
  'sample: string\nreads: string\nage: string',
  [
    'uri: {type: File, outputBinding: {glob: out.txt}}',
    "sample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
  ].join('\n'),
);
const IDS = ['x0', 'x1', 'x2', 'x3'];
const ROUNDS = 12;

test('two processes that look at changes of two inputs leave no mark by the old value of one', async () => {
  await using server = await startServer({ transport: 'in-process' });
  const text = (name: string) => field(name, 'string');
  await addSchema(server, { name: 'Sample', version: '1', fields: [text('name'), text('reads')] });
  await addSchema(server, { name: 'Donor', version: '1', fields: [text('name'), text('age')] });
  await addSchema(server, { name: 'Pair', version: '1', fields: [field('uri', 'uri'), text('sample')] });
  await addRule(server, 'pair', PAIR, {
    produces: { entity_type: 'Pair', match: { sample: '{sample}' } },
    requires: [{ ref: 'Sample(name={sample})' }, { ref: 'Donor(name={sample})' }],
  });
  const write = async (type: 'Sample' | 'Donor', name: string, value: string): Promise<void> => {
    const data = { name, [type === 'Sample' ? 'reads' : 'age']: value };
    const body = { entity_type: type, id: `${type}-${name}`, data };
    const { status, text: answer } = await server.rest('POST', '/api/v1/metadata/ingest', { body });
    if (status !== 200) throw new Error(answer);
  };
  for (const id of IDS) {
    await write('Sample', id, 'a');
    await write('Donor', id, 'a');
    const data = { sample: id, uri: `https://files.example/${id}` };
    await plant(server, { entityType: 'Pair', id: `p-${id}`, data, criteria: { sample: id } });
  }
  const dataDir = path.join(server.dataDir, 'other');
  await mkdir(dataDir);
  await writeFile(path.join(dataDir, 'admin-key'), server.key);
  const other = await startProcess({ dataDir, env: { DATABASE_URL: server.database.url } });
  interface Page {
    readonly is_complete: boolean;
    readonly items: readonly { readonly entity_id: string }[];
  }
  const listed = async (url: string | null): Promise<readonly string[]> => {
    const target = '/api/v1/artifact/staleness?limit=1000';
    for (;;) {
      const page =
        url === null
          ? ((await server.rest('GET', target)).body as Page)
          : ((await (await fetch(url + target, { headers: { 'x-api-key': server.key } })).json()) as Page);
      if (page.is_complete) return page.items.map(({ entity_id: id }) => id).toSorted();
    }
  };
  try {
    let seed = 7;
    const random = (most: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % most;
    };
    const seen = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      const value = (): string => (random(2) === 0 ? 'a' : `b${round}`);
      await Promise.all([
        ...IDS.flatMap((id) => [write('Sample', id, value()), write('Donor', id, value())]),
        ...Array.from({ length: 6 }, (_, n) => listed(n % 2 === 0 ? null : other.url)),
      ]);
      const truth: string[] = [];
      for (const id of IDS) {
        const { body } = await server.rest('GET', `/api/v1/artifact/staleness/p-${id}`);
        if ((body as { is_stale: boolean }).is_stale) truth.push(`p-${id}`);
      }
      const both = await Promise.all([listed(null), listed(other.url)]);
      expect([round, ...both]).toEqual([round, truth, truth]);
      seen.add(truth.length);
    }
    expect(seen.size).toBeGreaterThan(1); // not all stale, nor none, in each round
  } finally {
    await other.end('SIGTERM');
  }
});
