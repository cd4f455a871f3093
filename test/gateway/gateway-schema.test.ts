// The gateway's own functions in GraphQL: the same services, rules and roles as REST.
import { expect, test } from 'vitest';
import { allows } from '../../platform/permissions.ts';
import type { ComponentResult } from '../../platform/component.ts';
import type { Identity, Role } from '../../platform/identity.ts';
import { openApiKeys } from '../../router/api-keys/open-api-keys.ts';
import { openCredentialInvalidation } from '../../router/credential-invalidation/credential-invalidation.ts';
import { createGatewayComponent } from '../../router/gateway-schema/component.ts';
import { gatewayPermissions } from '../../router/gateway-schema/nouns.ts';
import { createHealth } from '../../router/health/health.ts';
import { createSyncStore } from '../../router/sync/sync.store.ts';
import { createSync } from '../../router/sync/sync.service.ts';
import { freshDatabase, testLog } from '../testkit/database.ts';
import { restOfGateway } from '../testkit/rest-of-gateway.ts';

async function* nothing(): AsyncGenerator<never> {
  yield* [];
}

async function open() {
  const database = await freshDatabase();
  const invalidation = await openCredentialInvalidation({
    db: database.pool,
    listen: database.listen,
    log: testLog,
  });
  const access = openApiKeys({ pool: database.pool, invalidation, log: testLog });
  const sync = createSync({
    store: createSyncStore(database),
    log: testLog,
    deps: { declared: nothing, exist: () => Promise.resolve([]) },
  });
  const health = createHealth({
    components: {
      metadata: { url: 'x', timeoutMs: 100, latencyObjectiveMs: 100, probe: () => Promise.resolve(404) },
    },
    storeAnswers: () => Promise.resolve(true),
    cacheMs: 0,
  });
  const component = createGatewayComponent({ keys: access.keys, sync, health, ...restOfGateway });
  return {
    database,
    component,
    ask: (
      source: string,
      role: Role,
      variables: Record<string, unknown> = {},
      projects: Identity['projects'] = '*',
    ): Promise<ComponentResult> =>
      component.prepare(source)(variables, {
        actor: `user:${role}`,
        roles: [role],
        projects,
        requestId: 'r',
      }),
    async [Symbol.asyncDispose]() {
      await sync.close();
      await access.close();
      await invalidation.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

test('me is the caller', async () => {
  await using gateway = await open();
  const me = '{ me { actor roles projects } }';
  expect((await gateway.ask(me, 'viewer')).data).toEqual({
    me: { actor: 'user:viewer', roles: ['viewer'], projects: null },
  });
  expect((await gateway.ask(me, 'analyst', {}, ['p1'])).data).toEqual({
    me: { actor: 'user:analyst', roles: ['analyst'], projects: ['p1'] },
  });
});

test('keys are created, listed, rotated and revoked', async () => {
  await using gateway = await open();
  const made = await gateway.ask(
    'mutation ($input: ApiKeyInput!) { createApiKey(input: $input) { secret key { id label role owner createdBy project } } }',
    'analyst',
    { input: { label: 'x', role: 'viewer', project: 'p1' } },
  );
  expect(made.errors).toBeUndefined();
  const {
    createApiKey: { secret, key },
  } = made.data as { createApiKey: { secret: string; key: { id: string } } };
  expect(secret).toMatch(/^sk_/);
  expect(key).toMatchObject({
    label: 'x',
    role: 'viewer',
    owner: 'user:analyst',
    createdBy: 'user:analyst',
    project: 'p1',
  });
  const rotated = await gateway.ask(
    'mutation ($id: ID!) { rotateApiKey(id: $id) { created { secret key { id } } revoked { id revokedAt } } }',
    'analyst',
    { id: key.id },
  );
  const { rotateApiKey } = rotated.data as {
    rotateApiKey: { created: { secret: string; key: { id: string } }; revoked: { id: string } };
  };
  expect(rotateApiKey.revoked.id).toBe(key.id);
  const revoked = await gateway.ask(
    'mutation ($id: ID!) { revokeApiKey(id: $id, reason: "done") { id revokedAt } }',
    'analyst',
    { id: rotateApiKey.created.key.id },
  );
  expect(revoked.data).toMatchObject({ revokeApiKey: { id: rotateApiKey.created.key.id } });
  const listed = await gateway.ask('{ apiKeys { keys { id revokedAt } nextCursor } }', 'analyst');
  expect(listed.data).toMatchObject({
    apiKeys: { keys: [{ id: key.id }, { id: rotateApiKey.created.key.id }], nextCursor: null },
  });
  const refused = await gateway.ask(
    'mutation { createApiKey(input: {label: "x", role: admin}) { secret } }',
    'analyst',
  );
  expect(refused.errors?.[0]?.extensions).toMatchObject({
    code: 'INSUFFICIENT_ROLE',
    details: { required_role: 'admin' },
  });
});

test('scans, sync events and health can be read', async () => {
  await using gateway = await open();
  expect(
    (await gateway.ask('{ latestScan { scanId } syncEvent(id: "evt_x") { id } }', 'admin')).data,
  ).toEqual({ latestScan: null, syncEvent: null });
  expect((await gateway.ask('mutation { startScan { scanId status } }', 'admin')).data).toMatchObject({
    startScan: { status: 'started' },
  });
  await gateway.database.pool.query(
    `INSERT INTO gateway.sync_event (id, event_type, source, source_id, actor, details, dedupe_key) VALUES ('evt_1', 'gateway.sync.mismatch', 's', 'i', 'a', '{"missing_entities":[]}', 'k')`,
  );
  expect(
    (await gateway.ask('{ syncEvents { total events { id resolved details } } }', 'admin')).data,
  ).toEqual({
    syncEvents: { total: 1, events: [{ id: 'evt_1', resolved: false, details: { missing_entities: [] } }] },
  });
  expect(
    (
      await gateway.ask(
        'mutation { resolveSyncEvent(id: "evt_1", note: "n") { resolved resolvedBy note } }',
        'admin',
      )
    ).data,
  ).toEqual({ resolveSyncEvent: { resolved: true, resolvedBy: 'user:admin', note: 'n' } });
  expect(
    (await gateway.ask('mutation { resolveSyncEvent(id: "evt_1") { id } }', 'admin')).errors?.[0]?.extensions,
  ).toMatchObject({ code: 'CONFLICT' });
  expect(
    (await gateway.ask('{ health { status bridge components { name status detail } } }', 'viewer')).data,
  ).toEqual({
    health: {
      status: 'degraded',
      bridge: 'healthy',
      components: [{ name: 'metadata', status: 'degraded', detail: 'http_404' }],
    },
  });
});

test('every root field requires its role', async () => {
  await using gateway = await open();
  for (const [coordinate, permission] of Object.entries(gatewayPermissions)) {
    const [root, field = ''] = coordinate.split('.');
    const type = gateway.component.schema.getType(root ?? '');
    expect(type).toBeDefined();
    const call: Record<string, string> = {
      me: 'me { actor }',
      apiKeys: 'apiKeys { nextCursor }',
      syncEvents: 'syncEvents { total }',
      syncEvent: 'syncEvent(id: "x") { id }',
      latestScan: 'latestScan { scanId }',
      auditRecords: 'auditRecords { nextCursor }',
      configuration: 'configuration { file }',
      knownActors: 'knownActors { nextCursor }',
      authClients: 'authClients { id }',
      signIns: 'signIns(actor: "user:service") { nextCursor }',
      endSignIn: 'endSignIn(id: "x") { actor }',
      signOutEverywhere: 'signOutEverywhere { actor }',
      health: 'health { status }',
      systemMetrics: 'systemMetrics { step }',
      backups: 'backups { nextCursor }',
      createApiKey: 'createApiKey(input: {label: "x", role: viewer}) { secret }',
      revokeApiKey: 'revokeApiKey(id: "x") { id }',
      rotateApiKey: 'rotateApiKey(id: "x") { revoked { id } }',
      resolveSyncEvent: 'resolveSyncEvent(id: "x") { id }',
      startScan: 'startScan { scanId }',
      why: 'why(subject: "entity:x") { nextCursor }',
    };
    const answer = await gateway.ask(
      `${root === 'Mutation' ? 'mutation' : 'query'} { ${call[field]} }`,
      'service',
    );
    const refused =
      answer.errors?.some(({ extensions }) => extensions?.['code'] === 'INSUFFICIENT_ROLE') ?? false;
    const service = { actor: 'service:x', roles: ['service'], projects: '*' } as const;
    expect([coordinate, refused]).toEqual([coordinate, !allows(service, permission)]);
  }
});
