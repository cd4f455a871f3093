// `node scripts/run.mjs bench/artifact.ts [--rounds 5] [--seconds 3]` compares resolution with hand-written
// SQL and with many rules, and registration with cwltool. It takes some minutes and is not part of `npm run
// bench`.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import pg from 'pg';
import { type CairnServer, startCairn } from './cairn-server.ts';
import {
  bestGenerator,
  createLoadGenerator,
  isOnPath,
  type LoadGenerator,
  type LoadRequest,
} from './load.ts';
import { freePort, Processes } from './processes.ts';
import { assertSameAnswers, type Side } from './same-answers.ts';
import { dataOf, seed, TYPES } from './seed.ts';
import { median, ratioOf, type Round } from './statistics.ts';

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '3' } },
});
const [ROUNDS, SECONDS] = [Number(options.rounds), Number(options.seconds)];
const CLIENTS = 16;
const ENTITIES = 20_000;
const RULES = 10_000;
/**
 * The number of rules that produce the requested type, each another kind: matching has to exclude all but
 * one.
 */
const RULES_OF_TYPE = 1000;
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const tool = (id: string, outputs: string): string => `
  - id: ${id}
    class: CommandLineTool
    baseCommand: [echo, hello]
    stdout: out.txt
    inputs: {sample: {type: string, inputBinding: {position: 1}}, kind: {type: string, default: plain}}
    outputs: ${outputs}`;
const OUTPUTS =
  "{uri: {type: File, outputBinding: {glob: out.txt}}, sample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}, kind: {type: string, outputBinding: {outputEval: '$(inputs.kind)'}}}";

/** A workflow of three steps, which is small for a realistic workflow. */
const WORKFLOW = `cwlVersion: v1.2
$graph:
  - id: main
    class: Workflow
    inputs: {sample: string, kind: {type: string, default: plain}}
    outputs: {uri: {type: File, outputSource: third/uri}, sample: {type: string, outputSource: third/sample}, kind: {type: string, outputSource: third/kind}}
    steps:
      first: {run: '#echo', in: {sample: sample, kind: kind}, out: [uri, sample, kind]}
      second: {run: '#echo', in: {sample: first/sample, kind: first/kind}, out: [uri, sample, kind]}
      third: {run: '#last', in: {sample: second/sample, kind: second/kind}, out: [uri, sample, kind]}${tool('echo', OUTPUTS)}${tool('last', OUTPUTS)}
`;

const RULE = {
  name: 'made',
  produces: { entity_type: 'Made', match: { sample: '{sample}', kind: 'k0' } },
  execute: { cwl_content: Buffer.from(WORKFLOW).toString('base64') },
};

type Body = Readonly<Record<string, unknown>>;
const headersOf = ({ key }: CairnServer): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
});
async function ask(server: CairnServer, target: string, body: unknown): Promise<Body> {
  const response = await fetch(server.url + target, {
    method: 'POST',
    headers: headersOf(server),
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Body; // every response of the platform is an object
  if (!response.ok) throw new Error(`${target}: ${response.status} ${JSON.stringify(answer).slice(0, 500)}`);
  return answer;
}

/** Inserts rules as registration does, all with the same workflow. */
const MANY = `INSERT INTO artifact.rule (name, version, definition, status, scope, cwl_hash, registered_by)
  SELECT 'other-' || n, 1, jsonb_set(jsonb_set(r.definition, '{name}', to_jsonb('other-' || n)), '{produces}', jsonb_build_object('entity_type', CASE WHEN n < $2 THEN 'Made' ELSE 'Other' || n % 2000 END, 'match', jsonb_build_object('sample', '{sample}', 'kind', 'k' || n))),
    'active', 'global', r.cwl_hash, r.registered_by
  FROM artifact.rule r, generate_series(1, $1::int - 1) n WHERE r.name = 'made'`;

async function fill(server: CairnServer, rules: number, ofType: number): Promise<void> {
  await seed(server, ENTITIES);
  const field = (name: string, type: string): Body => ({ name, field_type: type });
  await ask(server, '/api/v1/metadata/schemas', {
    name: 'Made',
    version: '1',
    fields: [field('uri', 'uri'), field('sample', 'string'), field('kind', 'string')],
  });
  await ask(server, '/api/v1/artifact/rules', RULE);
  const client = new pg.Client(server.superuserUrl);
  await client.connect();
  try {
    await client.query(MANY, [rules, ofType]);
    await client.query('VACUUM (ANALYZE) artifact.rule');
  } finally {
    await client.end();
  }
}

const shown = (rounds: readonly Round[], label: string, unit: string): void => {
  const {
    ratio,
    spread: [lo, hi],
  } = ratioOf(rounds);
  const rate = (side: 'cairn' | 'other'): string =>
    `${median(rounds.map((round) => round[side].rps)).toFixed(0)}/s, p99 ${median(rounds.map((round) => round[side].p99)).toFixed(1)} ms`;
  say(
    `${label.padEnd(38)} ${ratio.toFixed(2)} (${lo.toFixed(2)}–${hi.toFixed(2)}) × ${unit}   ${rate('cairn')} | ${rate('other')}`,
  );
};

/** Measures both sides alternately. @throws where a request fails */
async function compare(load: LoadGenerator, subject: Side, other: Side): Promise<Round[]> {
  const run = async (side: Side): Promise<Round['cairn']> => {
    const measured = await load.run({ ...side, clients: CLIENTS, seconds: SECONDS });
    if (measured.failed > 0) throw new Error(`${measured.failed} requests to ${side.name} failed`);
    return measured;
  };
  const rounds: Round[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const [first, second] =
      round % 2 === 0 ? [await run(subject), await run(other)] : [await run(other), await run(subject)];
    if (round > 0)
      // The first round is a warm-up.
      rounds.push(round % 2 === 0 ? { cairn: first, other: second } : { cairn: second, other: first });
  }
  return rounds;
}

const resolve = (criteria: Readonly<Record<string, string>>): LoadRequest => ({
  method: 'GET',
  path: `/api/v1/artifact/resolve?${new URLSearchParams(criteria).toString()}`,
});
const REUSE = Array.from({ length: 1000 }, (_, i) => (i * 7919 + 17) % ENTITIES).map((n) =>
  resolve({ entity_type: TYPES[n % TYPES.length] ?? '', name: dataOf(n)['name'] as string }),
); // created by dataOf
const BUILD = Array.from({ length: 1000 }, (_, i) =>
  resolve({ entity_type: 'Made', sample: `s${i}`, kind: 'k0' }),
);

const decided = (body: unknown): unknown => {
  const { decision, uri, entity } = body as Body; // both sides respond with an object
  return { decision, uri, entity };
};

const run = promisify(execFile);

/**
 * Compares, one at a time and alternately, how often a rule is checked while cwltool checks its workflow
 * once.
 */
async function registration(server: CairnServer, directory: string): Promise<void> {
  if (!isOnPath('cwltool')) return say('registration: left out, cwltool is not installed');
  const file = path.join(directory, 'workflow.cwl');
  writeFileSync(file, WORKFLOW);
  const [ours, theirs]: [number[], number[]] = [[], []];
  const timed = async (times: number[], work: () => Promise<unknown>): Promise<void> => {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  };
  for (let i = 0; i <= ROUNDS; i++) {
    await timed(ours, async () => {
      const { valid, violations } = await ask(server, '/api/v1/artifact/rules?dry_run=true', RULE);
      if (valid !== true) throw new Error(JSON.stringify(violations));
    });
    await timed(theirs, () => run('cwltool', ['--validate', '--quiet', file]));
  }
  const ratios = theirs.slice(1).map((ms, i) => ms / (ours[i + 1] ?? NaN)); // the first of each is a warm-up
  say(
    `${'a rule checked (POST /rules?dry_run)'.padEnd(38)} ${median(ratios).toFixed(0)} (${Math.min(...ratios).toFixed(0)}–${Math.max(...ratios).toFixed(0)}) × cwltool --validate   ${median(ours.slice(1)).toFixed(1)} ms | ${median(theirs.slice(1)).toFixed(0)} ms`,
  );
}

async function main(
  directory: string,
  started: (name: string) => { processes: Processes; directory: string },
): Promise<void> {
  const start = async (name: string): Promise<CairnServer> => {
    const { processes, directory: own } = started(name);
    return startCairn(processes, own);
  };
  const few = await start('few');
  const many = await start('many');
  await fill(few, 10, 10);
  await fill(many, RULES, RULES_OF_TYPE);
  const port = await freePort();
  const { processes } = started('by-hand');
  const { url } = await processes.start({
    name: 'by-hand',
    args: ['scripts/run.mjs', 'bench/baseline/resolve-server.ts'],
    env: { PORT: String(port), DATABASE_URL: few.databaseUrl },
    port,
    readyPath: '/',
  });
  const load = createLoadGenerator(bestGenerator(), directory, new AbortController().signal);
  const side = (name: string, server: CairnServer, requests: readonly LoadRequest[]): Side => ({
    name,
    url: server.url,
    headers: headersOf(server),
    requests,
  });

  const byHand: Side = { name: 'by hand', url, headers: {}, requests: REUSE };
  await assertSameAnswers(side('Cairn', few, REUSE), byHand, decided);
  shown(await compare(load, side('Cairn', few, REUSE), byHand), 'resolve that ends in reuse', 'by hand');
  shown(
    await compare(load, side('many', many, REUSE), side('few', few, REUSE)),
    `reuse with ${RULES} rules`,
    'with 10 rules',
  );
  shown(
    await compare(load, side('many', many, BUILD), side('few', few, BUILD)),
    `build planned with ${RULES} rules`,
    'with 10 rules',
  );
  await registration(few, directory);
}

const directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-bench-'));
chmodSync(directory, 0o755); // when this runs as root, PostgreSQL runs as another user
const all: Processes[] = [];
try {
  await main(directory, (name) => {
    const own = path.join(directory, name);
    mkdirSync(own);
    chmodSync(own, 0o755);
    const processes = new Processes(own);
    all.push(processes);
    return { processes, directory: own };
  });
} finally {
  for (const processes of all.reverse()) await processes.stop();
  rmSync(directory, { recursive: true, force: true });
}
process.exit(0);
