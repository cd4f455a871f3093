// Of concurrent requests exactly one wins, and a revocation takes effect everywhere
// (docs/reference/gateway.md#end-of-a-credential).
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../platform/config/load-config.ts';
import { startPlatform } from '../../router/main.ts';
import { Visitor } from '../portal/visitor.ts';
import {
  approveDevice,
  CLIENTS,
  DEVICE,
  DEVICE_GRANT,
  ENTITIES,
  type OAuthServer,
  REFRESH,
  REVOKE,
  SECRET,
  startOAuth,
  TOKEN,
} from './oauth-testkit.ts';
import { times } from './tokens-races-testkit.ts';

const ISSUER = `  issuer: http://cairn.test\n`;

describe('two processes over one store', () => {
  let one: OAuthServer;
  let otherUrl: string;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const config = CLIENTS.replace('auth:\n', `auth:\n${ISSUER}`);
    one = await startOAuth({ config });
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
    const env = {
      CAIRN_PORT: '0',
      CAIRN_DATA_DIR: dataDir,
      DATABASE_URL: one.database.url,
      IMPORTER_SECRET: SECRET,
    };
    const other = await startPlatform({
      config: parseConfig(config, path.join(dataDir, 'gateway.yaml'), { env, cwd: dataDir }),
      log: pino({ level: 'silent' }),
    });
    otherUrl = other.url;
    close = async () => {
      await other.close();
      await rm(dataDir, { recursive: true, force: true });
    };
  });
  afterAll(async () => {
    await close();
    await one[Symbol.asyncDispose]();
  });

  const at = async (token: string): Promise<number | string> => {
    const response = await fetch(otherUrl + ENTITIES, { headers: { authorization: `Bearer ${token}` } });
    const body = (await response.json()) as { error: unknown };
    return response.status === 200 ? 200 : String(body.error);
  };
  const refresh = async (
    base: string,
    token: string,
  ): Promise<{ status: number; error?: string; access_token?: string; refresh_token?: string }> => {
    const response = await fetch(base + REFRESH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'refresh_token', refresh_token: token }),
    });
    return { status: response.status, ...((await response.json()) as object) };
  };

  test("both sign with the same keys, and accept each other's tokens", async () => {
    const { access_token: token } = await one.clientTokens();
    expect(await at(token)).toBe(200);
  });

  test('a refresh token sent fifty times at once, to both, is exchanged once; then its family is over', async () => {
    for (const _ of times(5)) {
      const { refresh_token: token } = await one.clientTokens();
      const outcomes = await Promise.all(
        times(50).map((i) => refresh(i % 2 === 0 ? one.url : otherUrl, token)),
      );
      const winners = outcomes.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      expect(new Set(outcomes.filter((o) => o.status !== 200).map((o) => `${o.status} ${o.error}`))).toEqual(
        new Set(['401 revoked_token']),
      );
      expect(await refresh(otherUrl, winners[0]?.refresh_token ?? '')).toMatchObject({
        error: 'revoked_token',
      });
      expect((await one.as(winners[0]?.access_token ?? '')).body).toMatchObject({ error: 'revoked_token' });
    }
  });

  test('a refresh concurrent with a revocation leaves no valid token', async () => {
    for (const round of times(30)) {
      const { refresh_token: token } = await one.clientTokens();
      const revoke = (): Promise<unknown> => one.post(REVOKE, { token });
      const [outcome] = await Promise.all(
        round % 2 === 0
          ? [refresh(otherUrl, token), revoke()]
          : [refresh(otherUrl, token), new Promise(setImmediate).then(revoke)],
      );
      if (outcome.status !== 200) continue;
      expect(await refresh(one.url, outcome.refresh_token ?? '')).toMatchObject({ error: 'revoked_token' });
      expect((await one.as(outcome.access_token ?? '')).body).toMatchObject({ error: 'revoked_token' });
    }
    const { rows } = await one.database.pool.query(
      `SELECT FROM gateway.refresh_token t JOIN gateway.token_family f ON f.id = t.family_id WHERE f.client_id = 'importer' AND f.revoked_at IS NULL GROUP BY f.id HAVING count(*) FILTER (WHERE t.consumed_at IS NULL) > 1`,
    );
    expect(rows).toEqual([]);
  });

  test('a revocation in one is known in the other within two seconds, and usually at once', async () => {
    const tokens = await one.clientTokens();
    expect(await at(tokens.access_token)).toBe(200);
    await one.post(REVOKE, { token: tokens.access_token });
    const revokedAt = performance.now();
    while ((await at(tokens.access_token)) === 200)
      expect(performance.now() - revokedAt).toBeLessThan(10_000);
    expect(await at(tokens.access_token)).toBe('revoked_token');
  });

  test('a revocation that was answered holds in the other process, too', async () => {
    for (const _ of times(20)) {
      const tokens = await one.clientTokens();
      expect(await at(tokens.access_token)).toBe(200);
      await one.post(REVOKE, { token: tokens.refresh_token });
      expect(await at(tokens.access_token)).toBe('revoked_token');
    }
  });

  test('the end of an API key that was answered holds in the other process, too', async () => {
    const ended = async (end: (id: string) => Promise<unknown>): Promise<unknown> => {
      const {
        body: { id, secret },
      } = await one.rest('POST', '/api/v1/gateway/auth/api-keys', {
        body: { label: 'short', role: 'viewer' },
      });
      for (let i = 0; i < 3; i++) expect(await at(secret)).toBe(200); // cached there
      await end(id);
      return at(secret);
    };
    for (let i = 0; i < 10; i++) {
      expect(await ended((id) => one.rest('DELETE', `/api/v1/gateway/auth/api-keys/${id}`))).toBe(
        'revoked_token',
      );
      expect(await ended((id) => one.rest('POST', `/api/v1/gateway/auth/api-keys/${id}/rotate`))).toBe(
        'revoked_token',
      );
    }
  });

  test('a process that ended without notice delays one invalidation, and is not waited for again', async () => {
    await one.database.pool.query(`SELECT pg_notify('gateway_processes', 'join ${randomUUID()} ')`);
    const took = async (): Promise<number> => {
      const tokens = await one.clientTokens();
      const started = performance.now();
      expect((await one.post(REVOKE, { token: tokens.refresh_token })).body).toEqual({ revoked: true });
      return performance.now() - started;
    };
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
    const [first, ...others] = [await took(), await took(), await took(), await took()];
    expect(first).toBeGreaterThan(400);
    expect(Math.min(...others)).toBeLessThan(400); // the fastest, because this machine may be busy
  });

  test('a key rotated in one signs there at once and is known in the other; tokens of the old key stay valid', async () => {
    const before = await one.clientTokens();
    const { status, body } = await one.rest('POST', '/api/v1/gateway/auth/signing-keys/rotate');
    expect(status).toBe(200);
    const after = await one.clientTokens();
    const kidOf = (token: string): unknown =>
      (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;
    expect(kidOf(after.access_token)).toBe(body.kid);
    expect(kidOf(before.access_token)).not.toBe(body.kid);
    for (const token of [before.access_token, after.access_token])
      expect([await at(token), (await one.as(token)).status]).toEqual([200, 200]);
    const { keys } = (await (await fetch(`${otherUrl}/api/v1/gateway/auth/jwks.json`)).json()) as {
      keys: { kid: string }[];
    };
    expect(keys.map(({ kid }) => kid)).toEqual([body.kid, kidOf(before.access_token)]);
  });

  test('rotating keys takes an administrator', async () => {
    expect(
      (
        await one.rest('POST', '/api/v1/gateway/auth/signing-keys/rotate', {
          key: await one.newKey({ role: 'project_lead' }),
        })
      ).body,
    ).toMatchObject({ error: 'insufficient_role' });
    expect(
      (await one.rest('POST', '/api/v1/gateway/auth/signing-keys/rotate', { key: null })).body,
    ).toMatchObject({ error: 'missing_token' });
  });

  test('an approved device code sent fifty times at once is redeemed once', async () => {
    const { body: device } = await one.rest('GET', DEVICE, { key: null });
    await approveDevice(new Visitor(one.url), `/device?user_code=${device.user_code}`);
    const outcomes = await Promise.all(
      times(50).map((i) =>
        fetch((i % 2 === 0 ? one.url : otherUrl) + TOKEN, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ grant_type: DEVICE_GRANT, device_code: device.device_code }),
        }).then((response) => response.json() as Promise<{ error?: string; access_token?: string }>),
      ),
    );
    expect(outcomes.filter(({ access_token: token }) => token !== undefined)).toHaveLength(1);
    expect(new Set(outcomes.flatMap(({ error }) => error ?? []))).toEqual(new Set(['invalid_grant']));
  });

  test("a disabled account's tokens and keys die in both", async () => {
    await one.users.add({
      name: 'eve',
      password: 'correct horse battery',
      roles: ['analyst'],
      projects: '*',
    });
    const tokens = await one.userTokens('eve');
    const key = await one.newKey({ role: 'analyst', owner: 'user:eve' });
    expect([
      await at(tokens.access_token),
      (await one.as(tokens.access_token)).status,
      (await one.rest('GET', ENTITIES, { key })).status,
    ]).toEqual([200, 200, 200]);
    await one.users.disable('eve');
    const disabledAt = performance.now();
    while ((await at(tokens.access_token)) === 200)
      expect(performance.now() - disabledAt).toBeLessThan(10_000);
    expect(await at(tokens.access_token)).toBe('revoked_token');
    expect((await one.as(tokens.access_token)).body).toMatchObject({ error: 'revoked_token' });
    expect(await refresh(otherUrl, tokens.refresh_token)).toMatchObject({ error: 'revoked_token' });
    expect((await one.rest('GET', ENTITIES, { key })).body).toMatchObject({ error: 'revoked_token' });
  });
});
