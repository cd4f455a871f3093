// How API keys expire, end and are rotated.
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ensureAdminKey } from '../../router/api-keys/ensure-admin-key.ts';
import { generateSecret } from '../../router/api-keys/key-secret.ts';
import { freshDatabase } from '../testkit/database.ts';
import { startGateway } from './gateway-testkit.ts';
import { KEYS, ENTITY, type KeyAnswer, create, errorOf } from './api-keys-testkit.ts';

test('a key expires at the instant that was named, whatever its offset', async () => {
  await using gateway = await startGateway();
  const admin = await gateway.keyFor('admin');
  for (const [sent, kept] of [
    ['2099-06-01T12:00:00.123456+05:30', '2099-06-01T06:30:00.123456Z'],
    ['2099-06-01', '2099-06-01T00:00:00.000000Z'],
    ['2099-06-01T10:00', '2099-06-01T10:00:00.000000Z'],
    ['2099-06-01t10:00:00z', '2099-06-01T10:00:00.000000Z'],
  ] as const)
    expect((await create(gateway, admin, { label: 'x', role: 'viewer', expires: sent })).body.expires).toBe(
      kept,
    );
});

test('a revoked key stops at once in every process; revoking again answers the first time', async () => {
  await using gateway = await startGateway();
  await using other = await startGateway({ database: gateway.database });
  const admin = await gateway.keyFor('admin');
  const {
    body: { id, secret },
  } = await create(gateway, admin, { label: 'x', role: 'viewer' });
  for (const process of [gateway, other])
    expect((await process.fetch(ENTITY, { key: secret })).status).toBe(200);
  const revoked = (await (
    await gateway.fetch(`${KEYS}/${id}`, {
      key: admin,
      method: 'DELETE',
      body: '{"reason":"lost"}',
      headers: { 'content-type': 'application/json' },
    })
  ).json()) as { revoked_at: string };
  expect(revoked).toEqual({ id, revoked: true, revoked_at: expect.stringMatching(/\.\d{6}Z$/) as string });
  expect(await errorOf(await gateway.fetch(ENTITY, { key: secret }))).toEqual([401, 'revoked_token']);
  await expect
    .poll(async () => (await other.fetch(ENTITY, { key: secret })).status, { timeout: 500, interval: 10 })
    .toBe(401);
  const again = await gateway.fetch(`${KEYS}/${id}`, { key: admin, method: 'DELETE' });
  expect([again.status, await again.json()]).toEqual([200, revoked]);
  expect((await gateway.fetch(`${KEYS}/${id}/rotate`, { key: admin, method: 'POST' })).status).toBe(409);
  const { rows } = await gateway.database.pool.query(
    'SELECT revoke_reason, revoked_by FROM gateway.api_key WHERE id = $1',
    [id],
  );
  expect(rows).toEqual([{ revoke_reason: 'lost', revoked_by: 'user:admin' }]);
});

test('a revocation whose notification is lost takes effect within two seconds', async () => {
  await using gateway = await startGateway();
  const key = await gateway.keyFor('viewer');
  expect((await gateway.fetch(ENTITY, { key })).status).toBe(200);
  await gateway.database.pool.query('UPDATE gateway.api_key SET revoked_at = now()');
  await expect
    .poll(async () => (await gateway.fetch(ENTITY, { key })).status, { timeout: 2500, interval: 100 })
    .toBe(401);
});

test('one of fifty concurrent rotations succeeds; the old key is refused, the new one has its rights', async () => {
  await using gateway = await startGateway();
  const admin = await gateway.keyFor('admin');
  const { body: old } = await create(gateway, admin, {
    label: 'x',
    role: 'viewer',
    project: 'p1',
    expires: '2099-01-01T00:00:00Z',
  });
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      gateway.fetch(`${KEYS}/${old.id}/rotate`, { key: admin, method: 'POST' }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(49);
  const winner = answers.find(({ status }) => status === 200);
  const { new_key: next, revoked_key: dead } = (await winner?.json()) as {
    new_key: KeyAnswer;
    revoked_key: { id: string; revoked_at: string };
  };
  expect(next).toEqual({
    id: expect.stringMatching(/^key_/) as string,
    secret: expect.stringMatching(/^sk_/) as string,
    label: 'x',
    role: 'viewer',
    project: 'p1',
  });
  expect(dead).toEqual({ id: old.id, revoked_at: expect.stringMatching(/Z$/) as string });
  expect(await errorOf(await gateway.fetch(ENTITY, { key: old.secret }))).toEqual([401, 'revoked_token']);
  expect(await (await gateway.fetch(ENTITY, { key: next.secret })).json()).toMatchObject({
    actor: 'user:admin',
    projects: ['p1'],
  });
  const { rows } = await gateway.database.pool.query<{ expires_at: Date; n: string }>(
    'SELECT expires_at, (SELECT count(*) FROM gateway.api_key WHERE rotated_from = $1) AS n FROM gateway.api_key WHERE id = $2',
    [old.id, next.id],
  );
  expect(rows[0]?.expires_at.toISOString()).toBe('2099-01-01T00:00:00.000Z');
  expect(rows[0]?.n).toBe('1');
});

test("another owner's key is 403, an unknown one 404, and a weaker credential gets no stronger secret", async () => {
  await using gateway = await startGateway();
  const admin = await gateway.keyFor('admin');
  const analyst = await gateway.keyFor('analyst', { name: 'alice' });
  const { body: foreign } = await create(gateway, admin, { label: 'x', role: 'viewer' });
  const { body: strong } = await create(gateway, admin, {
    label: 'x',
    role: 'project_lead',
    owner: 'user:alice',
  });
  for (const [method, suffix] of [
    ['DELETE', ''],
    ['POST', '/rotate'],
  ] as const) {
    expect(
      await errorOf(await gateway.fetch(`${KEYS}/${foreign.id}${suffix}`, { key: analyst, method })),
    ).toEqual([403, 'insufficient_role']);
    expect(await errorOf(await gateway.fetch(`${KEYS}/key_none${suffix}`, { key: analyst, method }))).toEqual(
      [404, 'not_found'],
    );
  }
  expect(
    await errorOf(await gateway.fetch(`${KEYS}/${strong.id}/rotate`, { key: analyst, method: 'POST' })),
  ).toEqual([403, 'insufficient_role']);
  expect((await gateway.fetch(`${KEYS}/${strong.id}`, { key: analyst, method: 'DELETE' })).status).toBe(200);
});

test('a key makes, and rotates, no key that outlives it', async () => {
  await using gateway = await startGateway();
  const admin = await gateway.keyFor('admin');
  const end = '2098-12-31T22:00:00.000000Z';
  const body = { label: 'x', role: 'analyst' };
  const { body: lasting } = await create(gateway, admin, body);
  const { body: brief } = await create(gateway, admin, { ...body, role: 'admin', expires: end });

  expect((await create(gateway, brief.secret, body)).body.expires).toBe(end);
  expect((await create(gateway, brief.secret, { ...body, owner: 'user:bob' })).body.expires).toBe(end);
  const earlier = await create(gateway, brief.secret, { ...body, expires: '2098-01-01' });
  expect(earlier.body.expires).toBe('2098-01-01T00:00:00.000000Z');
  expect(await create(gateway, brief.secret, { ...body, expires: '2099-01-01' })).toMatchObject({
    status: 400,
    body: { error: 'invalid_request', details: { field: 'expires' } },
  });

  const rotate = async (id: string) =>
    gateway.fetch(`${KEYS}/${id}/rotate`, { key: brief.secret, method: 'POST' });
  expect(await errorOf(await rotate(lasting.id))).toEqual([409, 'conflict']);
  expect((await rotate(earlier.body.id)).status).toBe(200);
  expect((await rotate(brief.id)).status).toBe(200);
});

test('a typo is refused without a look-up; an unknown key with one; an expired key is expired_token', async () => {
  await using gateway = await startGateway();
  const key = await gateway.keyFor('viewer');
  const typo = `${key.slice(0, 10)}${key[10] === 'A' ? 'B' : 'A'}${key.slice(11)}`;
  const query = gateway.database.pool.query.bind(gateway.database.pool);
  let lookups = 0;
  Object.assign(gateway.database.pool, {
    query: (...args: Parameters<typeof query>) => {
      lookups++;
      return query(...args);
    },
  });
  for (const bad of [typo, 'sk_', 'sk_short', `${key}=`, `${key}x`])
    expect(await errorOf(await gateway.fetch(ENTITY, { key: bad }))).toEqual([401, 'invalid_token']);
  expect(lookups).toBe(0);
  expect(await errorOf(await gateway.fetch(ENTITY, { key: generateSecret() }))).toEqual([
    401,
    'invalid_token',
  ]);
  expect(lookups).toBe(1);
  await gateway.database.pool.query(`UPDATE gateway.api_key SET expires_at = now() - interval '1 second'`);
  expect(await errorOf(await gateway.fetch(ENTITY, { key }))).toEqual([401, 'expired_token']);
});

test('two credentials must both be valid and name one actor', async () => {
  await using gateway = await startGateway();
  const [alice, another, bob] = await Promise.all([
    gateway.keyFor('viewer', { name: 'alice' }),
    gateway.keyFor('viewer', { name: 'alice' }),
    gateway.keyFor('viewer', { name: 'bob' }),
  ]);
  const both = (bearer: string, key: string): Promise<Response> =>
    gateway.fetch(ENTITY, { key, headers: { authorization: `Bearer ${bearer}` } });
  expect((await both(alice, another)).status).toBe(200);
  expect(await errorOf(await both(alice, bob))).toEqual([401, 'invalid_token']);
  expect(await errorOf(await both(alice, 'sk_wrong'))).toEqual([401, 'invalid_token']);
  expect(await errorOf(await both('sk_wrong', alice))).toEqual([401, 'invalid_token']);
  const { body: ended } = await create(gateway, await gateway.keyFor('analyst', { name: 'alice' }), {
    label: 'ended',
    role: 'viewer',
  });
  await gateway.fetch(`${KEYS}/${ended.id}`, { key: await gateway.keyFor('admin'), method: 'DELETE' });
  expect(await errorOf(await gateway.fetch(ENTITY, { key: ended.secret }))).toEqual([401, 'revoked_token']);
  for (const pair of [
    [alice, ended.secret],
    [ended.secret, alice],
    [ended.secret, ended.secret],
  ] as const)
    expect(await errorOf(await both(...pair))).toEqual([401, 'invalid_token']);
});

test("the first administrator's key is written once, readable to its owner alone, and works", async () => {
  await using database = await freshDatabase();
  const dir = await mkdtemp(path.join(tmpdir(), 'cairn-'));
  try {
    const made = await Promise.all([1, 2, 3].map(() => ensureAdminKey(database.pool, dir)));
    expect(made.filter(({ id }) => id !== null)).toHaveLength(1);
    const file = path.join(dir, 'admin-key');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const secret = (await readFile(file, 'utf8')).trim();
    expect(await ensureAdminKey(database.pool, dir)).toEqual({ file, id: null });
    expect((await readFile(file, 'utf8')).trim()).toBe(secret);
    await using gateway = await startGateway({ database });
    expect(await (await gateway.fetch(ENTITY, { key: secret })).json()).toMatchObject({
      actor: 'user:admin',
      roles: ['admin'],
      projects: '*',
    });
  } finally {
    await rm(dir, { recursive: true });
  }
});

test("for an administrator's key of one project, others' keys that reach further are absent", async () => {
  await using gateway = await startGateway();
  await gateway.database.pool.query(
    `INSERT INTO gateway.gateway_user (name, password_hash, roles, projects) VALUES ('carol', 'x', '{analyst}', '{p1}'), ('dave', 'x', '{analyst}', '{p1,p2}')`,
  );
  const admin = await gateway.keyFor('admin');
  const limited = await gateway.keyFor('admin', { name: 'lim', project: 'p1' });
  const made = async (owner: string, role: string, project?: string): Promise<string> =>
    (await create(gateway, admin, { label: owner, role, owner: `user:${owner}`, project })).body.id;
  const within = [
    await made('alice', 'admin', 'p1'),
    await made('carol', 'viewer'),
    await made('lim', 'viewer', 'p2'), // its own
  ];
  const beyond = [
    await made('alice', 'viewer', 'p2'),
    await made('alice', 'viewer'),
    await made('carol', 'admin'),
    await made('dave', 'analyst'),
  ];
  const idsOf = async (query: string): Promise<string[]> =>
    ((await (await gateway.fetch(KEYS + query, { key: limited })).json()) as { keys: KeyAnswer[] }).keys.map(
      ({ id }) => id,
    );
  const all = await idsOf('?all=true');
  expect(all).toEqual(expect.arrayContaining(within));
  expect(all).toHaveLength(within.length + 1); // and the key of the request
  expect(await idsOf('?user=alice')).toEqual([within[0]]);
  expect(await idsOf('?user=dave')).toEqual([]);
  for (const id of beyond)
    for (const [method, suffix] of [
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const)
      expect(await errorOf(await gateway.fetch(`${KEYS}/${id}${suffix}`, { key: limited, method }))).toEqual([
        404,
        'not_found',
      ]);
  for (const id of within)
    expect((await gateway.fetch(`${KEYS}/${id}`, { key: limited, method: 'DELETE' })).status).toBe(200);
  for (const id of beyond)
    expect((await gateway.fetch(`${KEYS}/${id}`, { key: admin, method: 'DELETE' })).status).toBe(200);
});
