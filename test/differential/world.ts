// The world that both APIs are asked about: entities of two projects, runs, productions, keys.
import path from 'node:path';
import { createHmac } from 'node:crypto';
import { GREETING } from '../artifact/production-testkit.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { eventually } from '../workflow/workflow-server.ts';
import type { Names } from './partner-case.ts';
import { SECRET, CLIENT_SECRET, rule } from './differential-testkit.ts';

export interface World {
  readonly server: TestServer;
  readonly keys: readonly (string | null | { readonly bearer: string })[];
  readonly known: Names['known'];
  readonly names: Map<string, string>;
}

const yaml = (directory: string): string => `
auth:
  service_token_seconds: 86400 # of two worlds: all cases of the file are asked with it
  clients: [{client_id: importer, secret_env: CLIENT_SECRET, grants: [client_credentials], roles: [service], projects: [alpha]}]
workflow:
  adapters: [{name: sheet, type: csv, source: ${path.join(directory, 'sheet.csv')}, entity_type: Donor, map: {id: row.id}}]
  triggers:
    - {name: by-hand, type: manual, action: {type: ingest, adapter: sheet}}
    - {name: hook, type: webhook, path: /hooks/lab, secret_env: HOOK_SECRET, action: {type: ingest, adapter: sheet}}
`;

export const settled = async (server: TestServer): Promise<void> => {
  await eventually(
    async () =>
      (await server.rest('GET', '/api/v1/workflow/runs?limit=1000')).body.runs as { status: string }[],
    (runs) => runs.every(({ status }) => status !== 'queued' && status !== 'running'),
  );
};

type Post = (target: string, body: unknown) => Promise<void>;

const posting =
  (server: TestServer): Post =>
  async (target, body) => {
    const { status, text } = await server.rest('POST', target, { body });
    if (status >= 300) throw new Error(`${target}: ${status} ${text}`);
  };

/** Entities of two projects and of none, what joins them, and files. */
async function seedMetadata(post: Post): Promise<void> {
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
}

/** A deployment with entities, runs, productions and keys; each call makes an equal one. */
export async function seed(directory: string): Promise<World> {
  const server = await startServer({ config: yaml(directory), env: { CLIENT_SECRET, HOOK_SECRET: SECRET } });
  const post = posting(server);
  await seedMetadata(post);
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
