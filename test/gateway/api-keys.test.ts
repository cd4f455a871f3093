// docs/reference/gateway.md#api-keys, docs/reference/gateway.md#api-key-endpoints,
// docs/reference/gateway.md#granting-roles.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROLES } from '../../platform/identity.ts';
import { ensureAdminKey } from '../../router/api-keys/ensure-admin-key.ts';
import { generateSecret } from '../../router/api-keys/key-secret.ts';
import { freshDatabase } from '../testkit/database.ts';
import { type Gateway, startGateway } from './gateway-testkit.ts';

const KEYS = '/api/v1/gateway/auth/api-keys';
const ENTITY = '/api/v1/metadata/entities/e1';

interface KeyAnswer {
  id: string;
  label: string;
  secret: string;
  role: string;
  project: string | null;
  expires: string | null;
  created_at: string;
  created_by: string;
  owner: string;
}

async function create(
  gateway: Gateway,
  key: string,
  body: unknown,
): Promise<{ status: number; body: KeyAnswer & { error?: string } }> {
  const answer = await gateway.fetch(KEYS, {
    key,
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  return { status: answer.status, body: (await answer.json()) as KeyAnswer & { error?: string } };
}
const errorOf = async (answer: Response): Promise<unknown> => [
  answer.status,
  ((await answer.json()) as { error: string }).error,
];

test('a created key works at once, shows its secret once, and only its hash is stored', async () => {
  await using gateway = await startGateway();
  const admin = await gateway.keyFor('admin');
  const { status, body } = await create(gateway, admin, {
    label: 'laptop',
    role: 'analyst',
    project: 'p1',
    expires: '2099-01-01T00:00:00+02:00',
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    label: 'laptop',
    role: 'analyst',
    project: 'p1',
    expires: '2098-12-31T22:00:00.000000Z',
    created_by: 'user:admin',
  });
  expect(body.id).toMatch(/^key_[\w-]+$/);
  expect(body.secret).toMatch(/^sk_[\w-]{43,}$/);
  expect(body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  for (const headers of [
    { 'x-api-key': body.secret },
    { authorization: `Bearer ${body.secret}` },
    { authorization: `bearer ${body.secret}`, 'x-api-key': body.secret },
  ]) {
    const answer = await gateway.fetch(ENTITY, { headers: headers as Record<string, string> });
    expect(await answer.json()).toMatchObject({ actor: 'user:admin', roles: ['analyst'], projects: ['p1'] });
  }
  const { rows } = await gateway.database.pool.query<{ stored: string; secret_hash: Buffer }>(
    'SELECT k::text AS stored, secret_hash FROM gateway.api_key k WHERE id = $1',
    [body.id],
  );
  expect(rows[0]?.stored).not.toContain(body.secret.slice(3, 40));
  expect(rows[0]?.secret_hash).toEqual(createHash('sha256').update(body.secret).digest());
  const listed = await (await gateway.fetch(KEYS, { key: admin })).text();
  expect(listed).toContain(body.id);
  expect(listed).not.toContain('sk_');
});

test("a list contains the caller's own keys; listing others' keys takes an admin", async () => {
  await using gateway = await startGateway();
  const admin = await gateway.keyFor('admin');
  const alice = await gateway.keyFor('analyst', { name: 'alice' });
  const lead = await gateway.keyFor('project_lead', { name: 'bob' });
  const owners = async (key: string, query = ''): Promise<string[]> =>
    ((await (await gateway.fetch(KEYS + query, { key })).json()) as { keys: KeyAnswer[] }).keys.map(
      ({ owner }) => owner,
    );
  expect(await owners(alice)).toEqual(['user:alice']);
  expect(await owners(lead)).toEqual(['user:bob']);
  expect(await owners(admin)).toEqual(['user:admin']);
  expect(await owners(admin, '?all=true')).toEqual(['user:admin', 'user:alice', 'user:bob']);
  expect(await owners(admin, '?user=user:bob')).toEqual(['user:bob']);
  expect(await owners(alice, '?user=user:alice')).toEqual(['user:alice']);
  expect(await owners(alice, '?user=alice')).toEqual(['user:alice']);
  for (const query of ['?all=true', '?user=user:bob', '?user=bob']) {
    expect(await errorOf(await gateway.fetch(KEYS + query, { key: alice }))).toEqual([
      403,
      'insufficient_role',
    ]);
  }
  for (const query of ['all=maybe', 'all=true&all=false', 'limit=1&limit=2', 'user=alice&user=bob']) {
    expect(await errorOf(await gateway.fetch(`${KEYS}?${query}`, { key: admin })), query).toEqual([
      400,
      'invalid_request',
    ]);
  }
  for (const [all, count] of [
    ['True', 3],
    ['1', 3],
    ['False', 1],
    ['0', 1],
  ] as const)
    expect(await owners(admin, `?all=${all}`), all).toHaveLength(count);
  const page = (await (await gateway.fetch(`${KEYS}?all=true&limit=2`, { key: admin })).json()) as {
    keys: KeyAnswer[];
    next_cursor: string;
  };
  const rest = (await (
    await gateway.fetch(`${KEYS}?all=true&limit=2&cursor=${page.next_cursor}`, { key: admin })
  ).json()) as { keys: KeyAnswer[]; next_cursor: string | null };
  expect([...page.keys, ...rest.keys].map(({ owner }) => owner)).toEqual([
    'user:admin',
    'user:alice',
    'user:bob',
  ]);
  expect(rest.next_cursor).toBeNull();
  const skipping = `?all=true&limit=2&offset=1&cursor=${page.next_cursor}`;
  expect(await owners(admin, skipping)).toEqual(['user:bob']); // the cursor determines where the page begins
});

test('last_used_at is seen, exact to a minute', async () => {
  await using gateway = await startGateway();
  const key = await gateway.keyFor('analyst');
  const before = Date.now();
  await gateway.fetch(ENTITY, { key });
  const {
    keys: [listed],
  } = (await (await gateway.fetch(KEYS, { key })).json()) as { keys: { last_used_at: string }[] };
  expect(Math.abs(Date.parse(listed?.last_used_at ?? '') - before)).toBeLessThan(60_000);
});

test('a caller cannot give a role above their own, and only admins can give service', async () => {
  await using gateway = await startGateway();
  const rank = { viewer: 1, analyst: 2, project_lead: 3, admin: 4 } as const;
  for (const creator of ['analyst', 'project_lead', 'admin'] as const) {
    const key = await gateway.keyFor(creator);
    for (const role of ROLES) {
      const { status, body } = await create(gateway, key, { label: `by-${creator}`, role });
      const allowed = role === 'service' ? creator === 'admin' : rank[role] <= rank[creator];
      expect([creator, role, status]).toEqual([creator, role, allowed ? 201 : 403]);
      if (!allowed) expect(body.error).toBe('insufficient_role');
    }
  }
  for (const role of ['viewer', 'service'] as const) {
    const { status, body } = await create(gateway, await gateway.keyFor(role), {
      label: 'x',
      role: 'viewer',
    });
    expect([status, body.error]).toEqual([403, 'insufficient_role']);
  }
});

test("a key never reaches further than its creator's projects", async () => {
  await using gateway = await startGateway();
  const key = await gateway.keyFor('analyst', { project: 'p1' });
  expect((await create(gateway, key, { label: 'x', role: 'viewer', project: 'p1' })).status).toBe(201);
  expect(await create(gateway, key, { label: 'x', role: 'viewer', project: 'p2' })).toMatchObject({
    status: 403,
    body: { error: 'project_scope_denied' },
  });
  expect((await create(gateway, key, { label: 'x', role: 'viewer' })).body.project).toBe('p1');
  expect(await create(gateway, key, { label: 'x', role: 'viewer', owner: 'user:admin' })).toMatchObject({
    status: 403,
    body: { error: 'insufficient_role' },
  });
});

test("a key without a project has its owner's projects, and ends with its owner's account", async () => {
  await using gateway = await startGateway();
  await gateway.database.pool.query(
    `INSERT INTO gateway.gateway_user (name, password_hash, roles, projects) VALUES ('carol', 'x', '{analyst}', '{p1,p2}')`,
  );
  const key = await gateway.keyFor('analyst', { name: 'carol' });
  expect(await (await gateway.fetch(ENTITY, { key })).json()).toMatchObject({
    actor: 'user:carol',
    projects: ['p1', 'p2'],
  });
  await gateway.database.pool.query(
    `UPDATE gateway.gateway_user SET disabled_at = now() WHERE name = 'carol'`,
  );
  await expect.poll(async () => (await gateway.fetch(ENTITY, { key })).status, { timeout: 5000 }).toBe(401);
});

test('a service key acts as service:<label>', async () => {
  await using gateway = await startGateway();
  const { body } = await create(gateway, await gateway.keyFor('admin'), { label: 'loader', role: 'service' });
  expect(await (await gateway.fetch(ENTITY, { key: body.secret })).json()).toMatchObject({
    actor: 'service:loader',
    roles: ['service'],
  });
});

test('an invalid property of a key is 400 and names the field', async () => {
  await using gateway = await startGateway();
  const admin = await gateway.keyFor('admin');
  const sound = { label: 'x', role: 'viewer' };
  const attempts: [unknown, string][] = [
    [{}, 'label'],
    [{ ...sound, label: '' }, 'label'],
    [{ ...sound, label: ' ' }, 'label'],
    [{ ...sound, label: 5 }, 'label'],
    [{ ...sound, label: 'a\nb' }, 'label'],
    [{ ...sound, label: 'x'.repeat(201) }, 'label'],
    [{ label: 'x' }, 'role'],
    [{ ...sound, role: 'root' }, 'role'],
    [{ ...sound, role: null }, 'role'],
    [{ ...sound, expires: 'tomorrow' }, 'expires'],
    [{ ...sound, expires: '2001-01-01T00:00:00Z' }, 'expires'],
    [{ ...sound, expires: '2099-02-31T00:00:00Z' }, 'expires'],
    [{ ...sound, expires: '2099-01-01T25:00:00Z' }, 'expires'],
    [{ ...sound, expires: 4102444800 }, 'expires'],
    [{ ...sound, project: 7 }, 'project'],
    [{ ...sound, project: '' }, 'project'],
    [{ ...sound, owner: 'root' }, 'owner'],
    [[], 'object'],
    ['x', 'object'],
  ];
  for (const [body, named] of attempts) {
    const {
      status,
      body: { error },
      ...answer
    } = await create(gateway, admin, body);
    expect([JSON.stringify(body), status, error]).toEqual([JSON.stringify(body), 400, 'invalid_request']);
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect((await create(gateway, admin, body)).body).toMatchObject({
      message: expect.stringContaining(named) as string,
    });
  }
  expect((await gateway.fetch(KEYS, { key: admin, method: 'POST' })).status).toBe(400);
  expect((await gateway.fetch(`${KEYS}?user=%00`, { key: admin })).status).toBe(400);
  const { rows } = await gateway.database.pool.query('SELECT FROM gateway.api_key');
  expect(rows).toHaveLength(1);
});

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
