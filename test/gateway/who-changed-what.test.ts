// docs/reference/gateway.md#recorded-changes: audit records name who created, changed or ended which key,
// user and client, and the account of a failed sign-in; never a secret.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../platform/config/load-config.ts';
import { createAuditLog } from '../../router/edge/audit/audit-log.ts';
import type { AuditRecord } from '../../router/edge/audit/audit-record.ts';
import { recordStart } from '../../router/main/record-start.ts';
import * as administration from '../../router/users/administration.ts';
import { run } from '../cli/command-line.ts';
import { Visitor } from '../portal/visitor.ts';
import { testLog } from '../testkit/database.ts';
import { CLIENTS, type OAuthServer, PASSWORD, SECRET, startOAuth, TOKEN } from './oauth-testkit.ts';

const KEYS = '/api/v1/gateway/auth/api-keys';

describe.each(['file', 'postgres'] as const)('in the backend %s', (backend) => {
  let server: OAuthServer;
  let home: string;
  beforeAll(async () => {
    server = await startOAuth({ config: `${CLIENTS}observability: {audit_log: {backend: ${backend}}}\n` });
    home = mkdtempSync(path.join(tmpdir(), 'cairn-home-'));
    writeFileSync(path.join(home, 'gateway.yaml'), `observability: {audit_log: {backend: ${backend}}}`);
  });
  afterAll(async () => {
    rmSync(home, { recursive: true });
    await server[Symbol.asyncDispose]();
  });

  const file = (): string => path.join(server.dataDir, 'audit.jsonl');
  const records = async (): Promise<readonly AuditRecord[]> => {
    if (backend === 'file')
      return readFileSync(file(), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as AuditRecord);
    return (
      await server.database.pool.query<AuditRecord>(
        'SELECT actor, method, path, status, request_id, changes FROM gateway.audit_record ORDER BY id',
      )
    ).rows;
  };
  /** The record of one action, once it is written. */
  const recorded = async (action: string): Promise<AuditRecord> => {
    let found: AuditRecord | undefined;
    await expect
      .poll(async () => {
        found = (await records()).findLast(
          ({ path: at, changes }) => at !== 'start' && changes?.some((change) => change.action === action),
        );
        return found;
      })
      .toBeDefined();
    return found as AuditRecord; // The check above ensures it.
  };

  test("what a start changes: the first administrator's key, and clients of the configuration file", async () => {
    const starts = async (): Promise<readonly AuditRecord[]> =>
      (await records()).filter(({ path: at }) => at === 'start');
    const { rows } = await server.database.pool.query<{ id: string }>(
      `SELECT id FROM gateway.api_key WHERE label = 'first administrator'`,
    );
    const [first] = await starts();
    expect(first).toMatchObject({ actor: `os:${userInfo().username}`, method: 'CLI', status: 200 });
    expect(first?.changes).toMatchObject([
      { action: 'api_key.create', subject: rows[0]?.id, details: { owner: 'user:admin', role: 'admin' } },
      {
        action: 'client.add',
        subject: 'client:importer',
        details: { roles: ['service'], projects: ['alpha', 'beta'], public: false },
      },
      { action: 'client.add', subject: 'client:web' },
      { action: 'client.add', subject: 'client:spa', details: { public: true } },
      { action: 'client.add', subject: 'client:television' },
    ]);
    const start = (text: string, secret: string): Promise<unknown> =>
      recordStart(
        server.database.pool,
        parseConfig(
          `${text}observability: {audit_log: {backend: ${backend}}}\n`,
          path.join(home, 'gateway.yaml'),
          { env: { IMPORTER_SECRET: secret, CAIRN_DATA_DIR: server.dataDir }, cwd: home },
        ),
        testLog,
        'start',
      );
    await start(CLIENTS, SECRET);
    expect(await starts()).toHaveLength(1); // nothing was changed
    const wider = CLIENTS.replace('[alpha, beta]', '"*"').replace(/ {4}- client_id: television\n.*\n/, '');
    await Promise.all([1, 2, 3].map(() => start(wider, `${SECRET}2`)));
    const [, second, ...others] = await starts();
    expect(others).toEqual([]);
    expect(second?.changes).toMatchObject([
      {
        action: 'client.change',
        subject: 'client:importer',
        details: { projects: '*', other_secret: true },
      },
      { action: 'client.change', subject: 'client:web', details: { other_secret: true } },
      { action: 'client.remove', subject: 'client:television' },
    ]);
    expect(JSON.stringify(await starts())).not.toContain(SECRET);
    await start(CLIENTS, SECRET);
  });

  test('keys that are created, rotated and revoked, over REST and GraphQL', async () => {
    const { body: key, headers } = await server.rest('POST', KEYS, {
      body: { label: 'mine', role: 'analyst', owner: 'user:ada', project: 'alpha' },
    });
    expect(await recorded('api_key.create')).toMatchObject({
      actor: 'user:admin',
      method: 'POST',
      path: KEYS,
      status: 201,
      request_id: headers.get('x-request-id'),
      changes: [
        {
          action: 'api_key.create',
          subject: key.id,
          details: { owner: 'user:ada', role: 'analyst', project: 'alpha', expires: null },
        },
      ],
    });
    const { body: rotated } = await server.rest('POST', `${KEYS}/${key.id}/rotate`);
    expect(await recorded('api_key.rotate')).toMatchObject({
      actor: 'user:admin',
      changes: [{ subject: rotated.new_key.id, details: { replaces: key.id } }],
    });
    await server.rest('DELETE', `${KEYS}/${rotated.new_key.id}`);
    expect(await recorded('api_key.revoke')).toMatchObject({
      changes: [{ subject: rotated.new_key.id, details: { owner: 'user:ada' } }],
    });
    const {
      body: { data },
    } = await server.graphql(
      'mutation M { a: createApiKey(input: {label: "g", role: viewer}) { key { id } } b: createApiKey(input: {label: "h", role: viewer}) { key { id } } }',
    );
    await expect.poll(async () => (await recorded('api_key.create')).path).toBe('/graphql');
    expect((await recorded('api_key.create')).changes?.map(({ subject }) => subject)).toEqual([
      data.a.key.id,
      data.b.key.id,
    ]);
    const text = JSON.stringify(await records());
    expect([
      text.includes(key.secret),
      text.includes(rotated.new_key.secret),
      /sk_\w{16}/.test(text),
    ]).toEqual([false, false, false]);
  });

  test('a rejected operation changes nothing', async () => {
    const before = (await records()).filter(({ changes }) => changes).length;
    const viewer = await server.newKey({ role: 'viewer', owner: 'user:v' });
    await server.rest('POST', KEYS, { key: viewer, body: { label: 'no', role: 'admin' } });
    await server.rest('DELETE', `${KEYS}/key_unknown`);
    await server.rest('GET', '/livez');
    expect((await records()).filter(({ changes }) => changes).length).toBeLessThanOrEqual(before + 1);
  });

  test('sign-ins, and for which account one failed; a name that is none may be a password', async () => {
    const visitor = new Visitor(server.url);
    await visitor.signIn(await visitor.open('/portal'), 'ada', 'wrong password');
    expect(await recorded('sign_in.fail')).toMatchObject({
      actor: 'anonymous',
      status: 401,
      changes: [{ subject: 'user:ada' }],
    });
    await visitor.signIn(await visitor.open('/portal'), 'correct-horse-battery', PASSWORD);
    await expect
      .poll(async () => (await recorded('sign_in.fail')).changes?.[0]?.subject)
      .toBe('unknown:cor…');
    await visitor.signIn(await visitor.open('/portal'), 'ada', PASSWORD);
    expect(await recorded('sign_in')).toMatchObject({ changes: [{ subject: 'user:ada' }] });
    await server.post(TOKEN, {
      grant_type: 'client_credentials',
      client_id: 'importer',
      client_secret: 'not that one',
    });
    expect(await recorded('client.refuse')).toMatchObject({
      path: TOKEN,
      status: 401,
      changes: [{ subject: 'client:importer' }],
    });
    await server.post(TOKEN, {
      grant_type: 'client_credentials',
      client_id: SECRET,
      client_secret: 'importer',
    });
    await expect
      .poll(async () => (await recorded('client.refuse')).changes?.[0]?.subject)
      .toBe('client:unknown');
    const text = JSON.stringify(await records());
    expect([
      text.includes(PASSWORD),
      text.includes('wrong password'),
      text.includes('correct-horse'),
      text.includes(SECRET),
    ]).toEqual([false, false, false, false]);
  });

  test('accounts, by the command line, with who ran it on this machine', async () => {
    const cairn = (args: string, stdin?: string) =>
      run(args.split(' '), {
        cwd: home,
        entries: { 'router/users/administration.ts': administration },
        env: { HOME: home, DATABASE_URL: server.database.url, CAIRN_DATA_DIR: server.dataDir },
        ...(stdin === undefined ? {} : { stdin }),
      });
    expect((await cairn('users add bob --role analyst --project alpha', PASSWORD)).status).toBe(0);
    await cairn('users set bob --role viewer');
    await cairn('users passwd bob', 'another good password');
    await cairn('users disable bob');
    await cairn('users enable bob');
    expect((await cairn('users disable nobody')).status).toBe(1);
    const found = (await records()).filter(
      ({ method, path: at }) => method === 'CLI' && at.startsWith('users '),
    );
    expect(
      found.map(({ path: command, status, changes }) => [command, status, changes?.[0]?.subject]),
    ).toEqual([
      ['users add', 200, 'user:bob'],
      ['users set', 200, 'user:bob'],
      ['users passwd', 200, 'user:bob'],
      ['users disable', 200, 'user:bob'],
      ['users enable', 200, 'user:bob'],
      ['users disable', 404, 'user:nobody'],
    ]);
    expect(found[0]).toMatchObject({
      actor: expect.stringMatching(/^os:./) as string,
      changes: [{ action: 'user.add', details: { roles: ['analyst'], projects: ['alpha'] } }],
    });
    const text = JSON.stringify(found);
    expect([text.includes(PASSWORD), text.includes('another good')]).toEqual([false, false]);
    if (backend === 'file') expect(statSync(file()).mode & 0o777).toBe(0o600);
  });
});

test('a change whose request was recorded before the change happened is recorded separately', async () => {
  const written: AuditRecord[] = [];
  const log = createAuditLog(
    {
      write: (batch) => {
        written.push(...batch);
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
    },
    testLog,
  );
  log.note('00000000-0000-4000-8000-000000000001', 'user:ada', {
    action: 'api_key.create',
    subject: 'key_1',
  });
  await log.close();
  expect(written).toEqual([
    expect.objectContaining({
      actor: 'user:ada',
      request_id: '00000000-0000-4000-8000-000000000001',
      changes: [{ action: 'api_key.create', subject: 'key_1' }],
    }),
  ]);
});
