// A client generated from the OpenAPI description compiles, calls every operation, and gets what is described.
import { createHash, createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { base64 } from '../artifact/registration-testkit.ts';
import { canRun, GREET, GREETING } from '../artifact/production-testkit.ts';
import { addFileEntity, putContent, SAMPLE_FILE } from '../artifact/stored-files.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { EXAMPLES_FILE, readExamples } from '../../rest-compat/answer-examples.ts';
import { examplesOf, namesIn } from './answer-examples.ts';
import { type CheckedClient, checkedClient, type Description, validatorsOf } from './checked-client.ts';
import { examplesMissing, examplesRefused } from './described-examples.ts';

const HOOK_SECRET = 'the secret of a hook, long enough';
const CLIENT_SECRET = 'the secret of a client, long enough';
const CONFIG = `
observability: {audit_log: {backend: postgres}}
components: {metadata: {latency_objective_ms: 60000}, workflow: {latency_objective_ms: 60000}, artifact: {latency_objective_ms: 60000}}
auth: {clients: [{client_id: importer, secret_env: CLIENT_SECRET, grants: [client_credentials], roles: [service]}]}
workflow:
  adapters: [{name: sheet, type: csv, source: nowhere.csv, entity_type: Sample, map: {id: row.id}}]
  triggers:
    - {name: hook, type: webhook, path: /hooks/lab, secret_env: HOOK_SECRET, action: {type: ingest, adapter: sheet}}
    - {name: seen, type: metadata_poll, poll: {entity_type: PollCursor, filter: 'id == "nobody"', interval_seconds: 3600, lookback_seconds: 3600}, action: {type: ingest, adapter: sheet}}
`;

let server: TestServer;
let checked: CheckedClient;
let description: Description;
let hash: string;
const client = (): CheckedClient['client'] => checked.client;

beforeAll(async () => {
  server = await startServer({ config: CONFIG, env: { CLIENT_SECRET, HOOK_SECRET } });
  const { body } = await server.rest('GET', '/api/v1/openapi.json', { key: null });
  description = body;
  checked = checkedClient(server.url, server.key, description);
  hash = await putContent(server, 'chr1\t100\n');
});
afterAll(() => server[Symbol.asyncDispose]());

/** The data of a success. */
function dataOf<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  if (answer.data !== undefined) return answer.data;
  throw new Error(`${answer.response.status} ${JSON.stringify(answer.error)}`);
}

describe.sequential('a typed client calls every operation', () => {
  test('types and entities', async () => {
    const api = client();
    const field = { field_type: 'string', required: false };
    dataOf(
      await api.POST('/api/v1/metadata/schemas', {
        body: {
          name: 'Sample',
          version: '1',
          fields: [
            { name: 'tissue', ...field },
            { name: 'of', field_type: 'ref', references: 'Sample' },
          ],
        },
      }),
    );
    const schema = { path: { name: 'Sample' } };
    expect(dataOf(await api.GET('/api/v1/metadata/schemas')).data.map(({ name }) => name)).toContain(
      'Sample',
    );
    dataOf(await api.GET('/api/v1/metadata/schemas/{name}', { params: schema }));
    const type = { path: { entity_type: 'Sample' } };
    dataOf(await api.GET('/api/v1/metadata/schemas/{entity_type}/references', { params: type }));
    for (const id of ['a', 'b', 'c'])
      dataOf(
        await api.POST('/api/v1/metadata/ingest', {
          body: { entity_type: 'Sample', id, data: { tissue: 'liver' } },
        }),
      );
    const one = { path: { entity_id: 'a' } };
    expect(dataOf(await api.GET('/api/v1/metadata/entities/{entity_id}', { params: one })).data.id).toBe('a');
    dataOf(
      await api.PUT('/api/v1/metadata/entities/{entity_type}/{entity_id}', {
        params: { path: { entity_type: 'Sample', entity_id: 'a' } },
        body: { data: { tissue: 'skin', of: 'b' } },
      }),
    );
    const listed = await api.GET('/api/v1/metadata/entities', {
      params: { query: { entity_type: 'Sample', limit: 2, fields: { tissue: ['liver', 'skin'] } } },
      querySerializer: (query) =>
        new URLSearchParams(
          Object.entries(query).flatMap(([name, value]) =>
            name === 'fields'
              ? Object.entries(value as Record<string, string[]>).flatMap(([key, all]) =>
                  all.map((each): [string, string] => [key, each]),
                )
              : [[name, `${value as string | number}`] as [string, string]],
          ),
        ).toString(),
    });
    expect(dataOf(listed).data.total).toBe(3);
    const words = { entity_type: 'Sample', q: 'liver' };
    expect(dataOf(await api.GET('/api/v1/metadata/search', { params: { query: words } })).data).toHaveLength(
      2,
    );
    dataOf(await api.GET('/api/v1/metadata/entities/{entity_id}/history', { params: one }));
    dataOf(
      await api.GET('/api/v1/metadata/entities/{entity_id}/state', {
        params: { ...one, query: { at: new Date().toISOString() } },
      }),
    );
    dataOf(
      await api.GET('/api/v1/metadata/aggregate', {
        params: { query: { entity_type: 'Sample', group_by: ['tissue'] } },
      }),
    );
    dataOf(
      await api.GET('/api/v1/metadata/facets', {
        params: { query: { entity_type: 'Sample', of: ['tissue'] } },
      }),
    );
    dataOf(await api.GET('/api/v1/metadata/health'));
    dataOf(await api.GET('/api/v1/metadata'));
  });

  test('references that lead nowhere', async () => {
    const api = client();
    const type = { path: { entity_type: 'Sample' } };
    const dangling = { entity_type: 'Sample', id: 'dangling', data: { of: 'nowhere' } };
    dataOf(await api.POST('/api/v1/metadata/ingest', { body: dangling }));
    const { data: faults } = dataOf(
      await api.GET('/api/v1/metadata/schemas/{entity_type}/reference-faults', { params: type }),
    );
    expect(faults.items.map(({ reason }) => reason)).toEqual(['missing']);
    dataOf(
      await api.DELETE('/api/v1/metadata/entities/{entity_id}', {
        params: { path: { entity_id: 'dangling' } },
      }),
    );
  });

  test('entities as files', async () => {
    const api = client();
    for (const format of ['csv', 'ndjson'] as const) {
      const path = { entity_type: 'Sample', format };
      const table = '/api/v1/metadata/export/{entity_type}.{format}';
      expect(dataOf(await api.GET(table, { params: { path }, parseAs: 'text' }))).toContain('skin');
      const found = { params: { path, query: { q: 'liver' } }, parseAs: 'text' } as const;
      expect(dataOf(await api.GET('/api/v1/metadata/search/{entity_type}.{format}', found))).toMatch('liver');
    }
  });

  test('why an entity is as it is', async () => {
    const api = client();
    const one = { path: { entity_id: 'a' } };
    const { nodes } = dataOf(
      await api.GET('/api/v1/metadata/entities/{entity_id}/why', { params: one }),
    ).data;
    const time = nodes.find(({ kind }) => kind === 'EVENT')?.at ?? '';
    dataOf(await api.GET('/api/v1/metadata/events/{time}/why', { params: { path: { time } } }));
  });

  test('what differs between states of an entity, and between schemas', async () => {
    const api = client();
    const other = { path: { name: 'Sample' }, query: { to_name: 'Specimen' } };
    const specimen = { name: 'Specimen', version: '1', fields: [{ name: 'depth', field_type: 'float' }] };
    dataOf(await api.POST('/api/v1/metadata/schemas', { body: specimen as never })); // declared as any JSON
    dataOf(await api.GET('/api/v1/metadata/schemas/{name}/diff', { params: other }));
    dataOf(
      await api.GET('/api/v1/metadata/entities/{entity_id}/diff', {
        params: { path: { entity_id: 'a' }, query: { from: '2000-01-01T00:00:00Z' } },
      }),
    );
    dataOf(
      await api.GET('/api/v1/metadata/diff', {
        params: { query: { entity_type: 'Sample', from: '2000-01-01T00:00:00Z', limit: 2 } },
      }),
    );
    dataOf(
      await api.GET('/api/v1/metadata/search/diff', {
        params: { query: { entity_type: 'Sample', q: 'skin', from: '2000-01-01T00:00:00Z', limit: 2 } },
      }),
    );
  });

  test('availability, relationships and external ids', async () => {
    const api = client();
    const one = { path: { entity_id: 'a' } };
    dataOf(await api.GET('/api/v1/metadata/entities/{entity_id}/availability', { params: one }));
    dataOf(
      await api.POST('/api/v1/metadata/entities/{entity_id}/availability', {
        params: one,
        body: { is_available: true, reason: 'found again' },
      }),
    );
    const several = await api.POST('/api/v1/metadata/entities/{entity_type}/bulk-availability', {
      params: { path: { entity_type: 'Sample' } },
      body: { entity_ids: ['b', 'nobody'], available: true },
    });
    expect(several.response.status).toBe(207);
    dataOf(
      await api.POST('/api/v1/metadata/entities/{entity_type}/bulk-availability', {
        params: { path: { entity_type: 'Sample' } },
        body: { entity_ids: ['b'], available: true },
      }),
    );
    const made = await api.POST('/api/v1/metadata/entities/{entity_id}/relationships', {
      params: one,
      body: { target_entity_id: 'b', relationship_type: 'part_of', metadata: { by: 'ada' } },
    });
    dataOf(await api.GET('/api/v1/metadata/entities/{entity_id}/relationships', { params: one }));
    dataOf(
      await api.DELETE('/api/v1/metadata/entities/{entity_id}/relationships/{rel_id}', {
        params: { path: { entity_id: 'a', rel_id: dataOf(made).data.id } },
      }),
    );
    const external = { id_type: 'lab', external_id: 'x1' };
    dataOf(
      await api.POST('/api/v1/metadata/entities/{entity_id}/external-ids', { params: one, body: external }),
    );
    dataOf(await api.GET('/api/v1/metadata/entities/{entity_id}/external-ids', { params: one }));
    const named = '/api/v1/metadata/external-ids/{id_type}/{external_id}';
    dataOf(await api.GET(named, { params: { path: external } }));
    dataOf(await api.GET('/api/v1/metadata/external-ids', { params: { query: external } }));
    dataOf(
      await api.POST('/api/v1/metadata/entities/{entity_id}/supersede', {
        params: one,
        body: { old_external_id: 'x1', new_external_id: 'x2' },
      }),
    );
    dataOf(await api.GET('/api/v1/metadata/entities/{entity_id}/superseded', { params: one }));
    dataOf(
      await api.DELETE('/api/v1/metadata/entities/{entity_id}', { params: { path: { entity_id: 'c' } } }),
    );
  });

  test('files and DRS', async () => {
    const api = client();
    dataOf(await api.POST('/api/v1/metadata/schemas', { body: SAMPLE_FILE as never })); // declared as any JSON
    await addFileEntity(server, { id: 'f1', hex: hash, data: { size: 9, sha256: hash } });
    const text = { parseAs: 'text' } as const;
    dataOf(await api.GET('/api/v1/artifact/files/{sha256}', { params: { path: { sha256: hash } }, ...text }));
    dataOf(await api.GET('/api/v1/artifact/files/{sha256}/why', { params: { path: { sha256: hash } } }));
    const field = { path: { entity_id: 'f1', field: 'uri' } };
    dataOf(await api.GET('/api/v1/metadata/entities/{entity_id}/files/{field}', { params: field, ...text }));
    const object = { path: { object_id: 'f1' } };
    const OBJECT = '/api/v1/metadata/ga4gh/drs/v1/objects/{object_id}';
    const found = dataOf(await api.GET(OBJECT, { params: object }));
    dataOf(await api.POST(OBJECT, { params: object, body: {} }));
    dataOf(await api.OPTIONS(OBJECT, { params: object }));
    const access = found.access_methods?.find((method) => method.access_id !== undefined)?.access_id ?? '';
    dataOf(
      await api.GET('/api/v1/metadata/ga4gh/drs/v1/objects/{object_id}/access/{access_id}', {
        params: { path: { object_id: 'f1', access_id: access } },
      }),
    );
    const many = { bulk_object_ids: ['f1', 'f2'] };
    dataOf(await api.POST('/api/v1/metadata/ga4gh/drs/v1/objects', { body: many }));
    dataOf(await api.OPTIONS('/api/v1/metadata/ga4gh/drs/v1/objects', { body: many }));
    dataOf(
      await api.POST('/api/v1/metadata/ga4gh/drs/v1/objects/{object_id}/access/{access_id}', {
        params: { path: { object_id: 'f1', access_id: access } },
        body: {},
      }),
    );
    dataOf(
      await api.POST('/api/v1/metadata/ga4gh/drs/v1/objects/access', {
        body: { bulk_object_access_ids: [{ bulk_object_id: 'f1', bulk_access_ids: [access] }] },
      }),
    );
    dataOf(await api.GET('/api/v1/metadata/ga4gh/drs/v1/service-info'));
  });

  test('uploads, attached files and bulk loading', async () => {
    const api = client();
    const UPLOADS = '/api/v1/artifact/uploads';
    const tus = { 'tus-resumable': '1.0.0' };
    const raw = { bodySerializer: (body: unknown) => body }; // as it is given
    expect((await api.OPTIONS(UPLOADS)).response.status).toBe(204);
    const begin = async () =>
      dataOf(await api.POST(UPLOADS, { headers: { ...tus, 'upload-length': '4' } })) as { id: string };
    const upload = { path: { upload_id: (await begin()).id } };
    const ONE = '/api/v1/artifact/uploads/{upload_id}';
    dataOf(await api.GET(ONE, { params: upload }));
    const headers = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
    const sent = await api.PATCH(ONE, { params: upload, headers, body: 'abcd', ...raw });
    expect(sent.response.status).toBe(204);
    const other = { path: { upload_id: (await begin()).id } };
    expect((await api.DELETE(ONE, { params: other })).response.status).toBe(204);
    dataOf(await api.GET(UPLOADS));
    const content = 'the content of a file';
    const sha256 = createHash('sha256').update(content).digest('hex');
    dataOf(
      await api.PUT('/api/v1/artifact/files/{sha256}', {
        params: { path: { sha256 } },
        headers: { 'content-type': 'text/plain' },
        body: content,
        ...raw,
      }),
    );
    dataOf(
      await api.GET('/api/v1/artifact/files/{sha256}', { params: { path: { sha256 } }, parseAs: 'text' }),
    );
    dataOf(await api.GET('/api/v1/artifact/files'));
    dataOf(
      await api.PUT('/api/v1/metadata/entities/{entity_id}/files/{field}', {
        params: { path: { entity_id: 'f1', field: 'index' } },
        body: { hash: sha256 },
      }),
    );
    const row = { entity_type: 'Sample', id: 'd', data: { tissue: 'liver' } };
    dataOf(await api.POST('/api/v1/metadata/ingest/bulk', { body: [row] }));
    const refused = { ...row, id: 'e', data: { tissue: 7 } };
    const partly = await api.POST('/api/v1/metadata/ingest/bulk', { body: [row, refused] });
    expect(partly.response.status).toBe(207);
  });

  test('triggers and runs', async () => {
    const api = client();
    dataOf(await api.GET('/api/v1/workflow/triggers'));
    const hook = { path: { name: 'hook' } };
    dataOf(await api.GET('/api/v1/workflow/triggers/{name}', { params: hook }));
    dataOf(await api.GET('/api/v1/workflow/triggers/{name}/runs', { params: hook }));
    dataOf(await api.GET('/api/v1/workflow/triggers/{name}/observations', { params: hook }));
    dataOf(
      await api.POST('/api/v1/workflow/triggers/{name}/evaluate', {
        params: { path: { name: 'seen' } },
        body: { limit: 10 },
      }),
    );
    dataOf(
      await api.POST('/api/v1/workflow/triggers/{name}/pause', { params: hook, body: { reason: 'tried' } }),
    );
    dataOf(await api.POST('/api/v1/workflow/triggers/{name}/resume', { params: hook }));
    dataOf(await api.POST('/api/v1/workflow/triggers/{name}/run', { params: hook }));
    const action = { type: 'ingest', adapter: 'sheet' } as const;
    const run = dataOf(await api.POST('/api/v1/workflow/runs', { body: { action } }));
    const id = { path: { run_id: run.run_id } };
    dataOf(await api.GET('/api/v1/workflow/runs/{run_id}', { params: id }));
    dataOf(await api.GET('/api/v1/workflow/runs/{run_id}/why', { params: id }));
    await api.POST('/api/v1/workflow/runs/{run_id}/cancel', { params: id }); // it may have ended
    dataOf(await api.GET('/api/v1/workflow/runs/{run_id}/log', { params: id }));
    const { runs } = dataOf(await api.GET('/api/v1/workflow/runs', { params: { query: { limit: 2 } } }));
    const two = { path: { run_id: runs[1]?.run_id ?? '' }, query: { to: runs[0]?.run_id ?? '' } };
    dataOf(await api.GET('/api/v1/workflow/runs/{run_id}/diff', { params: two }));
    dataOf(await api.GET('/api/v1/workflow/runs', { params: { query: { limit: 5 } } }));
    await deliver('{}');
    const failed = async () => dataOf(await api.GET('/api/v1/workflow/deliveries')).deliveries;
    await expect.poll(failed).toHaveLength(1);
    dataOf(
      await api.POST('/api/v1/workflow/deliveries/{delivery_id}/redeliver', {
        params: { path: { delivery_id: (await failed())[0]?.delivery_id ?? '' } },
      }),
    );
  });

  test('keys, tokens, health and where components disagree', async () => {
    const api = client();
    const KEYS = '/api/v1/gateway/auth/api-keys';
    const made = dataOf(await api.POST(KEYS, { body: { label: 'mine', role: 'viewer' } }));
    dataOf(await api.GET(KEYS));
    const rotated = await api.POST(`${KEYS}/{key_id}/rotate`, { params: { path: { key_id: made.id } } });
    dataOf(
      await api.DELETE(`${KEYS}/{key_id}`, {
        params: { path: { key_id: dataOf(rotated).new_key.id } },
        body: { reason: 'lost' },
      }),
    );
    const AUTH = '/api/v1/gateway/auth';
    const credentials = { client_id: 'importer', client_secret: CLIENT_SECRET };
    const tokens = await api.POST(`${AUTH}/token`, {
      body: { grant_type: 'client_credentials', ...credentials },
    });
    dataOf(
      await api.POST(`${AUTH}/token/introspect`, {
        body: { token: dataOf(tokens).access_token, ...credentials },
      }),
    );
    dataOf(await api.POST(`${AUTH}/token/revoke`, { body: { token: dataOf(tokens).access_token } }));
    const refreshed = await api.POST(`${AUTH}/token/refresh`, {
      body: { grant_type: 'refresh_token', refresh_token: 'rt_unknown' },
    });
    expect(refreshed.response.status).toBe(401);
    dataOf(await api.GET(`${AUTH}/device`));
    dataOf(await api.POST(`${AUTH}/device`, { body: {} }));
    await api.GET(`${AUTH}/authorize`, { parseAs: 'text' }); // a page that refuses the client
    dataOf(await api.POST(`${AUTH}/sign-in-link`));
    dataOf(await api.GET(`${AUTH}/jwks.json`));
    dataOf(await api.POST(`${AUTH}/signing-keys/rotate`));
    dataOf(await api.GET('/.well-known/oauth-authorization-server'));
    dataOf(await api.GET('/.well-known/oauth-protected-resource'));
    dataOf(await api.GET('/api/v1/gateway/health'));
    dataOf(await api.GET('/api/v1/gateway/metrics', { parseAs: 'text' }));
    await server.database.pool.query(
      `INSERT INTO gateway.sync_event (id, event_type, source, source_id, actor, details, dedupe_key, created_at)
       VALUES ('evt_1', 'gateway.sync.mismatch', 'workflow', 'r1', 'service:x', '{"missing_entities": []}', '1', now())`,
    );
    const SYNC = '/api/v1/gateway/sync';
    dataOf(await api.GET(`${SYNC}/events`, { params: { query: { status: 'unresolved' } } }));
    const event = { path: { event_id: 'evt_1' } };
    dataOf(await api.GET(`${SYNC}/events/{event_id}`, { params: event }));
    dataOf(await api.POST(`${SYNC}/events/{event_id}/resolve`, { params: event, body: { note: 'done' } }));
    dataOf(await api.POST(`${SYNC}/scan`));
    dataOf(await api.GET(`${SYNC}/scan/latest`));
    dataOf(await api.GET('/api/v1/gateway/audit', { params: { query: { action: 'api_key', limit: 5 } } }));
    const subject = 'entity:a';
    dataOf(await api.GET('/api/v1/gateway/why', { params: { query: { subject } } }));
    const page = { params: { query: { limit: 1 } } };
    const { records } = dataOf(await api.GET('/api/v1/gateway/audit', page));
    const request = {
      path: { request_id: records[0]?.request_id ?? '' },
      query: { direction: 'forward' },
    } as const;
    dataOf(await api.GET('/api/v1/gateway/audit/{request_id}/why', { params: request }));
    dataOf(await api.GET('/api/v1/gateway/configuration'));
    const SIGN_INS = `${AUTH}/sign-ins` as const;
    const { sign_ins: signIns } = dataOf(await api.GET(SIGN_INS));
    const signIn = { params: { path: { sign_in_id: signIns[0]?.id ?? '' } } };
    dataOf(await api.DELETE(`${SIGN_INS}/{sign_in_id}`, signIn));
    dataOf(await api.DELETE(SIGN_INS, { params: { query: { actor: 'user:ada' } } }));
    dataOf(
      await api.GET('/api/v1/gateway/measurements', {
        params: {
          query: {
            names: ['runs_queued'],
            from: '2020-01-01T00:00:00Z',
            to: '2020-01-01T00:02:00Z',
            step: 60,
          },
        },
      }),
    );
  });

  test('backups', async () => {
    await server.database.pool.query(
      `INSERT INTO gateway.backup (id, kind, destination, encrypted, host, actor, status, bytes, position, lost_files, finished_at)
       VALUES ('20260131T093000Z-1f2e3d4c', 's3', 's3://institute-backups/cairn', true, 'cairn-1', 'os:cairn', 'completed', 73400320, 4711, 0, now())`,
    );
    const { backups } = dataOf(await client().GET('/api/v1/gateway/backups'));
    expect(backups.map(({ kind }) => kind)).toEqual(['s3']);
  });

  test.skipIf(!canRun)('rules, productions and stored files', async () => {
    const api = client();
    const BASE = '/api/v1/artifact';
    dataOf(await api.POST('/api/v1/metadata/schemas', { body: GREETING as never })); // declared as any JSON
    const rule = {
      name: 'greet',
      produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
      execute: { cwl_content: base64(GREET) },
    };
    const rehearsal = { params: { query: { dry_run: true } }, body: rule };
    expect((await api.POST(`${BASE}/rules`, rehearsal)).response.status).toBe(200);
    dataOf(await api.POST(`${BASE}/rules`, { body: rule }));
    dataOf(await api.GET(`${BASE}/rules`));
    dataOf(await api.GET(`${BASE}/rules/{name}`, { params: { path: { name: 'greet' } } }));
    const version = { path: { name: 'greet' }, query: { to: 'greet@1' } };
    dataOf(await api.GET(`${BASE}/rules/{name}/diff`, { params: version }));
    const asked = { entity_type: 'Greeting', fields: { sample: 's' } };
    const resolved = await api.GET(`${BASE}/resolve`, {
      params: { query: asked },
      querySerializer: ({ fields, ...query }) =>
        new URLSearchParams({ ...query, ...fields } as Record<string, string>).toString(),
    });
    expect(dataOf(resolved).decision).toBe('build');
    const produced = dataOf(
      await api.POST(`${BASE}/produce`, { body: { entity_type: 'Greeting', criteria: { sample: 's' } } }),
    );
    const id = { path: { id: produced.production_id ?? '' } };
    const production = async () => dataOf(await api.GET(`${BASE}/productions/{id}`, { params: id }));
    await expect.poll(async () => (await production()).status).toBe('completed');
    const again = { body: { entity_type: 'Greeting', criteria: { sample: 's' } } };
    expect((await api.POST(`${BASE}/produce`, again)).response.status).toBe(200);
    dataOf(await api.GET(`${BASE}/productions`));
    dataOf(await api.GET(`${BASE}/productions/{id}/why`, { params: id }));
    const { rule: by } = await production();
    dataOf(await api.GET(`${BASE}/rules/{name}/why`, { params: { path: { name: by ?? '' } } }));
    const itself = { ...id, query: { to: id.path.id } };
    dataOf(await api.GET(`${BASE}/productions/{id}/diff`, { params: itself }));
    dataOf(await api.DELETE(`${BASE}/productions/{id}`, { params: id }));
    const all = { entity_type: 'Greeting', partial_spec: { sample: 's' } };
    const { entities } = dataOf(await api.POST(`${BASE}/resolve_all`, { body: all }));
    const entity = { path: { entity_id: entities[0]?.id ?? '' } };
    dataOf(await api.GET(`${BASE}/staleness`, { params: { query: { entity_type: 'Greeting' } } }));
    dataOf(await api.GET(`${BASE}/refresh`, { params: { query: { entity_type: 'Greeting' } } }));
    dataOf(await api.POST(`${BASE}/refresh`, { body: { entity_type: 'Greeting' } }));
    dataOf(await api.GET(`${BASE}/staleness/{entity_id}`, { params: entity }));
    dataOf(await api.GET(`${BASE}/crates/{entity_id}`, { params: entity }));
    dataOf(await api.GET(`${BASE}/crates/{entity_id}/zip`, { params: entity, parseAs: 'arrayBuffer' }));
    const excluded = { params: entity, body: { reusable: false, reason: 'a test' } };
    dataOf(await api.PUT(`${BASE}/reuse/{entity_id}`, excluded));
    dataOf(await api.GET(`${BASE}/cache`));
    dataOf(await api.POST(`${BASE}/cache/verify`));
    dataOf(await api.DELETE(`${BASE}/cache/{hash}`, { params: { path: { hash } } }));
    dataOf(await api.DELETE(`${BASE}/cache`, { params: { query: { older_than: '0s' } } }));
    dataOf(
      await api.PATCH(`${BASE}/rules/{name}`, {
        params: { path: { name: 'greet' } },
        body: { status: 'deprecated', deprecation_note: 'a test' },
      }),
    );
  });

  test('an operation that takes a credential is refused as described without one', async () => {
    const validatorOf = validatorsOf(description);
    const faults: string[] = [];
    for (const [path, methods] of Object.entries(description.paths))
      for (const [method, { operationId, responses, security = [{}] }] of Object.entries(methods)) {
        if (security.length === 0) continue;
        const url = server.url + path.replaceAll(/\{\w+\}/g, 'a');
        const answer = await fetch(url, { method: method.toUpperCase() });
        const { schema = {} } = responses['4XX']?.content?.['application/json'] ?? {};
        const text = await answer.text();
        const fault = answer.status === 401 ? validatorOf(schema)(JSON.parse(text)) : 'not refused';
        if (fault !== null) faults.push(`${operationId}: ${fault}`);
      }
    expect(faults).toEqual(['gateway_metrics: not refused']); // to this machine
  });

  test('that a component does not answer is described of every operation', () => {
    const validatorOf = validatorsOf(description);
    const away = {
      ...{ error: 'component_unavailable', message: 'the component metadata does not answer' },
      ...{ request_id: '5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a', details: {}, component: 'metadata' },
      ...{ upstream_status: null, msg: 'the component metadata does not answer', status_code: 503 },
    };
    const others = Object.values(description.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId, responses }) => {
        const { content } = responses['503'] ?? responses['5XX'] ?? {};
        const { schema } = content?.['application/json'] ?? {};
        return schema && validatorOf(schema)(away) === null ? [] : operationId;
      }),
    );
    expect(others.filter((id) => !id.startsWith('gateway_'))).toEqual([]);
  });

  test('every operation has been called, and answered as described', () => {
    expect(checked.faults).toEqual([]);
    const others = checked.operations.filter(
      (id) => !checked.called.has(id) && id !== 'workflow_CancelRun', // the run may have ended before
    );
    expect(others.filter((id) => canRun || !id.startsWith('artifact_'))).toEqual(UNSUCCESSFUL);
  });

  test('every answer in JSON or text has an example, with the members that it has', async () => {
    const examples = examplesOf(checked.answers);
    if (process.env['CAIRN_WRITE_EXAMPLES'] !== undefined) {
      const before = readExamples();
      const both = Object.entries(examples).map(([id, statuses]) => [id, { ...before[id], ...statuses }]);
      const all: unknown = { ...before, ...Object.fromEntries(both) };
      await writeFile(EXAMPLES_FILE, `${JSON.stringify(all, null, 2)}\n`);
    }
    const known = readExamples();
    expect(Object.keys(known).filter((id) => !checked.operations.includes(id))).toEqual([]);
    for (const [id, statuses] of Object.entries(examples))
      for (const [status, medias] of Object.entries(statuses))
        for (const [type, answer] of Object.entries(medias))
          expect(namesIn(known[id]?.[status]?.[type]), `${id} ${status}: see CONTRIBUTING.md`).toEqual(
            namesIn(answer),
          );
  });

  test('every operation has examples of what it takes and answers, as its schemas say', () => {
    expect(examplesMissing(description)).toEqual([]);
    expect(examplesRefused(description)).toEqual([]);
  });
});

/** What only succeeds after a sign-in in a browser. */
const UNSUCCESSFUL = ['gateway_refreshToken', 'gateway_authorize'];

async function deliver(body: string): Promise<void> {
  const signature = createHmac('sha256', HOOK_SECRET).update(body).digest('hex');
  const headers = { 'x-signature': `sha256=${signature}` };
  const { status, text } = await server.rest('POST', '/api/v1/workflow/hooks/lab', {
    body,
    key: null,
    headers,
  });
  if (status >= 300) throw new Error(`${status} ${text}`);
}
