// Every REST row against independently written GraphQL: two identical worlds get the same requests, one by
// REST, one by GraphQL, by twelve credentials. Compared are status and code, the value, the events that were
// written, and the runs that were begun.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createHmac } from 'node:crypto';
import http from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STATUS_BY_CODE } from '../../platform/errors.ts';
import { GATEWAY_API, REST_API_KINDS } from '../../rest-compat/rest-apis.ts';
import { GREET, GREETING } from '../artifact/production-testkit.ts';
import { base64 } from '../artifact/registration-testkit.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { eventually } from '../workflow/workflow-server.ts';
import { type Case, type Names, partnersOf } from './partners.ts';

const SECRET = 'the secret of a hook, long enough';
const CLIENT_SECRET = 'the secret of a client, long enough';

const rule = (n: number): unknown => ({
  name: `rule-${n}`,
  produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
  execute: { cwl_content: base64(GREET) },
});
const PARTNERS = partnersOf(rule);

interface World {
  readonly server: TestServer;
  readonly keys: readonly (string | null | { readonly bearer: string })[];
  readonly known: Names['known'];
  readonly names: Map<string, string>;
}

let directory: string;
let rest: World;
let graphql: World;

const CREDENTIALS = [
  'administrator',
  'viewer',
  'viewer of alpha',
  'analyst',
  'analyst of alpha',
  'analyst of beta',
  'project lead of alpha',
  'service key',
  'service token of alpha',
  'revoked key',
  'malformed key',
  'nobody',
] as const;

const yaml = (): string => `
auth: {clients: [{client_id: importer, secret_env: CLIENT_SECRET, grants: [client_credentials], roles: [service], projects: [alpha]}]}
workflow:
  adapters: [{name: sheet, type: csv, source: ${path.join(directory, 'sheet.csv')}, entity_type: Donor, map: {id: row.id}}]
  triggers:
    - {name: by-hand, type: manual, action: {type: ingest, adapter: sheet}}
    - {name: hook, type: webhook, path: /hooks/lab, secret_env: HOOK_SECRET, action: {type: ingest, adapter: sheet}}
`;

const settled = async (server: TestServer): Promise<void> => {
  await eventually(
    async () =>
      (await server.rest('GET', '/api/v1/workflow/runs?limit=1000')).body.runs as { status: string }[],
    (runs) => runs.every(({ status }) => status !== 'queued' && status !== 'running'),
  );
};

async function seed(): Promise<World> {
  const server = await startServer({ config: yaml(), env: { CLIENT_SECRET, HOOK_SECRET: SECRET } });
  const post = async (target: string, body: unknown): Promise<void> => {
    const { status, text } = await server.rest('POST', target, { body });
    if (status >= 300) throw new Error(`${target}: ${status} ${text}`);
  };
  const field = (name: string, type: string, more: object = {}) => ({
    name,
    field_type: type,
    required: false,
    ...more,
  });
  for (const schema of [
    { name: 'Donor', version: '1', fields: [field('name', 'string')] },
    {
      name: 'Sample',
      version: '1',
      fields: [
        field('tissue', 'enum', { values: ['liver', 'skin'] }),
        field('note', 'string'),
        field('age', 'int'),
        field('donor', 'ref', { references: 'Donor' }),
        field('project', 'string'),
      ],
    },
    {
      name: 'Stored',
      version: '1',
      fields: [field('uri', 'uri'), field('size', 'int'), field('sha256', 'string')],
    },
    GREETING,
  ])
    await post('/api/v1/metadata/schemas', schema);
  const sample = (id: string, data: object) =>
    post('/api/v1/metadata/ingest', { entity_type: 'Sample', id, data });
  await post('/api/v1/metadata/ingest', { entity_type: 'Donor', id: 'd1', data: { name: 'Dora' } });
  for (const [n, project] of [
    [1, 'alpha'],
    [2, 'alpha'],
    [1, 'beta'],
    [2, 'beta'],
    [1, undefined],
    [2, undefined],
  ] as const) {
    await sample(`${project?.[0] ?? 'free'}${n}`, {
      tissue: n === 1 ? 'liver' : 'skin',
      note: `liver of ${project ?? 'all'}`,
      age: 30 + n,
      donor: 'd1',
      ...(project === undefined ? {} : { project }),
    });
  }
  await post('/api/v1/metadata/entities/free1/relationships', {
    target_entity_id: 'free2',
    relationship_type: 'part_of',
  });
  await post('/api/v1/metadata/entities/a1/relationships', {
    target_entity_id: 'b1',
    relationship_type: 'part_of',
  });
  for (const [id, external] of [
    ['free1', 'first'],
    ['b1', 'secret'],
    ['free2', 'with/slash'],
  ] as const)
    await post(`/api/v1/metadata/entities/${id}/external-ids`, { external_id: external, id_type: 'lab' });
  await post('/api/v1/metadata/ingest', {
    entity_type: 'Stored',
    id: 'file1',
    data: { uri: 'https://example.org/f', size: 3, sha256: 'a'.repeat(64) },
  });
  await post('/api/v1/metadata/ingest', {
    entity_type: 'Greeting',
    id: 'greeting1',
    data: { uri: 'https://example.org/g', sample: 'stored' },
  });
  await post('/api/v1/metadata/ingest', {
    entity_type: 'Greeting',
    id: 'greeting2',
    data: { uri: 'https://example.org/h', sample: 'hidden', project: 'beta' },
  });
  await post('/api/v1/artifact/rules', { ...(rule(0) as object), name: 'greet' });
  const delivered = '{"n":1}';
  await server.rest('POST', '/api/v1/workflow/hooks/lab', {
    key: null,
    body: delivered,
    headers: { 'x-signature': `sha256=${createHmac('sha256', SECRET).update(delivered).digest('hex')}` },
  });
  await settled(server);
  const {
    body: {
      runs: [run],
    },
  } = await server.rest('GET', '/api/v1/workflow/runs');
  const {
    body: {
      observations: [seen],
    },
  } = await server.rest('GET', '/api/v1/workflow/triggers/hook/observations');

  const revoked = await server.rest('POST', '/api/v1/gateway/auth/api-keys', {
    body: { label: 'gone', role: 'viewer' },
  });
  await server.rest('DELETE', `/api/v1/gateway/auth/api-keys/${revoked.body.id}`);
  const token = await server.rest('POST', '/api/v1/gateway/auth/token', {
    key: null,
    body: { grant_type: 'client_credentials', client_id: 'importer', client_secret: CLIENT_SECRET },
  });
  const another = (label: string) =>
    server.rest('POST', '/api/v1/gateway/auth/api-keys', { body: { label, role: 'viewer' } });
  const [ended, rotated] = [await another('ended'), await another('rotated')]; // listed in this order
  await server.database.pool
    .query(`INSERT INTO gateway.sync_event (id, event_type, source, source_id, actor, details, dedupe_key, created_at)
    SELECT 'evt_' || n, 'gateway.sync.mismatch', 'workflow', 'r' || n, 'service:x', '{"missing_entities": []}', n::text, '2026-01-01'::timestamptz + n * interval '1 s'
    FROM generate_series(1, 3) n`);
  const key = (role: string, project?: string) =>
    server.newKey({ role, label: `${role} ${project ?? ''}`, ...(project === undefined ? {} : { project }) });
  return {
    server,
    names: new Map(),
    known: {
      run: run.run_id,
      delivery: seen?.delivery_id ?? 'none',
      production: '00000000-0000-4000-8000-000000000001',
      key: ended.body.id as string,
      rotated: rotated.body.id as string,
    },
    keys: [
      server.key,
      await key('viewer'),
      await key('viewer', 'alpha'),
      await key('analyst'),
      await key('analyst', 'alpha'),
      await key('analyst', 'beta'),
      await key('project_lead', 'alpha'),
      await key('service'),
      { bearer: token.body.access_token as string },
      revoked.body.secret as string,
      'sk_nonsense',
      null,
    ],
  };
}

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-differential-'));
  await writeFile(path.join(directory, 'sheet.csv'), 'id\nd1\nd2\n');
  [rest, graphql] = [await seed(), await seed()];
}, 120_000);
afterAll(async () => {
  await Promise.all([rest, graphql].map(({ server }) => server[Symbol.asyncDispose]()));
  await rm(directory, { recursive: true, force: true });
});

const MADE_ID =
  /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|(?:key|scan)_[\da-f]{24}|sk_[\w-]{49}/g;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Generated ids of a world are numbered in the order of their appearance; timestamps are masked. */
function plain(value: unknown, names: Map<string, string>): unknown {
  if (typeof value === 'string') {
    if (TIME.test(value)) return '<time>';
    return value.replaceAll(MADE_ID, (id) => {
      if (!names.has(id)) names.set(id, `<${names.size + 1}>`);
      return names.get(id) ?? id;
    });
  }
  if (Array.isArray(value)) return value.map((item) => plain(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [
        key,
        /cursor$/i.test(key) && typeof item === 'string' ? '<cursor>' : plain(item, names),
      ]),
  );
}

interface Told {
  readonly status: number;
  readonly code: string | null;
  readonly value: unknown;
}

const STATUSES: Readonly<Record<string, number>> = STATUS_BY_CODE;

/** Like fetch, but with a Host of its own. */
function request(
  world: World,
  credential: number,
  method: string,
  target: string,
  one: Pick<Case, 'body' | 'headers'>,
): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
  const key = world.keys[credential] ?? null;
  const sent = one.body === undefined ? undefined : JSON.stringify(one.body);
  const headers = {
    ...(key === null
      ? {}
      : typeof key === 'string'
        ? { 'x-api-key': key }
        : { authorization: `Bearer ${key.bearer}` }),
    ...(sent === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
    ...one.headers,
  };
  return new Promise((resolve, reject) => {
    http
      .request(world.server.url + target, { method, headers }, (response) => {
        let text = '';
        response
          .on('data', (chunk: Buffer) => {
            text += chunk.toString();
          })
          .on('error', reject);
        response.on('end', () => {
          const isLines = response.headers['content-type']?.startsWith('application/x-ndjson') === true;
          const json = isLines ? `[${text.trimEnd().replaceAll('\n', ',')}]` : text;
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(json === '' ? 'null' : json) });
        });
      })
      .on('error', reject)
      .end(sent);
  });
}

async function byRest(component: string, method: string, one: Case, credential: number): Promise<Told> {
  const { status, body } = await request(rest, credential, method, `/api/v1/${component}${one.path}`, one);
  const isEnveloped = component === 'metadata' && 'meta' in body;
  if (status >= 400) return { status, code: typeof body.error === 'string' ? body.error : null, value: null };
  const payload = isEnveloped ? body.data : body;
  return {
    status: status < 300 ? 200 : status,
    code: null,
    value: plain((one.told as ((p: unknown) => unknown) | undefined)?.(payload) ?? payload, rest.names),
  };
}

async function byGraphql(one: Case, credential: number): Promise<Told> {
  const { host: _, ...headers } = Object.fromEntries(
    Object.entries(one.headers ?? {}).filter(([name]) => name === 'x-project'),
  );
  const { body } = await request(graphql, credential, 'POST', '/graphql', {
    headers,
    body: { query: one.document, variables: one.variables ?? {} },
  });
  const code = String(body.error ?? body.errors?.[0]?.extensions?.code ?? '').toLowerCase();
  if (code !== '') return { status: STATUSES[code] ?? 0, code, value: null };
  const payload = one.payload
    ? (one.payload as (data: unknown) => unknown)(body.data)
    : Object.values(body.data as object)[0];
  if (payload === null && !/^\s*mutation[^{]*\{\s*setReusable/.test(one.document))
    return { status: 404, code: 'not_found', value: null };
  return { status: 200, code: null, value: plain(payload, graphql.names) };
}

/** The events and runs of a world. */
async function effects(
  { server, names }: World,
  after: { events: number; runs: number },
): Promise<{ told: unknown; events: number; runs: number }> {
  const { rows: events } = await server.database.pool.query<Record<string, unknown>>(
    `SELECT event_type, entity_id, entity_type, actor, context, payload FROM metadata.provenance ORDER BY position OFFSET ${after.events}`,
  );
  const { rows: runs } = await server.database.pool.query<Record<string, unknown>>(
    `SELECT trigger_name, trigger_type, adapter, action FROM workflow.run ORDER BY queued_at, id OFFSET ${after.runs}`,
  );
  return {
    told: plain({ events, runs }, names),
    events: after.events + events.length,
    runs: after.runs + runs.length,
  };
}

const APIS = { ...REST_API_KINDS, gateway: GATEWAY_API };
const rowsOf = (component: keyof typeof APIS) =>
  APIS[component].rows.map(({ method, path: template, access }) => ({
    component,
    row: `${method} ${template}`,
    method,
    isPublic: access === 'public',
  }));
const ROWS = (['metadata', 'workflow', 'artifact', 'gateway'] as const).flatMap(rowsOf);

test('every row has a partner, and every partner a row', () => {
  const partners = Object.entries(PARTNERS).flatMap(([component, rows]) =>
    Object.keys(rows).map((row) => `${component} ${row}`),
  );
  expect(partners.sort()).toEqual(ROWS.map(({ component, row }) => `${component} ${row}`).sort());
});

describe.each(ROWS.map((one) => [`${one.component} ${one.row}`, one] as const))(
  '%s',
  (_, { component, row, method, isPublic }) => {
    test('gives twelve credentials the same result as GraphQL, with the same effects', async () => {
      const partner = PARTNERS[component]?.[row];
      if (partner === undefined) throw new Error('it has no partner');
      let compared = 0;
      let [here, there] = [
        await effects(rest, { events: 0, runs: 0 }),
        await effects(graphql, { events: 0, runs: 0 }),
      ];
      for (const [n, who] of CREDENTIALS.entries()) {
        const [mine, theirs] = [partner({ n, known: rest.known }), partner({ n, known: graphql.known })];
        for (const [i, one] of mine.entries()) {
          const other = theirs[i];
          if (other === undefined) throw new Error('the partner is not the same in both worlds');
          const [a, b] = [await byRest(component, method, one, n), await byGraphql(other, n)];
          const isOpen = isPublic && b.status === 401; // GraphQL always requires a credential
          if (isOpen) continue;
          const label = `${who}: ${one.path} ${JSON.stringify(one.body ?? '')}`;
          expect({ ...a, code: a.code ?? b.code }, label).toEqual(b);
          compared++;
          if (method === 'GET') continue;
          if (component === 'workflow')
            await Promise.all([rest, graphql].map(({ server }) => settled(server)));
          [here, there] = [await effects(rest, here), await effects(graphql, there)];
          expect(here.told, `effects of ${label}`).toEqual(there.told);
        }
      }
      expect(compared).toBeGreaterThan(5);
    }, 120_000);
  },
);
