// `npm run bench [-- <case>… --json --entities n --rounds n --seconds n --clients n --load wrk|autocannon]`
// compares Cairn with baselines in one run, side by side.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { apart } from './apart-cases.ts';
import { type Case, createCases } from './cases.ts';
import { startContenders } from './contenders.ts';
import { bestGenerator, createLoadGenerator, GENERATORS, type GeneratorName } from './load.ts';
import { measure, type Settings } from './measure.ts';
import { Processes } from './processes.ts';
import { jsonReport, type Result, tableReport } from './report.ts';

class Usage extends Error {}
class Interrupted extends Error {}

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new Usage(`--${name} must be a number from 1 on, not ${text}`);
  return value;
}

interface Wish {
  readonly cases: readonly Case[];
  readonly json: boolean;
  readonly entities: number;
  readonly load: GeneratorName;
  readonly settings: Settings;
}

function readArguments(args: string[]): Wish {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      entities: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      clients: { type: 'string', default: '32' },
      load: { type: 'string', default: bestGenerator() },
    },
  });
  const entities = positive('entities', values.entities);
  const together = createCases(entities);
  const all = [...together, ...apart(together)];
  const cases =
    positionals.length === 0
      ? all
      : positionals.map((name) => {
          const found = all.find((subject) => subject.name === name);
          if (!found)
            throw new Usage(
              `there is no case ${name}; there are ${all.map((subject) => subject.name).join(', ')}`,
            );
          return found;
        });
  const load = GENERATORS.find((name) => name === values.load);
  if (!load) throw new Usage(`--load must be one of ${GENERATORS.join(', ')}, not ${values.load}`);
  const settings = {
    rounds: positive('rounds', values.rounds),
    seconds: positive('seconds', values.seconds),
    clients: positive('clients', values.clients),
  };
  return { cases, json: values.json, entities, load, settings };
}

async function bench(
  { cases, json, entities, load: generator, settings }: Wish,
  directory: string,
  processes: Processes,
  signal: AbortSignal,
): Promise<void> {
  const load = createLoadGenerator(generator, directory, signal);
  const servers = await startContenders(processes, directory, cases, entities, say);
  say(`load by ${load.name}; ${settings.rounds} rounds of ${settings.seconds} s a side`);
  const results: Result[] = [];
  for (const subject of cases) {
    signal.throwIfAborted();
    results.push({ subject, comparisons: await measure(subject, servers, load, settings, say) });
  }
  process.stdout.write(`${json ? jsonReport(results) : tableReport(results)}\n`);
}

async function main(): Promise<number> {
  const wish = readArguments(process.argv.slice(2));
  const directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-bench-'));
  chmodSync(directory, 0o755); // when this runs as root, PostgreSQL runs as another user
  const processes = new Processes(directory);
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => interrupted.abort(new Interrupted(`stopped by ${name}`)));
  const aborted = new Promise<never>((_, reject) => {
    // aborted with an Interrupted, above
    interrupted.signal.addEventListener('abort', () => reject(interrupted.signal.reason as Error));
  }); // set above
  try {
    await Promise.race([bench(wish, directory, processes, interrupted.signal), aborted]);
    return 0;
  } finally {
    await processes.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Exit status 130: stopped by a signal; 2: incorrect usage; 1: anything else. */
function fail(error: unknown): never {
  // errors of parseArgs
  const isUsage = error instanceof Usage || (error instanceof TypeError && 'code' in error);
  const isInterrupted = error instanceof Interrupted;
  const isExpected = isUsage || isInterrupted;
  const text =
    error instanceof Error ? ((isExpected ? undefined : error.stack) ?? error.message) : String(error);
  say(`bench: ${text}`);
  if (isInterrupted) process.exit(130);
  process.exit(isUsage ? 2 : 1);
}

main().then((status) => process.exit(status), fail);
