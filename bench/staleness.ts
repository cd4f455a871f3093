// `node scripts/run.mjs bench/staleness.ts [productions] [rounds]` measures how long it takes until the list of stale results
// tells what one change of one input made stale, against statements that are written by hand for it, over the same rows.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type CairnServer, startCairn } from './cairn-server.ts';
import { Processes } from './processes.ts';
import { median } from './statistics.ts';

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const [productions = 100_000, rounds = 7] = process.argv.slice(2).map(Number);
/** Results of each sample, which become stale when it changes. */
const EACH = 100;
const BATCH = 1000;
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
  { url, key }: CairnServer,
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
  await db.query(PRODUCTIONS, [productions, JSON.stringify(plan), EACH]);
  await db.query('DELETE FROM artifact.staleness_due'); // as after a first look at them, which found nothing
  await db.query('ANALYZE artifact.production, metadata.entity');
}

/** What a program would do that knows this rule: the entity, its dependants, and whether its value is another one. */
async function byHand(db: pg.Client, id: string): Promise<number> {
  const { rows } = await db.query<{ stale: string }>(
    `SELECT p.entity_ids[1] AS stale FROM metadata.entity e JOIN artifact.production p
       ON jsonb_path_query_array(p.plan, '$.requires[*].entity_id') ? e.id
     WHERE e.id = $1 AND p.status = 'completed' AND p.runner IS NOT NULL AND p.inputs ->> 'reads' IS DISTINCT FROM e.data ->> 'reads'`,
    [id],
  );
  return rows.length;
}

async function timed(work: () => Promise<number>): Promise<number> {
  const started = performance.now();
  const found = await work();
  if (found !== EACH) throw new Error(`${found} results are stale, not ${EACH}`);
  return performance.now() - started;
}

async function measure(server: CairnServer, db: pg.Client): Promise<void> {
  /** Until everything that has changed was looked at. */
  const list = async (): Promise<number> => {
    for (;;) {
      const page = await call<{ items: readonly object[]; is_complete: boolean }>(
        server,
        'GET',
        '/api/v1/artifact/staleness?limit=1000',
      );
      if (page.is_complete) return page.items.length;
    }
  };
  await list(); // which begins to follow the type
  await db.query('DELETE FROM artifact.staleness_due');
  const times: { ours: number; again: number; hand: number }[] = [];
  for (let n = 0; n < rounds + 2; n++) {
    const one = n * 3;
    await ingest(server, [sample(one, `changed-${n}`)]);
    const ours = await timed(list);
    const again = await timed(list);
    const hand = await timed(() => byHand(db, `s${one}`));
    await ingest(server, [sample(one, 'a')]);
    await list();
    if (n >= 2) times.push({ ours, again, hand });
  }
  const middle = (of: 'ours' | 'again' | 'hand'): number => median(times.map((one) => one[of]));
  say(`${productions} productions, one change of one input of ${EACH} of them:`);
  say(
    `  stale tells it after ${middle('ours').toFixed(1)} ms, and again after ${middle('again').toFixed(1)} ms`,
  );
  say(
    `  a statement by hand ${middle('hand').toFixed(1)} ms: ${(middle('ours') / middle('hand')).toFixed(1)} times as long`,
  );
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
    await measure(server, db);
  } finally {
    await db.end();
  }
} finally {
  await processes.stop();
  rmSync(directory, { recursive: true, force: true });
}
