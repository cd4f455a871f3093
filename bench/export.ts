// `node scripts/run.mjs bench/export.ts [--entities n --rounds n --formats csv,ndjson,…]` measures exports of a
// type against COPY of the same rows, with the same joins.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type CairnServer, startCairn } from './cairn-server.ts';
import { watchMemory } from './memory.ts';
import { Processes } from './processes.ts';
import { seed } from './seed.ts';
import { median } from './statistics.ts';

const TYPE = 'Bench0';
/** At most so many times that of COPY. */
const AIM = 4;

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

interface Taken {
  readonly ms: number;
  readonly bytes: number;
}

const COPY = `COPY (SELECT e.id, e.entity_type, e.data, e.version, c.timestamp AS created_at, u.timestamp AS updated_at, e.is_available
  FROM metadata.entity e JOIN metadata.provenance c ON c.position = e.first_event JOIN metadata.provenance u ON u.position = e.last_event
  WHERE e.entity_type = '${TYPE}' AND e.is_available ORDER BY e.first_event) TO STDOUT (FORMAT csv, HEADER)`;

/** COPY … TO STDOUT, read and counted. pg implements the protocol but provides no function for it. */
async function copied(client: pg.Client): Promise<Taken> {
  const started = performance.now();
  const bytes = await new Promise<number>((resolve, reject) => {
    let sum = 0;
    client.query({
      submit(connection: unknown) {
        // pg passes its connection
        (connection as { query(text: string): void }).query(COPY);
      },
      handleCopyData({ chunk }: { readonly chunk: Buffer }) {
        sum += chunk.length;
      },
      handleCommandComplete() {
        /* the next message ends the query */
      },
      handleError: reject,
      handleReadyForQuery() {
        resolve(sum);
      },
    } as pg.Submittable); // the methods that pg calls
  });
  return { ms: performance.now() - started, bytes };
}

async function exported({ url, key }: CairnServer, format: string): Promise<Taken> {
  const started = performance.now();
  const response = await fetch(`${url}/api/v1/metadata/export/${TYPE}.${format}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  if (!response.ok || response.body === null)
    throw new Error(`${format}: ${response.status} ${await response.text()}`);
  let bytes = 0;
  // a stream of bytes, by its standard
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) bytes += chunk.length;
  return { ms: performance.now() - started, bytes };
}

async function compare(
  server: CairnServer,
  client: pg.Client,
  formats: readonly string[],
  rounds: number,
): Promise<void> {
  const ratios = new Map<string, number[]>(formats.map((format) => [format, []]));
  const memory = watchMemory(server.pid);
  for (let round = 0; round < rounds; round++) {
    const copy = await copied(client);
    const texts = [`COPY ${(copy.ms / 1000).toFixed(2)} s ${Math.round(copy.bytes / 1e6)} MB`];
    for (const format of formats) {
      const { ms, bytes } = await exported(server, format);
      ratios.get(format)?.push(ms / copy.ms);
      texts.push(`${format} ${(ms / 1000).toFixed(2)} s ${Math.round(bytes / 1e6)} MB`);
    }
    say(`round ${round + 1}: ${texts.join(', ')}`);
  }
  const { before, most } = memory.stop();
  for (const [format, values] of ratios) {
    const ratio = median(values);
    say(
      `${format.padEnd(8)} ${ratio.toFixed(2).padStart(6)} × COPY  (${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)})  ≤ ${AIM}: ${ratio <= AIM ? 'met' : 'missed'}`,
    );
  }
  say(`memory of the server: ${before} MiB before, at most ${most} MiB`);
}

const { values } = parseArgs({
  options: {
    entities: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '3' },
    formats: { type: 'string', default: 'csv,ndjson,arrow,parquet,xlsx' },
  },
});
const directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-export-'));
chmodSync(directory, 0o755); // when this runs as root, PostgreSQL runs as another user
const processes = new Processes(directory);
try {
  const server = await startCairn(processes, directory);
  await seed(server, Number(values.entities), [TYPE]);
  const client = new pg.Client(server.databaseUrl);
  await client.connect();
  try {
    await exported(server, 'ndjson'); // warms both sides up
    await compare(server, client, values.formats.split(','), Number(values.rounds));
  } finally {
    await client.end();
  }
} finally {
  await processes.stop();
  rmSync(directory, { recursive: true, force: true });
}
