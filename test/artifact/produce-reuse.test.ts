// What is reused, rejected, evicted, verified and cancelled.
import { readdir, readFile, rm, writeFile, chmod } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  addRule,
  addSchema,
  canRun,
  GREET,
  GREETING,
  produce,
  shell,
  startProducer,
  storedFile,
} from './production-testkit.ts';
import { MATCH, greeting, server, entity, setUp } from './produce-testkit.ts';

const events = async (id: string) =>
  (await server.rest('GET', `/api/v1/metadata/entities/${id}/history`)).body.data;

setUp();

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
    await expect.poll(() => readdir(path.join(server.dataDir, 'artifact-runs'))).toEqual([]);
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
