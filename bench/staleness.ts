// `node scripts/run.mjs bench/staleness.ts [productions] [rounds]` measures how long it takes until the list of stale results
// tells what one change of one input made stale, and tells it again, against one look-up by index that is written by hand for it
// (baseline/stale-server.ts), over the same rows, in the same rounds, both over HTTP.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type CairnServer, startCairn } from './cairn-server.ts';
import { freePort, Processes } from './processes.ts';
import { median } from './statistics.ts';

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const [productions = 100_000, rounds = 30] = process.argv.slice(2).map(Number);
/** Results of each sample, which become stale when it changes. */
const EACH = 100;
const BATCH = 1000;
/** Rounds that are not measured. */
const WARM = 20;
const CWL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: [echo]
stdout: out.txt
inputs: {name: string, sample: string, reads: string}
outputs:
  uri: {type: stdout}
  name: {type: string, outputBinding: {outputEval: $(inputs.name)}}
  sample: {type: string, outputBinding: {outputEval: $(inputs.sample)}}
`;

async function call<Answer>(
  { url, key }: Pick<CairnServer, 'url' | 'key'>,
  method: string,
  target: string,
  body?: unknown,
): Promise<Answer> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(url + target, { method, headers, ...sent });
  const text = await response.text();
  if (!response.ok || text.includes('"errors":[{')) throw new Error(`${target}: ${response.status} ${text}`);
  return JSON.parse(text) as Answer; // the shape of the route
}
const field = (name: string, type = 'string') => ({ name, field_type: type });

const ingest = async (server: CairnServer, entities: readonly object[]): Promise<void> => {
  for (let at = 0; at < entities.length; at += BATCH)
    await call(server, 'POST', '/graphql', {
      query:
        'mutation Fill($entities: [IngestedEntity!]!) { ingestEntities(entities: $entities) { errors { message } } }',
      variables: { entities: entities.slice(at, at + BATCH) },
    });
};
/** Until everything that has changed was looked at. */
async function list(server: CairnServer): Promise<number> {
  for (;;) {
    const page = await call<{ items: readonly object[]; is_complete: boolean }>(
      server,
      'GET',
      '/api/v1/artifact/staleness?limit=1000',
    );
    if (page.is_complete) return page.items.length;
  }
}
const sample = (n: number, reads: string) => ({
  entityType: 'Sample',
  id: `s${n}`,
  data: { name: `s${n}`, reads },
});

/** Productions as a workflow would have left them: the plan is that of one which is asked for. */
const PRODUCTIONS = `INSERT INTO artifact.production (id, entity_type, criteria, rule, status, request_key, plan, entity_ids, requested_by, parameters, inputs, produced, runner, input_files)
  SELECT 'p' || n, 'Result', jsonb_build_object('name', 'r' || n, 'sample', 's' || n / $3), 'make@1', 'completed', 'p' || n,
    jsonb_set(jsonb_set($2::jsonb || jsonb_build_object('criteria', jsonb_build_object('name', 'r' || n, 'sample', 's' || n / $3), 'bindings', jsonb_build_object('name', 'r' || n, 'sample', 's' || n / $3)),
      '{requires,0,entity_id}', to_jsonb('s' || n / $3)), '{requires,0,criteria,name}', to_jsonb('s' || n / $3)),
    ARRAY['r' || n], 'user:bench', '{}', jsonb_build_object('name', 'r' || n, 'sample', 's' || n / $3, 'reads', 'a'),
    jsonb_build_array(jsonb_build_object('entity_type', 'Result', 'entity_id', 'r' || n)), 'bench', '[]'
  FROM generate_series(0, $1::int - 1) n`;

async function fill(server: CairnServer, db: pg.Client): Promise<void> {
  const schemas = {
    Sample: [field('name'), field('reads')],
    Result: [field('name'), field('sample'), field('uri', 'uri')],
  };
  for (const [name, fields] of Object.entries(schemas))
    await call(server, 'POST', '/api/v1/metadata/schemas', { name, version: '1', fields });
  await call(server, 'POST', '/api/v1/artifact/rules', {
    name: 'make',
    produces: { entity_type: 'Result', match: { name: '{name}', sample: '{sample}' } },
    requires: [{ ref: 'Sample(name={sample})' }],
    execute: { cwl_content: Buffer.from(CWL).toString('base64') },
  });
  const count = Math.ceil(productions / EACH);
  await ingest(
    server,
    Array.from({ length: count }, (_, n) => sample(n, 'a')),
  );
  const { plan } = await call<{ plan: object }>(
    server,
    'GET',
    '/api/v1/artifact/resolve?entity_type=Result&name=new&sample=s0',
  );
  await ingest(
    server,
    Array.from({ length: productions }, (_, n) => ({
      entityType: 'Result',
      id: `r${n}`,
      data: { name: `r${n}`, sample: `s${Math.floor(n / EACH)}`, uri: `https://files.example/${n}` },
    })),
  );
  await list(server); // which begins to follow the type
  await db.query(PRODUCTIONS, [productions, JSON.stringify(plan), EACH]);
  await db.query('DELETE FROM artifact.staleness_due'); // as after a first look at them, which found nothing
  await db.query('VACUUM artifact.staleness_due'); // as the database does by itself after a minute
  await db.query('ANALYZE artifact.production, metadata.entity');
}

async function timed(work: () => Promise<number>): Promise<number> {
  const started = performance.now();
  const found = await work();
  if (found !== EACH) throw new Error(`${found} results are stale, not ${EACH}`);
  return performance.now() - started;
}

async function measure(server: CairnServer, hand: string): Promise<void> {
  const times: { ours: number; again: number; hand: number }[] = [];
  for (let n = 0; n < rounds + WARM; n++) {
    const one = (n * 3) % Math.ceil(productions / EACH);
    await ingest(server, [sample(one, `changed-${n}`)]);
    const ours = await timed(() => list(server));
    const again = await timed(() => list(server));
    const byHand = { url: hand, key: '' };
    const looked = await timed(async () => {
      const { items } = await call<{ items: readonly object[] }>(byHand, 'GET', `/?id=s${one}`);
      return items.length;
    });
    await ingest(server, [sample(one, 'a')]);
    await list(server);
    if (n >= WARM) times.push({ ours, again, hand: looked });
  }
  const middle = (of: 'ours' | 'again' | 'hand'): number => median(times.map((one) => one[of]));
  const ratio = (of: 'ours' | 'again'): string => median(times.map((one) => one[of] / one.hand)).toFixed(1);
  say(
    `${productions} productions, one change of one input of ${EACH} of them; by hand ${middle('hand').toFixed(1)} ms:`,
  );
  say(`  stale tells it after ${middle('ours').toFixed(1)} ms, ${ratio('ours')} times as long`);
  say(`  and again after ${middle('again').toFixed(1)} ms, ${ratio('again')} times as long`);
}

const directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-staleness-'));
chmodSync(directory, 0o755); // when this runs as root, PostgreSQL runs as another user
const processes = new Processes(directory);
try {
  const server = await startCairn(processes, directory);
  const db = new pg.Client({ connectionString: server.superuserUrl });
  await db.connect();
  try {
    await fill(server, db);
    const port = await freePort();
    const { url } = await processes.start({
      name: 'by-hand',
      args: ['scripts/run.mjs', 'bench/baseline/stale-server.ts'],
      env: { PORT: String(port), DATABASE_URL: server.superuserUrl },
      port,
      readyPath: '/',
    });
    await measure(server, url);
  } finally {
    await db.end();
  }
} finally {
  await processes.stop();
  rmSync(directory, { recursive: true, force: true });
}
