// `node scripts/run.mjs bench/writers.ts [seconds] [rounds]` measures how many entities a second are written through
// one, two and three server processes over one database, one at a time and many a request, as ratios to one process, and
// what an entity costs in processor time. It takes five minutes and is not part of `npm run bench`.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startAnother, startCairn } from './cairn-server.ts';
import { bestGenerator, createLoadGenerator, type LoadGenerator, type LoadRequest } from './load.ts';
import { Processes, type Started } from './processes.ts';
import { idleSeconds, secondsOf, secondsWithChildren } from './processor-time.ts';
import { median } from './statistics.ts';

const CLIENTS = 64;
const BATCH = 100;
const WARM_ROUNDS = 4;
/** A process that had nothing to do has given memory and compiled code back, and needs a while until it is as fast as it was. */
const AWAKE_SECONDS = 4;
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

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

interface Kind {
  readonly name: string;
  readonly requests: readonly LoadRequest[];
  /** Entities of a request. */
  readonly each: number;
}

const KINDS: readonly Kind[] = [
  { name: 'single', requests: single, each: 1 },
  { name: 'bulk', requests: bulk, each: BATCH },
];

/** Sums since the start, of all processes. */
interface Spent {
  /** Seconds of processor time. */
  readonly servers: number;
  readonly postgres: number;
  readonly idle: number;
  /** Transactions of the log, and writes in them. */
  readonly batches: number;
  readonly batched: number;
}

interface Measured {
  /** Entities a second. */
  readonly rate: number;
  readonly p50: number;
  /** Microseconds of processor time for one entity. */
  readonly servers: number;
  readonly postgres: number;
  /** Processors that had nothing to do. */
  readonly idle: number;
  /** Writes in one transaction. */
  readonly batch: number;
}

interface Measurable {
  readonly servers: readonly Started[];
  readonly postmaster: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly generators: readonly LoadGenerator[];
}

async function spent({ servers, postmaster, headers }: Measurable): Promise<Spent> {
  const metrics = await Promise.all(
    servers.map(async ({ url }) => (await fetch(`${url}/api/v1/gateway/metrics`, { headers })).text()),
  );
  const sum = (name: string): number =>
    metrics.reduce(
      (all, text) => all + Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1] ?? Number.NaN),
      0,
    );
  return {
    servers: servers.reduce((all, { pid }) => all + secondsOf(pid), 0),
    postgres: secondsWithChildren(postmaster),
    idle: idleSeconds(),
    batches: sum('cairn_log_batch_writes_count'),
    batched: sum('cairn_log_batch_writes_sum'),
  };
}

/** Writes through the first `count` processes. */
async function through(
  count: number,
  { requests, each }: Kind,
  seconds: number,
  measurable: Measurable,
): Promise<Measured> {
  const { servers, headers, generators } = measurable;
  const clients = Math.ceil(CLIENTS / count);
  const before = await spent(measurable);
  const all = await Promise.all(
    generators
      .slice(0, count)
      .map((load, i) => load.run({ url: servers[i]?.url ?? '', headers, requests, clients, seconds })),
  );
  const after = await spent(measurable);
  const failed = all.reduce((sum, one) => sum + one.failed, 0);
  if (failed > 0) throw new Error(`${failed} writes failed`);
  const rate = all.reduce((sum, one) => sum + one.rps, 0) * each;
  const micros = (key: 'servers' | 'postgres'): number =>
    ((after[key] - before[key]) * 1e6) / (rate * seconds);
  return {
    rate,
    p50: median(all.map((one) => one.p50)),
    servers: micros('servers'),
    postgres: micros('postgres'),
    idle: (after.idle - before.idle) / seconds,
    batch: (after.batched - before.batched) / (after.batches - before.batches),
  };
}

const COUNTS = [1, 2, 3] as const;

async function measure(kind: Kind, seconds: number, rounds: number, measurable: Measurable): Promise<void> {
  const seen: Measured[][] = COUNTS.map(() => []);
  // until the code of each is compiled
  for (let i = 0; i < WARM_ROUNDS; i++) await through(COUNTS.length, kind, seconds, measurable);
  for (let round = 0; round < rounds; round++)
    for (const [i, count] of COUNTS.entries()) {
      await through(count, kind, AWAKE_SECONDS, measurable);
      seen[i]?.push(await through(count, kind, seconds, measurable));
    }
  for (const [i, all] of seen.entries()) {
    const ratios = all.map(({ rate }, round) => rate / (seen[0]?.[round]?.rate ?? Number.NaN));
    const of = (key: keyof Measured): number => median(all.map((one) => one[key]));
    say(
      `${kind.name}, processes ${COUNTS[i]}: ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}), ` +
        `${of('rate').toFixed(0)} entities/s, p50 ${of('p50').toFixed(1)} ms; for one ${of('servers').toFixed(0)} µs of Cairn and ${of('postgres').toFixed(0)} µs of PostgreSQL; ` +
        `${of('batch').toFixed(1)} writes a transaction; ${of('idle').toFixed(2)} processors idle`,
    );
  }
}

async function register(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const registered = await fetch(`${url}/api/v1/metadata/schemas`, {
    method: 'POST',
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
  if (!registered.ok) throw new Error(await registered.text());
}

async function main(): Promise<void> {
  const [seconds = 3, rounds = 5] = process.argv.slice(2).map(Number);
  const directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-writers-'));
  chmodSync(directory, 0o755); // when this runs as root, PostgreSQL runs as another user
  const processes = new Processes(directory);
  const generators = COUNTS.map((n) => {
    const own = path.join(directory, `load-${n}`);
    mkdirSync(own);
    return createLoadGenerator(bestGenerator(), own, new AbortController().signal);
  });
  try {
    const first = await startCairn(processes, directory);
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${first.key}` };
    await register(first.url, headers);
    const servers = [
      first,
      await startAnother(processes, directory, first, '2'),
      await startAnother(processes, directory, first, '3'),
    ];
    const pidFile = path.join(directory, 'data', 'postgres', 'cluster', 'postmaster.pid');
    const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    for (const kind of KINDS)
      await measure(kind, seconds, rounds, { servers, postmaster, headers, generators });
  } finally {
    await processes.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

await main();
