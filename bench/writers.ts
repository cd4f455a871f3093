// `node scripts/run.mjs bench/writers.ts [seconds] [rounds]` measures how many entities a second are written through
// one, two and three server processes over one database, one at a time and many a request, as ratios to one process.
// It takes two minutes and is not part of `npm run bench`.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Pool } from 'undici';
import { type CairnServer, startCairn } from './cairn-server.ts';
import { bestGenerator, createLoadGenerator, type LoadRequest } from './load.ts';
import { freePort, Processes } from './processes.ts';
import { median } from './statistics.ts';

const CLIENTS = 64;
const BATCH = 100;
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Another process over the same database. */
async function another(
  processes: Processes,
  directory: string,
  first: CairnServer,
  n: number,
): Promise<string> {
  const [port, config] = [await freePort(), path.join(directory, 'gateway.yaml')];
  const { url } = await processes.start({
    name: `cairn-${n}`,
    args: ['cli/cairn.mjs', 'start'],
    env: {
      CAIRN_CONFIG: config,
      CAIRN_DATA_DIR: path.join(directory, `data-${n}`),
      CAIRN_PORT: String(port),
      DATABASE_URL: first.superuserUrl,
    },
    port,
    readyPath: '/readyz',
  });
  return url;
}

const single: readonly LoadRequest[] = Array.from({ length: 1000 }, (_, i) => ({
  method: 'POST',
  path: '/api/v1/metadata/ingest',
  body: JSON.stringify({ entity_type: 'Written', data: { name: `n${i}`, age: i } }),
}));

const bulk: readonly LoadRequest[] = Array.from({ length: 20 }, (_, k) => ({
  method: 'POST',
  path: '/graphql',
  body: JSON.stringify({
    query:
      'mutation Ingest($entities: [IngestedEntity!]!) { ingestEntities(entities: $entities) { created errors { code } } }',
    variables: {
      entities: Array.from({ length: BATCH }, (_unused, i) => ({
        entityType: 'Written',
        data: { name: `n${k}`, age: i },
      })),
    },
  }),
}));

async function main(): Promise<void> {
  const [seconds = 3, rounds = 5] = process.argv.slice(2).map(Number);
  const directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-writers-'));
  chmodSync(directory, 0o755); // when this runs as root, PostgreSQL runs as another user
  const processes = new Processes(directory);
  const generators = [1, 2, 3].map((n) => {
    const own = path.join(directory, `load-${n}`);
    mkdirSync(own);
    return createLoadGenerator(bestGenerator(), own, new AbortController().signal);
  });
  try {
    const first = await startCairn(processes, directory);
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${first.key}` };
    const pool = new Pool(first.url);
    const registered = await pool.request({
      method: 'POST',
      path: '/api/v1/metadata/schemas',
      headers,
      body: JSON.stringify({
        name: 'Written',
        version: '1',
        fields: [
          { name: 'name', field_type: 'string' },
          { name: 'age', field_type: 'int' },
        ],
      }),
    });
    if (registered.statusCode >= 300) throw new Error(await registered.body.text());
    await registered.body.dump();
    await pool.close();
    const urls = [
      first.url,
      await another(processes, directory, first, 2),
      await another(processes, directory, first, 3),
    ];
    /** Entities a second, or requests with many of them. */
    const through = async (count: number, requests: readonly LoadRequest[]): Promise<number> => {
      const clients = Math.ceil(CLIENTS / count);
      const all = await Promise.all(
        generators
          .slice(0, count)
          .map((load, i) => load.run({ url: urls[i] ?? '', headers, requests, clients, seconds })),
      );
      const failed = all.reduce((sum, one) => sum + one.failed, 0);
      if (failed > 0) throw new Error(`${failed} writes failed`);
      return all.reduce((sum, one) => sum + one.rps, 0);
    };
    for (const [name, requests, each] of [
      ['single', single, 1],
      ['bulk', bulk, BATCH],
    ] as const) {
      const seen: number[][] = [[], [], []];
      await through(3, requests); // warm
      for (let round = 0; round < rounds; round++)
        for (const count of [1, 2, 3]) seen[count - 1]?.push((await through(count, requests)) * each);
      const ratios = [2, 3].map((count) => {
        const of = seen[count - 1]?.map((rps, i) => rps / (seen[0]?.[i] ?? Number.NaN)) ?? [];
        return `${count} processes ${median(of).toFixed(2)} (${Math.min(...of).toFixed(2)}–${Math.max(...of).toFixed(2)})`;
      });
      say(`${name}: 1 process ${Math.round(median(seen[0] ?? []))} entities/s; ${ratios.join('; ')}`);
    }
  } finally {
    await processes.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

await main();
