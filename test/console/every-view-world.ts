// A platform in which every view of the console has something to show, and much of it is hostile.
import { createHmac } from 'node:crypto';
import { plant } from '../artifact/planted-results.ts';
import { addFileEntity, putContent, SAMPLE_FILE } from '../artifact/stored-files.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { eventually } from '../workflow/workflow-server.ts';
import { buildConsole, HEBREW, HUGE, MARKUP, RTL, RULE, SCHEMA } from './console-testkit.ts';

/** A secret of the configuration, which nothing shows. */
export const HIDDEN = 'Hidden-9f3';
const CONFIG = `observability: {audit_log: {backend: postgres}, tracing: {otlp_url: "http://127.0.0.1:9/${HIDDEN}"}}
workflow:
  triggers:
    - {name: on-change, type: metadata_poll, poll: {entity_type: Biopsy, filter: 'data.age > 70', interval_seconds: 3600}, action: {type: ingest, adapter: sheet}}
    - {name: lab, type: webhook, path: hooks/lab, secret_env: LAB_SECRET, when: 'event.kind == "done"', action: {type: ingest, adapter: sheet}}
  adapters:
    - {name: sheet, type: csv, source: none.csv, entity_type: Biopsy, map: {id: 'row["id"]'}}
`;
const COLUMNS = 500;
/** As hashes are, and criteria without a space. */
const ONE_WORD = 'sha256:'.repeat(30);
/** Controls, line separators, a joiner, half of a pair: what a text may hold besides U+0000. */
const ODD = 'a\u0001b\u0008c\u001bd\u007fe\u0085f\u2028g\u2029h\u200di\ufeffj\ufffek';

const SCHEMAS = [
  { ...SCHEMA, description: `${MARKUP} ${RTL}` },
  SAMPLE_FILE,
  {
    name: 'Wide',
    version: '1',
    fields: Array.from({ length: COLUMNS }, (_, i) => ({ name: `f${i}`, field_type: 'string' })),
  },
];

const biopsy = (id: string, data: object) => ({
  id,
  entity_type: 'Biopsy',
  data: { tissue: 'skin', ...data },
});
const ENTITIES = [
  biopsy('biopsy:1', { donor: 'D-1', tissue: 'liver', age: 42 }),
  biopsy('hostile:markup', {
    donor: MARKUP,
    labels: [MARKUP, ODD],
    more: { [MARKUP]: MARKUP },
    parent: 'biopsy:1',
  }),
  biopsy('hostile:huge', { donor: HUGE, parent: 'hostile:markup' }),
  biopsy(`hostile:${HEBREW}`, { donor: RTL, labels: [ODD] }),
  {
    id: 'wide:1',
    entity_type: 'Wide',
    data: Object.fromEntries(Array.from({ length: COLUMNS }, (_, i) => [`f${i}`, `${MARKUP}${i}`])),
  },
];

export interface World {
  readonly server: TestServer;
  readonly run: string;
  readonly otherRun: string;
  readonly production: string;
  readonly otherProduction: string;
  /** A request that wrote. */
  readonly request: string;
  /** One that asked for productions. */
  readonly refresh: string;
}

const workflow = (outputs: string): string =>
  Buffer.from(
    `cwlVersion: v1.2\nclass: Workflow\ninputs: {f0: string}\noutputs: ${outputs}\nsteps: {}\n`,
  ).toString('base64');

/** A result of a rule that makes something else by now. */
async function addStale(server: TestServer): Promise<void> {
  const register = async (outputs: string): Promise<void> => {
    const definition = {
      name: 'widen',
      produces: { entity_type: 'Wide', match: { f0: '{f0}' } },
      execute: { cwl_content: workflow(outputs) },
    };
    const { body } = await server.graphql(
      'mutation ($definition: JSON!) { registerRule(definition: $definition) { isValid } }',
      { definition },
    );
    if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
  };
  await register('{f0: {type: string, outputSource: f0}}');
  const criteria = { f0: `${MARKUP} stale` };
  await plant(server, { entityType: 'Wide', id: 'wide:stale', data: criteria, criteria });
  await register('{f0: {type: string, outputSource: f0}, f1: {type: string, outputSource: f0}}');
}

async function fill(server: TestServer): Promise<Omit<World, 'server'>> {
  const send = async (path: string, body: unknown) => {
    const answer = await server.rest('POST', path, { body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return answer;
  };
  for (const body of SCHEMAS) await send('/api/v1/metadata/schemas', body);
  let request = '';
  for (const body of ENTITIES) {
    const { headers } = await send('/api/v1/metadata/ingest', body);
    request = headers.get('x-request-id') ?? '';
  }
  await server.rest('PUT', '/api/v1/metadata/entities/Biopsy/hostile:markup', {
    headers: { 'x-metadata-context': JSON.stringify({ notes: MARKUP, hash: ONE_WORD }) },
    body: { data: { age: 43, taken: '2026-01-02T03:04:05Z' } },
  });
  await addFileEntity(server, { id: 'file:1', hex: await putContent(server, MARKUP), name: MARKUP });
  await addStale(server);
  const { body: answer, headers: asked } = await server.graphql(
    `mutation ($rule: JSON!, $markup: String!, $asked: String!, $other: String!, $kind: String!) {
      registerRule(definition: $rule) { isValid }
      relate(sourceId: "hostile:markup", relationshipType: $kind, targetId: "biopsy:1") { id }
      pauseTrigger(name: "on-change", reason: $markup) { status }
      runTrigger(name: "lab") { runId }
      again: runTrigger(name: "on-change") { runId }
      produceArtifact(entityType: "Biopsy", criteria: { donor: $asked }) { production { id } }
      another: produceArtifact(entityType: "Biopsy", criteria: { donor: $other }) { production { id } }
    }`,
    {
      rule: { ...RULE, description: MARKUP },
      markup: MARKUP,
      asked: `${MARKUP} asked`,
      other: `${MARKUP}${ONE_WORD}`,
      kind: '<img src=x onerror=hacked=1>',
    },
  );
  if (answer.errors !== undefined) throw new Error(JSON.stringify(answer.errors));
  const body = JSON.stringify({ kind: 'done', name: MARKUP });
  const signature = `sha256=${createHmac('sha256', 'hush-hush').update(body).digest('hex')}`;
  const headers = { 'x-signature': signature };
  await server.rest('POST', '/api/v1/workflow/hooks/lab', { key: null, body, headers });
  await server.newKey({ role: 'viewer', label: `${MARKUP} ${RTL}` });
  await server.database.pool.query(
    `INSERT INTO gateway.sync_event (id, event_type, source, source_id, actor, details, dedupe_key)
     VALUES ('evt_1', 'gateway.sync.mismatch', 'artifact', $1, $1, $2, 'k')`,
    [MARKUP, JSON.stringify({ missing_entities: [MARKUP] })],
  );
  await eventually(
    async () =>
      (await server.graphql('{ failedDeliveries { deliveries { id } } }')).body.data.failedDeliveries
        .deliveries.length as number,
    (count) => count === 1,
  );
  return {
    run: answer.data.runTrigger.runId,
    otherRun: answer.data.again.runId,
    production: answer.data.produceArtifact.production.id,
    otherProduction: answer.data.another.production.id,
    request,
    refresh: asked.get('x-request-id') ?? '',
  };
}

/** Builds the console, starts the server and fills it. */
export async function startWorld(): Promise<World> {
  buildConsole();
  const server = await startServer({ config: CONFIG, env: { LAB_SECRET: 'hush-hush' } });
  return { server, ...(await fill(server)) };
}
