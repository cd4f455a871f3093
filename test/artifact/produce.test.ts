// docs/reference/artifact.md#producing, docs/reference/artifact.md#productions,
// docs/reference/artifact.md#eviction: reuse, build, deduplication, failures, eviction.
import { readdir, readFile, rm, writeFile, chmod } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../testkit/server.ts';
import {
  addRule,
  addSchema,
  canRun,
  ended,
  GREET,
  GREETING,
  produce,
  shell,
  startProducer,
  storedFile,
} from './production-testkit.ts';

let server: TestServer;
const MATCH = { produces: { entity_type: 'Greeting', match: { sample: '{sample}' } } };
const greeting = (sample: string, more: Record<string, unknown> = {}) => ({
  entity_type: 'Greeting',
  criteria: { sample },
  ...more,
});
const events = async (id: string) =>
  (await server.rest('GET', `/api/v1/metadata/entities/${id}/history`)).body.data;
const entity = async (id: string) => (await server.rest('GET', `/api/v1/metadata/entities/${id}`)).body.data;

beforeAll(async () => {
  server = await startProducer();
  await addSchema(server, GREETING);
  await addRule(server, 'greet', GREET, MATCH);
});
afterAll(() => server[Symbol.asyncDispose]());

test.skipIf(!canRun)(
  'a missing entity is built, stored under its hash and written with provenance; a second request reuses it',
  async () => {
    const first = await server.rest('POST', '/api/v1/artifact/produce', { body: greeting('s1') });
    expect(first).toMatchObject({
      status: 202,
      body: {
        status: expect.stringMatching(/^(queued|running)$/),
        poll_url: `/api/v1/artifact/productions/${first.body.production_id}`,
        decision: 'build',
        rule: 'greet@1',
      },
    });
    const production = await ended(server, first.body.production_id);
    expect(production, JSON.stringify(production)).toMatchObject({
      status: 'completed',
      error: null,
      rule: 'greet@1',
      runner: expect.stringMatching(/^cwltool /),
      requested_by: 'user:admin',
      inputs: { sample: 's1' },
    });
    const [id] = production.entity_ids;
    const made = await entity(id);
    const file = storedFile(server, made.data.uri);
    expect(await readFile(file, 'utf8')).toBe('hello s1\n');
    expect(made.data).toMatchObject({ sample: 's1', mood: 'plain', size: 9, sha256: path.basename(file) });
    const { body: history } = await server.rest('GET', `/api/v1/metadata/entities/${id}/history`);
    expect(history.data.items?.[0] ?? history.data[0]).toMatchObject({
      event_type: 'EntityCreated',
      actor: 'service:artifact',
      context: {
        production: production.production_id,
        rule: 'greet@1',
        cwl_hash: expect.stringMatching(/^sha256:/),
        runner: production.runner,
        inputs: { sample: 's1' },
        requested_by: 'user:admin',
      },
    });

    const again = await server.rest('POST', '/api/v1/artifact/produce', { body: greeting('s1') });
    expect(again).toMatchObject({
      status: 200,
      body: {
        status: 'completed',
        decision: 'reuse',
        production_id: null,
        entity: { id },
        uri: made.data.uri,
        plan: { reason: expect.stringContaining('is stored, available and matches') },
      },
    });
    const graph = await server.graphql(
      'query($id: ID!) { entity(id: $id) { producedBy { id rule } artifacts { hash size } } }',
      { id },
    );
    expect(graph.body.data.entity).toMatchObject({
      producedBy: { id: production.production_id, rule: 'greet@1' },
      artifacts: [{ hash: `sha256:${path.basename(file)}`, size: 9 }],
    });
  },
);

test.skipIf(!canRun)(
  'fifty equal concurrent requests are one production, and each gets its result',
  async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        server.rest('POST', '/api/v1/artifact/produce', { body: greeting('fifty') }),
      ),
    );
    const given = await Promise.all(
      answers.map(async ({ status, body }) =>
        status === 202 ? (await ended(server, body.production_id)).entity_ids[0] : body.entity.id,
      ),
    ); // late requests find the result
    expect(new Set(given).size).toBe(1);
    expect(
      (await server.rest('GET', '/api/v1/metadata/entities?entity_type=Greeting&sample=fifty')).body.data
        .items,
    ).toMatchObject([{ id: given[0] }]);
    const { rows } = await server.database.pool.query(
      `SELECT count(*) FILTER (WHERE runner IS NOT NULL)::int AS built FROM artifact.production WHERE criteria @> '{"sample": "fifty"}'`,
    );
    expect(rows).toEqual([{ built: 1 }]);
  },
);

test.skipIf(!canRun)(
  'Prefer: wait answers with the entity when it is made in time; when not, with the production',
  async () => {
    const { status, body } = await server.rest('POST', '/api/v1/artifact/produce', {
      body: greeting('waited'),
      headers: { prefer: 'respond-async, wait=20' },
    });
    if (status === 202) {
      // a slow machine
      expect(body).toMatchObject({ status: expect.stringMatching(/^(queued|running)$/), entity: null });
      expect((await ended(server, body.production_id)).status).toBe('completed');
    } else
      expect({ status, body }).toMatchObject({
        status: 200,
        body: {
          status: 'completed',
          decision: 'reuse',
          entity: { fields: { sample: 'waited' } },
          production_id: expect.any(String),
        },
      });
  },
);

test.skipIf(!canRun)(
  'parameters are inputs of the workflow; a result that was made with others is not reused, and the plan says so',
  async () => {
    const first = await produce(server, greeting('param', { parameters: { mood: 'glad' } }));
    expect(first.body.entity?.fields).toMatchObject({ mood: 'glad' });
    expect((await produce(server, greeting('param', { parameters: { mood: 'glad' } }))).body).toMatchObject({
      decision: 'reuse',
      production_id: null,
    });
    const other = await server.rest('POST', '/api/v1/artifact/produce', {
      body: greeting('param', { parameters: { mood: 'sad' } }),
    });
    expect(other.body.plan.reason).toContain(
      `${first.body.entity.id} matches but was made with mood = "glad", not "sad"`,
    );
    expect((await ended(server, other.body.production_id)).status).toBe('completed');
    expect(
      await server.rest('POST', '/api/v1/artifact/produce', {
        body: greeting('param', { parameters: { colour: 'red' } }),
      }),
    ).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('greet@1 has no input colour') },
    });
  },
);

test.skipIf(!canRun)('a failure is reported and not cached: the next request starts again', async () => {
  await addSchema(server, { ...GREETING, name: 'Broken' });
  await addRule(
    server,
    'broken',
    shell(
      'echo why >&2; exit 3',
      'sample: string',
      'uri: {type: File, outputBinding: {glob: a}}\nsample: string',
    ),
    { produces: { entity_type: 'Broken', match: { sample: '{sample}' } } },
  );
  const body = { entity_type: 'Broken', criteria: { sample: 'x' } };
  const first = await produce(server, body);
  expect(first.body).toMatchObject({
    status: 'failed',
    error: { code: 'workflow_failed' },
    entity_ids: [],
    log: expect.stringContaining('why'),
  });
  const second = await produce(server, body);
  expect(second.body).toMatchObject({ status: 'failed' });
  expect(second.body.production_id).not.toBe(first.body.production_id);
});

test.skipIf(!canRun)(
  'a container image that is no longer allowed, or a limit that is lower now, is refused when it is to run',
  async () => {
    await using strict = await startProducer('artifact: {allowed_images: ["quay.io/*"]}');
    await addSchema(strict, GREETING);
    await addRule(strict, 'greet', GREET, MATCH);
    const failureWith = async (demands: string, sample: string): Promise<unknown> => {
      await strict.database.pool.query(
        `UPDATE artifact.workflow SET parsed = jsonb_set(parsed::jsonb, '{demands}', parsed::jsonb->'demands' || $1::jsonb)`,
        [demands], // as if it had been registered under another configuration
      );
      return (await produce(strict, greeting(sample))).body.error;
    };
    expect(await failureWith('{"images": ["docker.io/library/alpine"]}', 'a')).toMatchObject({
      code: 'image_not_allowed',
    });
    expect(await failureWith('{"images": [], "resources": {"coresMin": 4000}}', 'b')).toMatchObject({
      code: 'limit_exceeded',
    });
  },
);

test.skipIf(!canRun)('a required output that is missing is a failure, and nothing is written', async () => {
  await addSchema(server, { ...GREETING, name: 'Lacking' });
  await addRule(
    server,
    'lacking',
    shell(
      'true',
      'sample: string',
      "uri: {type: File, outputBinding: {glob: '*.txt', outputEval: '$(self.length ? self[0] : null)'}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
    ),
    { produces: { entity_type: 'Lacking', match: { sample: '{sample}' } } },
  );
  expect((await produce(server, { entity_type: 'Lacking', criteria: { sample: 'x' } })).body).toMatchObject({
    status: 'failed',
  });
  expect(
    (await server.rest('GET', '/api/v1/metadata/entities?entity_type=Lacking&include_unavailable=true')).body
      .data.total,
  ).toBe(0);
});

test.skipIf(!canRun)('a production with a plan hash runs that plan and no other', async () => {
  const {
    body: { plan_hash: hash },
  } = await server.rest('GET', '/api/v1/artifact/resolve?entity_type=Greeting&sample=hashed');
  const wrong = await server.rest('POST', '/api/v1/artifact/produce', {
    body: greeting('hashed', { plan_hash: `sha256:${'0'.repeat(64)}` }),
  });
  expect(wrong).toMatchObject({
    status: 409,
    body: {
      error: 'conflict',
      details: { plan_hash: hash, difference: [expect.stringContaining('Greeting is produced by greet@1')] },
    },
  });
  expect((await produce(server, greeting('hashed', { plan_hash: hash }))).body).toMatchObject({
    decision: 'reuse',
  });
});

test.skipIf(!canRun)(
  'an entity whose file is missing or changed is not reused: it becomes unavailable, is produced again and becomes available',
  async () => {
    const {
      body: { entity: made },
    } = await produce(server, greeting('lost'));
    const file = storedFile(server, made.uri);
    await rm(file);
    const again = await produce(server, greeting('lost'));
    expect(again.body).toMatchObject({ status: 'completed', production_id: expect.any(String) });
    expect(again.body.entity.id).toBe(made.id); // one identity, one entity
    expect((await events(made.id)).slice(1)).toMatchObject([
      { event_type: 'AvailabilityChanged', payload: { current: false } },
      {
        event_type: 'AvailabilityChanged',
        payload: { previous: false, current: true, reason: 'produced again' },
        context: { production: again.body.production_id },
      },
    ]);

    await chmod(file, 0o644);
    await writeFile(file, 'hacked!!\n');
    const third = await produce(server, greeting('lost'));
    expect(third.body).toMatchObject({ production_id: expect.any(String), entity: { id: made.id } });
    expect(await readFile(file, 'utf8')).toBe('hello lost\n');
  },
);

test.skipIf(!canRun)(
  'a rejected result is not reused and shows the reason; the rejection can be taken back',
  async () => {
    const {
      body: { entity: made },
    } = await produce(server, greeting('ruled'));
    expect(
      await server.rest('PUT', `/api/v1/artifact/reuse/${made.id}`, { body: { reusable: false } }),
    ).toMatchObject({ status: 422 });
    expect(
      await server.rest('PUT', `/api/v1/artifact/reuse/${made.id}`, {
        body: { reusable: false, reason: 'wrong sample' },
      }),
    ).toMatchObject({ status: 200, body: { reason: 'wrong sample', actor: 'user:admin' } });
    const { body } = await server.rest('GET', '/api/v1/artifact/resolve?entity_type=Greeting&sample=ruled');
    expect(body).toMatchObject({
      decision: 'build',
      plan: {
        reason: expect.stringContaining(
          `${made.id} matches but is excluded from reuse (user:admin: wrong sample)`,
        ),
      },
    });
    await server.rest('PUT', `/api/v1/artifact/reuse/${made.id}`, { body: { reusable: true } });
    expect(
      (await server.rest('GET', '/api/v1/artifact/resolve?entity_type=Greeting&sample=ruled')).body,
    ).toMatchObject({ decision: 'reuse', entity: { id: made.id } });
    expect(
      (await server.rest('PUT', '/api/v1/artifact/reuse/never', { body: { reusable: true } })).status,
    ).toBe(404);
  },
);

test.skipIf(!canRun)(
  'evicting takes files away and keeps entities, unavailable, with an event that says so',
  async () => {
    const {
      body: { entity: made },
    } = await produce(server, greeting('evicted'));
    const hash = made.uri.slice(-64);
    expect((await server.rest('DELETE', '/api/v1/artifact/cache')).status).toBe(400);
    for (const age of ['1d', '999999999w'])
      expect((await server.rest('DELETE', `/api/v1/artifact/cache?older_than=${age}`)).body).toEqual({
        evicted: 0,
        bytes: 0,
      });
    expect((await server.rest('DELETE', `/api/v1/artifact/cache/${'0'.repeat(64)}`)).status).toBe(404);
    expect(await server.rest('DELETE', `/api/v1/artifact/cache/sha256:${hash}`)).toMatchObject({
      status: 200,
      body: { evicted: 1, bytes: 14 },
    });
    expect(await server.rest('DELETE', `/api/v1/artifact/cache/${hash}`)).toMatchObject({
      status: 200,
      body: { evicted: 0, bytes: 0 },
    });
    expect(await entity(made.id)).toMatchObject({ is_available: false, data: made.fields });
    expect(
      (
        await server.graphql('query($id: ID!) { entity(id: $id) { artifacts { evictedAt } } }', {
          id: made.id,
        })
      ).body.data.entity.artifacts[0].evictedAt,
    ).toEqual(expect.any(String));
    const analyst = await server.newKey({ role: 'project_lead' });
    expect((await server.rest('DELETE', '/api/v1/artifact/cache/*', { key: analyst })).status).toBe(403);
  },
);

test.skipIf(!canRun)(
  'verification reads the store through and tells what is missing or damaged',
  async () => {
    const {
      body: { entity: a },
    } = await produce(server, greeting('verify-a'));
    const {
      body: { entity: b },
    } = await produce(server, greeting('verify-b'));
    await rm(storedFile(server, a.uri));
    await chmod(storedFile(server, b.uri), 0o644);
    await writeFile(storedFile(server, b.uri), 'x');
    const { body } = await server.rest('POST', '/api/v1/artifact/cache/verify');
    expect(body).toMatchObject({
      missing: [`sha256:${a.uri.slice(-64)}`],
      damaged: [`sha256:${b.uri.slice(-64)}`],
      last: null,
    });
    await server.rest('DELETE', '/api/v1/artifact/cache/*');
    expect((await server.rest('POST', '/api/v1/artifact/cache/verify')).body).toEqual({
      checked: 0,
      missing: [],
      damaged: [],
      last: null,
    });
  },
);

test.skipIf(!canRun)(
  'cancelling stops a production that nobody else waits for, and leaves no process and no file',
  async () => {
    await addSchema(server, { ...GREETING, name: 'Slow' });
    await addRule(
      server,
      'slow',
      shell('sleep 300', 'sample: string', 'uri: {type: File, outputBinding: {glob: a}}\nsample: string'),
      { produces: { entity_type: 'Slow', match: { sample: '{sample}' } } },
    );
    const other = await server.newKey({ role: 'analyst', owner: 'user:olga' });
    const body = { entity_type: 'Slow', criteria: { sample: 'x' } };
    const {
      body: { production_id: id },
    } = await server.rest('POST', '/api/v1/artifact/produce', { body });
    expect(
      (await server.rest('POST', '/api/v1/artifact/produce', { body, key: other })).body.production_id,
    ).toBe(id);
    for (;;)
      if ((await server.rest('GET', `/api/v1/artifact/productions/${id}`)).body.status === 'running') break;
    expect((await server.rest('DELETE', `/api/v1/artifact/productions/${id}`)).body).toMatchObject({
      status: 'running',
      waiters: 1,
    });
    expect(
      (await server.rest('DELETE', `/api/v1/artifact/productions/${id}`, { key: other })).body,
    ).toMatchObject({ status: 'cancelled', waiters: 0 });
    await expect
      .poll(() => readdir(path.join(server.dataDir, 'artifact-runs')), { timeout: 60_000 })
      .toEqual([]);
    expect((await server.rest('DELETE', '/api/v1/artifact/productions/never')).status).toBe(404);
  },
);

test('without a usable runner everything else works, and a build is 503 with what to install', async () => {
  await using bare = await startProducer(
    'artifact: {runner: {type: cwltool, command: cwltool-that-is-not-there}}\n',
  );
  await addSchema(bare, GREETING);
  await addRule(bare, 'greet', GREET, MATCH);
  await bare.rest('POST', '/api/v1/metadata/ingest', {
    body: { entity_type: 'Greeting', id: 'g', data: { uri: 'https://files.test/g', sample: 'there' } },
  });
  expect(await bare.rest('POST', '/api/v1/artifact/produce', { body: greeting('there') })).toMatchObject({
    status: 200,
    body: { decision: 'reuse', entity: { id: 'g' } },
  });
  expect(await bare.rest('POST', '/api/v1/artifact/produce', { body: greeting('new') })).toMatchObject({
    status: 503,
    body: { error: 'runner_unavailable', message: expect.stringContaining('apt-get install cwltool') },
  });
  expect(
    (await bare.rest('GET', '/api/v1/artifact/resolve?entity_type=Greeting&sample=new')).body.decision,
  ).toBe('build');
});

test('a viewer may not produce; nothing stored and no rule is 404', async () => {
  const viewer = await server.newKey({ role: 'viewer' });
  expect(
    (await server.rest('POST', '/api/v1/artifact/produce', { key: viewer, body: greeting('s1') })).status,
  ).toBe(403);
  await addSchema(server, { ...GREETING, name: 'Unmade' });
  expect(
    (
      await server.rest('POST', '/api/v1/artifact/produce', {
        body: { entity_type: 'Unmade', criteria: { sample: 'x' } },
      })
    ).status,
  ).toBe(404);
  expect((await server.rest('POST', '/api/v1/artifact/produce', { body: { criteria: {} } })).status).toBe(
    422,
  );
});

test('who asks for an entity of a project that they are not in is refused, by REST as by GraphQL; parameters that are null are none', async () => {
  const sam = await server.newKey({ role: 'analyst', owner: 'user:sam', project: 'alpha' });
  const criteria = { sample: 'scoped', project: 'beta' };
  expect(
    await server.rest('POST', '/api/v1/artifact/produce', {
      key: sam,
      body: { entity_type: 'Greeting', criteria },
    }),
  ).toMatchObject({ status: 403, body: { error: 'project_scope_denied' } });
  expect(
    (
      await server.graphql(
        'mutation($criteria: JSON!) { produceArtifact(entityType: "Greeting", criteria: $criteria) { decision } }',
        { criteria },
        { key: sam },
      )
    ).body.errors,
  ).toMatchObject([{ extensions: { code: 'PROJECT_SCOPE_DENIED' } }]);
  expect(
    await server.rest('POST', '/api/v1/artifact/resolve_all', {
      body: { entity_type: 'Greeting', partial_spec: null, limit: null, cursor: null },
    }),
  ).toMatchObject({ status: 200, body: { entities: expect.any(Array) } });
  expect((await server.rest('GET', '/api/v1/artifact/rules/greet@01')).status).toBe(404);
});
