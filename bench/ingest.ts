// `node scripts/run.mjs bench/ingest.ts [--entities n --rounds n]` measures `cairn ingest` of a file against the client
// library's bulk ingest of the same rows, each a process of its own, starting included.
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { projectRoot } from '../platform/project-root.ts';
import { startCairn } from './cairn-server.ts';
import { Processes } from './processes.ts';
import { dataOf, seed } from './seed.ts';
import { median } from './statistics.ts';

const TYPE = 'Bench0';
/** At least so much of the client library's speed. */
const AIM = 0.8;
const WARM_UP = 1000;

const run = promisify(execFile);
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const { values } = parseArgs({
  options: {
    entities: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '3' },
  },
});
const [entities, rounds] = [Number(values.entities), Number(values.rounds)];

/** What loads a file of so many rows. */
type Load = (file: string, env: Readonly<Record<string, string>>) => Promise<unknown>;
const byLibrary =
  (concurrency: number): Load =>
  (file, env) =>
    run(process.execPath, ['scripts/run.mjs', 'bench/baseline/client-ingest.ts'], {
      cwd: projectRoot,
      env: { ...env, FILE: file, TYPE, CONCURRENCY: String(concurrency) },
    });
const byCommand =
  (concurrency: number): Load =>
  (file, env) =>
    run(
      process.execPath,
      ['cli/cairn.mjs', 'ingest', file, '--type', TYPE, '--id', 'id', '-c', String(concurrency)],
      { cwd: projectRoot, env },
    );
/** The command's default is one request at a time, which keeps the order of rows, the library's are four. */
const SIDES: Readonly<Record<string, Load>> = {
  'client library -c 1': byLibrary(1),
  'cairn ingest -c 1': byCommand(1),
  'client library -c 4': byLibrary(4),
  'cairn ingest -c 4': byCommand(4),
};

const directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-ingest-'));
chmodSync(directory, 0o755); // when this runs as root, PostgreSQL runs as another user
const processes = new Processes(directory);
let serial = 0;
/** A file of new rows. */
function fileOf(count: number): string {
  const file = path.join(directory, 'rows.ndjson');
  const lines = Array.from({ length: count }, () => {
    const n = ++serial;
    return `${JSON.stringify({ id: `loaded-${n}`, ...dataOf(n) })}\n`;
  });
  writeFileSync(file, lines.join(''));
  return file;
}

try {
  const server = await startCairn(processes, directory);
  await seed(server, 1000, [TYPE]);
  const env = { ...process.env, CAIRN_URL: server.url, CAIRN_KEY: server.key };
  for (const load of Object.values(SIDES)) await load(fileOf(WARM_UP), env);
  const rates = new Map<string, number[]>(Object.keys(SIDES).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const sides = Object.entries(SIDES);
    for (const [name, load] of round % 2 === 0 ? sides : sides.reverse()) {
      const file = fileOf(entities);
      const started = performance.now();
      await load(file, env);
      const rate = entities / ((performance.now() - started) / 1000);
      rates.get(name)?.push(rate);
      say(`round ${round + 1}: ${name}: ${rate.toFixed(0)} rows/s`);
    }
  }
  for (const concurrency of [1, 4]) {
    const name = `cairn ingest -c ${concurrency}`;
    const baseline = rates.get(`client library -c ${concurrency}`) ?? [];
    const ratios = (rates.get(name) ?? []).map((rate, i) => rate / (baseline[i] ?? Number.NaN));
    const ratio = median(ratios);
    say(
      `${name.padEnd(20)} ${ratio.toFixed(2)} of the client library (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})  ≥ ${AIM}: ${ratio >= AIM ? 'met' : 'missed'}`,
    );
  }
} finally {
  await processes.stop();
  rmSync(directory, { recursive: true, force: true });
}
