// `node scripts/run.mjs bench/workflow.ts` measures accepted webhooks, a CSV ingest, a thousand idle
// schedules, and how long a run waits. It takes two minutes and is not part of `npm run bench`.
import { createHmac } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { type CairnServer, startCairn } from './cairn-server.ts';
import { freePort, Processes } from './processes.ts';
import { median } from './statistics.ts';

const SECRET = 'of the benchmark';
const ROWS = 100_000;
const CLIENTS = 32;
const DELIVERIES = 2000;
const ROUNDS = 5;
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

type Body = Readonly<Record<string, unknown>>;
async function ask({ url, key }: CairnServer, target: string, body?: unknown): Promise<Body> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(
    `${url}${target}`,
    body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
  );
  const answer = (await response.json()) as Body; // every response of the platform is an object
  if (!response.ok || ('data' in answer && answer['errors'] !== undefined))
    throw new Error(`${target}: ${response.status} ${JSON.stringify(answer).slice(0, 500)}`);
  return answer;
}

let serial = 0;
/** Measures deliveries per second of one side. Every body is different, so that each delivery is accepted. */
async function deliver(pool: Pool, target: string): Promise<number> {
  const sent = Array.from({ length: DELIVERIES }, () =>
    JSON.stringify({ kind: 'done', sample: { id: `s${++serial}`, depth: 30 }, note: 'x'.repeat(200) }),
  );
  const started = performance.now();
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (let body = sent.pop(); body !== undefined; body = sent.pop()) {
        const headers = {
          'content-type': 'application/json',
          'x-signature': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
        };
        const response = await pool.request({ path: target, method: 'POST', headers, body });
        // JSON of a webhook's answer
        const answer = (await response.body.json()) as { status?: string };
        if (answer.status !== 'accepted')
          throw new Error(`${target}: ${response.statusCode} ${JSON.stringify(answer)}`);
      }
    }),
  );
  return DELIVERIES / ((performance.now() - started) / 1000);
}

async function webhooks(cairn: CairnServer, byHand: string): Promise<void> {
  const [ours, theirs] = [
    new Pool(cairn.url, { connections: CLIENTS }),
    new Pool(byHand, { connections: CLIENTS }),
  ];
  const ratios: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const sides =
      round % 2 === 0
        ? [await deliver(ours, '/api/v1/workflow/hooks/bench'), await deliver(theirs, '/')]
        : [await deliver(theirs, '/'), await deliver(ours, '/api/v1/workflow/hooks/bench')].reverse();
    const [a = 0, b = 1] = sides;
    if (round > 0) {
      ratios.push(a / b);
      rates.push(a);
    } // the first is a warm-up
  }
  say(`webhooks accepted          ${median(ratios).toFixed(2)} × by hand   ${median(rates).toFixed(0)}/s`);
  await Promise.all([ours.close(), theirs.close()]);
}

async function ended(cairn: CairnServer, runId: string): Promise<Body> {
  for (;;) {
    const run = await ask(cairn, `/api/v1/workflow/runs/${runId}`);
    if (run['status'] !== 'queued' && run['status'] !== 'running') return run;
    await sleep(100);
  }
}

const INGEST =
  'mutation Ingest($entities: [IngestedEntity!]!) { ingestEntities(entities: $entities) { created errors { message } } }';

async function csv(cairn: CairnServer): Promise<void> {
  const { run_id: runId } = await ask(cairn, '/api/v1/workflow/triggers/csv/run', {});
  const run = await ended(cairn, String(runId));
  if (run['records_created'] !== ROWS) throw new Error(JSON.stringify(run).slice(0, 500));
  const seconds = (Date.parse(String(run['finished_at'])) - Date.parse(String(run['started_at']))) / 1000;
  const started = performance.now();
  for (let from = 0; from < ROWS; from += 500) {
    await ask(cairn, '/graphql', {
      query: INGEST,
      variables: {
        entities: Array.from({ length: 500 }, (_, i) => ({
          entityType: 'Reading',
          data: { id: `bulk-${from + i}`, name: `reading ${from + i}`, depth: i },
        })),
      },
    });
  }
  const bulk = (performance.now() - started) / 1000;
  say(
    `CSV of ${ROWS} rows         ${(bulk / seconds).toFixed(2)} × bulk ingest through the API   ${(ROWS / seconds).toFixed(0)} rows/s`,
  );
}

/** Returns the seconds of CPU time that a process has used. */
const processorSeconds = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

async function idle(cairn: CairnServer, label: string): Promise<void> {
  const before = processorSeconds(cairn.pid);
  await sleep(10_000);
  say(`${label.padEnd(26)} ${((processorSeconds(cairn.pid) - before) * 10).toFixed(1)} % of a processor`);
}

async function latency(cairn: CairnServer): Promise<void> {
  const waits: number[] = [];
  for (let i = 0; i < 50; i++) {
    const { run_id: runId } = await ask(cairn, '/api/v1/workflow/triggers/nothing/run', {});
    const run = await ended(cairn, String(runId));
    waits.push(Date.parse(String(run['started_at'])) - Date.parse(String(run['queued_at'])));
  }
  say(
    `from commit to work         ${median(waits).toFixed(1)} ms in the middle, ${Math.max(...waits).toFixed(0)} ms at most`,
  );
}

async function main(directory: string, processes: Processes): Promise<void> {
  const file = path.join(directory, 'rows.csv');
  writeFileSync(
    file,
    `id,name,depth\n${Array.from({ length: ROWS }, (_, i) => `csv-${i},reading ${i},${i % 100}\n`).join('')}`,
  );
  const port = await freePort();
  const schedules = Array.from(
    { length: 1000 },
    (_, i) =>
      `    - {name: s${i}, type: schedule, schedule: "${i % 60} ${i % 24} 1 1 *", action: {type: ingest, adapter: nothing}}`,
  ).join('\n');
  const cairn = await startCairn(
    processes,
    directory,
    `
workflow:
  triggers:
    - {name: csv, type: manual, action: {type: ingest, adapter: csv}}
    - {name: nothing, type: manual, action: {type: ingest, adapter: nothing}}
    - {name: bench, type: webhook, path: hooks/bench, secret_env: WEBHOOK_SECRET, when: 'event.kind == "done"', action: {type: ingest, adapter: never}}
${schedules}
  adapters:
    - {name: csv, type: csv, entity_type: Reading, source: ${file}, map: {id: row.id, name: row.name, depth: int(row.depth)}}
    - {name: nothing, type: jsonl, entity_type: Reading, source: /dev/null, map: {id: row.id}}
    - {name: never, type: jsonl, entity_type: Reading, source: "http://127.0.0.1:${port}/never", timeout_seconds: 3600, map: {id: row.id}}
`,
    { WEBHOOK_SECRET: SECRET },
  );
  const { url } = await processes.start({
    name: 'by-hand',
    args: ['scripts/run.mjs', 'bench/baseline/webhook-server.ts'],
    env: { PORT: String(port), DATABASE_URL: cairn.databaseUrl, WEBHOOK_SECRET: SECRET },
    port,
    readyPath: '/',
  });
  await ask(cairn, '/api/v1/metadata/schemas', {
    name: 'Reading',
    version: '1',
    fields: [
      { name: 'name', field_type: 'string' },
      { name: 'depth', field_type: 'int' },
    ],
  });
  await sleep(15_000); // each schedule is checked once at the start
  await idle(cairn, '1000 schedules idle at');
  await latency(cairn);
  await csv(cairn);
  await webhooks(cairn, url); // last, because its runs wait for a source that never responds
}

const directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-bench-'));
chmodSync(directory, 0o755); // when this runs as root, PostgreSQL runs as another user
const processes = new Processes(directory);
try {
  await main(directory, processes);
} finally {
  await processes.stop();
  rmSync(directory, { recursive: true, force: true });
}
process.exit(0);
