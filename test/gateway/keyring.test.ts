// The keys that sign tokens, and cached revocations.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openKeyring } from '../../router/tokens/signing-keys/keyring.ts';
import { createRevocations } from '../../router/tokens/revocations.ts';
import { freshDatabase, testLog } from '../testkit/database.ts';
import { claimsOf, REFRESH, startOAuth } from './oauth-testkit.ts';
import { times } from './tokens-races-testkit.ts';

describe('the keyring', () => {
  const options = (database: Awaited<ReturnType<typeof freshDatabase>>, rotateAfterDays = 30) => ({
    pool: database.pool,
    listen: database.listen,
    log: testLog,
    rotateAfterDays,
    tokenSeconds: 900,
  });

  test('processes that start at once make one key between them', async () => {
    await using database = await freshDatabase();
    const rings = await Promise.all(times(8).map(() => openKeyring(options(database))));
    expect((await database.pool.query('SELECT FROM gateway.signing_key')).rowCount).toBe(1);
    await Promise.all(rings.map((ring) => ring.close()));
  });

  test('an old key gets one successor, published before it signs; the old key verifies until its tokens have expired', async () => {
    await using database = await freshDatabase();
    const [one, two] = await Promise.all([openKeyring(options(database)), openKeyring(options(database))]);
    const old = one.jwks().keys[0]?.kid;
    await database.pool.query(
      `UPDATE gateway.signing_key SET active_from = active_from - interval '31 days'`,
    );
    await Promise.all([one.upkeep(), two.upkeep(), one.upkeep()]);
    const kids = one.jwks().keys.map(({ kid }) => kid);
    expect(kids).toHaveLength(2);
    expect(kids).toContain(old);
    const kidOf = async (): Promise<unknown> =>
      (
        JSON.parse(
          Buffer.from(
            ((await two.sign({ sub: 'x' }, 'at+jwt')) ?? '').split('.')[0] ?? '',
            'base64url',
          ).toString(),
        ) as { kid: string }
      ).kid;
    expect(await kidOf()).toBe(old);

    await database.pool.query(
      `UPDATE gateway.signing_key SET active_from = now() - interval '2 minutes' WHERE active_from > now()`,
    );
    await two.upkeep();
    expect(await kidOf()).not.toBe(old);
    expect(
      (
        await database.pool.query(
          `SELECT FROM gateway.signing_key WHERE kid = $1 AND private_jwk IS NULL AND retires_at > now() + interval '15 minutes'`,
          [old],
        )
      ).rowCount,
    ).toBe(1);

    await database.pool.query(
      `UPDATE gateway.signing_key SET retires_at = now() - interval '1 second' WHERE kid = $1`,
      [old],
    );
    await two.upkeep();
    expect(two.jwks().keys.map(({ kid }) => kid)).not.toContain(old);
    await Promise.all([one.close(), two.close()]);
  });

  test('unknown names query the store once a second, however many there are', async () => {
    await using database = await freshDatabase();
    let asked = 0;
    const pool = new Proxy(database.pool, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (name !== 'query') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        return (...args: Parameters<typeof target.query>) => {
          if (String(args[0]).includes('AS "publicJwk"')) asked++;
          return target.query(...args);
        };
      },
    });
    // the first key is created and announced before counting begins
    await (await openKeyring(options(database))).close();
    const ring = await openKeyring({ ...options(database), pool });
    asked = 0;
    const started = performance.now();
    await Promise.all(
      times(200).map(async (i) => expect(await ring.verificationKey(`kid-${i}`)).toBeUndefined()),
    );
    await Promise.all(
      times(200).map(async (i) => expect(await ring.verificationKey(`kid-${i}`)).toBeUndefined()),
    );
    expect(performance.now() - started).toBeGreaterThan(1000);
    expect(asked).toBe(2);
    await ring.close();
  });
});

describe('cached revocations', () => {
  test('is reloaded before it is two seconds old, immediately after an invalidation, and never answered from before one', async () => {
    let at = 0;
    let listed: string[] = [];
    let reads = 0;
    const revocations = createRevocations({
      list: async () => {
        reads++;
        return [...listed];
      },
      log: testLog,
      now: () => at,
    });
    const id = randomUUID();
    expect(await revocations.hold(id)).toBe(false);
    listed = [id];
    at = 900;
    expect(revocations.hold(id)).toBe(false);
    expect(reads).toBe(1);
    at = 2100;
    expect(await revocations.hold(id)).toBe(true);
    listed = [];
    revocations.invalidate();
    expect(await revocations.hold(id)).toBe(false);
    revocations.add(id);
    expect(revocations.hold(id)).toBe(true);
  });

  test('an invalidation that arrives while the store is read is not lost', async () => {
    let release: () => void = () => undefined;
    const revocations = createRevocations({
      list: () =>
        new Promise((resolve) => {
          release = () => resolve([]);
        }),
      log: testLog,
    });
    const asked = revocations.hold('x');
    revocations.add('x');
    release();
    expect(await asked).toBe(true);
  });

  test('no token is accepted while the store does not answer', async () => {
    let isDown = false;
    let at = 0;
    const revocations = createRevocations({
      list: () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve([])),
      log: testLog,
      now: () => at,
    });
    expect(await revocations.hold('x')).toBe(false);
    isDown = true;
    at = 2001;
    await expect(revocations.hold('x')).rejects.toMatchObject({ code: 'component_unavailable' });
  });
});

test('client tokens hold what the client holds now, when they are refreshed', async () => {
  await using server = await startOAuth({ user: false });
  const tokens = await server.clientTokens();
  await server.database.pool.query(`UPDATE gateway.refresh_token SET projects = '{elsewhere}'`);
  const { body } = await server.post(REFRESH, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
  });
  expect(claimsOf(body.access_token)).toMatchObject({ projects: ['alpha', 'beta'] });
});
