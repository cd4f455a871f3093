// docs/reference/gateway.md#api-keys, docs/reference/gateway.md#api-key-endpoints,
// docs/reference/gateway.md#granting-roles.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { ROLES } from '../../platform/identity.ts';
import { startGateway } from './gateway-testkit.ts';
import { KEYS, ENTITY, type KeyAnswer, create, errorOf } from './api-keys-testkit.ts';

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
  await expect.poll(async () => (await gateway.fetch(ENTITY, { key })).status).toBe(401);
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
    [{ ...sound, projects: ['alpha'] }, 'projects'],
    [{ ...sound, expires_at: '2099-01-01T00:00:00Z' }, 'expires_at'],
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
