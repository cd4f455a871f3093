// `node scripts/run.mjs bench/why.ts [entities] [rounds]` measures causal chains of depth 5 against a recursive query that is
// written by hand for them, over the same rows, in the same rounds, both over HTTP: what brought an entity about, and what a
// request did.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CairnServer, startCairn } from './cairn-server.ts';
import { freePort, Processes } from './processes.ts';
import { seed } from './seed.ts';
import { median } from './statistics.ts';

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const [entities = 100_000, rounds = 5] = process.argv.slice(2).map(Number);
const TYPE = 'Bench';
const DEPTH = 5;
/** Records of each of two runs, the second of which the first one's event fires. */
const RECORDS = 200;
const WARM = 30;
/** In each round. */
const TIMES = 40;
const FIRST = 1000;

const rest = async (
  { url, key }: Pick<CairnServer, 'url' | 'key'>,
  method: string,
  target: string,
): Promise<Response> => fetch(url + target, { method, headers: { 'x-api-key': key } });

async function keysOf(
  server: Pick<CairnServer, 'url' | 'key'>,
  subject: string,
  direction: string,
): Promise<readonly string[]> {
  const query = new URLSearchParams({ subject, direction, depth: String(DEPTH), limit: String(FIRST) });
  const response = await rest(server, 'GET', `/api/v1/gateway/why?${query.toString()}`);
  if (!response.ok) throw new Error(`${subject}: ${response.status} ${await response.text()}`);
  // the shape of the route, and of the baseline
  const { nodes } = (await response.json()) as { nodes: readonly { readonly key: string }[] };
  return nodes.map(({ key }) => key);
}

/** The request that asked for both runs, when they have ended. */
async function run(server: CairnServer): Promise<string> {
  const { headers } = await rest(server, 'POST', '/api/v1/workflow/triggers/first/run');
  const request = `request:${headers.get('x-request-id') ?? ''}`;
  for (;;) {
    const found = await keysOf(server, request, 'forward');
    if (found.includes(`version:1:second-${RECORDS - 1}`)) return request;
    await sleep(200);
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function measure(server: CairnServer, hand: string, subject: string, direction: string): Promise<void> {
  const byHand = (): Promise<readonly string[]> => keysOf({ url: hand, key: '' }, subject, direction);
  const byCairn = (): Promise<readonly string[]> => keysOf(server, subject, direction);
  const [told, expected] = [await byCairn(), await byHand()];
  if (JSON.stringify(told.toSorted()) !== JSON.stringify(expected.toSorted()))
    throw new Error(`${direction}: ${told.length} nodes, and ${expected.length} by hand`);
  for (let i = 0; i < WARM; i++) await Promise.all([byCairn(), byHand()]);
  const ratios: number[] = [];
  const all: { cairn: number[]; hand: number[] } = { cairn: [], hand: [] };
  for (let round = 0; round < rounds; round++) {
    const [cairn, hand]: [number[], number[]] = [[], []];
    for (let i = 0; i < TIMES; i++) {
      cairn.push(await timed(byCairn));
      hand.push(await timed(byHand));
    }
    ratios.push(median(cairn) / median(hand));
    all.cairn.push(...cairn);
    all.hand.push(...hand);
  }
  const [lowest, highest] = [Math.min(...ratios), Math.max(...ratios)];
  say(
    `${direction.padEnd(8)} ${String(told.length).padStart(4)} nodes: ${median(all.cairn).toFixed(2)} ms, by hand ${median(all.hand).toFixed(2)} ms, ratio ${median(ratios).toFixed(2)} (${lowest.toFixed(2)}–${highest.toFixed(2)})`,
  );
}

const directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-why-'));
chmodSync(directory, 0o755); // when this runs as root, PostgreSQL runs as another user
for (const name of ['first', 'second'])
  writeFileSync(
    path.join(directory, `${name}.jsonl`),
    Array.from({ length: RECORDS }, (_, i) => `{"id":"${name}-${i}","name":"${name}"}\n`).join(''),
  );
const processes = new Processes(directory);
try {
  const server = await startCairn(
    processes,
    directory,
    `workflow:
  triggers:
    - {name: first, type: manual, action: {type: ingest, adapter: first}, on_success: done}
    - {name: second, type: internal_event, event: done, action: {type: ingest, adapter: second}}
  adapters:
    - {name: first, type: jsonl, entity_type: ${TYPE}, source: ${directory}/first.jsonl, map: {id: row.id, name: row.name}}
    - {name: second, type: jsonl, entity_type: ${TYPE}, source: ${directory}/second.jsonl, map: {id: row.id, name: row.name}}
`,
  );
  await seed(server, entities, [TYPE]);
  const request = await run(server);
  const port = await freePort();
  const { url } = await processes.start({
    name: 'by-hand',
    args: ['scripts/run.mjs', 'bench/baseline/why-server.ts'],
    env: { PORT: String(port), DATABASE_URL: server.databaseUrl },
    port,
    readyPath: '/',
  });
  await measure(server, url, `version:1:second-${RECORDS - 1}`, 'backward');
  await measure(server, url, request, 'forward');
} finally {
  await processes.stop();
  rmSync(directory, { recursive: true, force: true });
}
