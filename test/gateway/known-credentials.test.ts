// A cached credential needs no statement: the number of statements does not depend on the number of requests.
import { expect, test, vi } from 'vitest';
import { parseConfig } from '../../platform/config/load-config.ts';
import { openCredentialInvalidation } from '../../router/credential-invalidation/credential-invalidation.ts';
import { openTokens } from '../../router/tokens/open-tokens.ts';
import { openKeyring } from '../../router/tokens/signing-keys/keyring.ts';
import { freshDatabase, testLog } from '../testkit/database.ts';
import { startGateway } from './gateway-testkit.ts';

/**
 * Statements per second that refresh the caches: one for the key or the list, and occasionally one for
 * `last_used_at`.
 */
const UPKEEP = 3;

test('five hundred requests with one API key', async () => {
  await using database = await freshDatabase();
  await using gateway = await startGateway({ database });
  const key = await gateway.keyFor('viewer');
  expect((await gateway.fetch('/api/v1/metadata/entities', { key })).status).toBe(200);
  const query = vi.spyOn(database.pool, 'query');
  const started = performance.now();
  for (let i = 0; i < 50; i++)
    await Promise.all(Array.from({ length: 10 }, () => gateway.fetch('/api/v1/metadata/entities', { key })));
  const seconds = Math.ceil((performance.now() - started) / 1000);
  expect(query.mock.calls.length).toBeLessThanOrEqual(seconds * UPKEEP);
});

test('ten thousand verifications of one access token', async () => {
  await using database = await freshDatabase();
  const invalidation = await openCredentialInvalidation({
    db: database.pool,
    listen: database.listen,
    log: testLog,
  });
  const { auth } = parseConfig(
    'auth: {clients: [{client_id: c, secret_env: S, grants: [client_credentials]}]}',
    '/tmp/gateway.yaml',
    { env: { S: 'secret' }, cwd: '/tmp' },
  );
  const keyring = await openKeyring({
    pool: database.pool,
    listen: database.listen,
    log: testLog,
    rotateAfterDays: 30,
    tokenSeconds: 900,
  });
  const access = await openTokens({
    pool: database.pool,
    keyring,
    invalidation,
    log: testLog,
    auth,
    findKeyClient: () => Promise.resolve(undefined),
    issuer: () => 'http://127.0.0.1',
    verificationUri: () => 'http://127.0.0.1/device',
  });
  const { access_token: token } = await access.tokens.forClient(
    await access.clients.authenticate({ id: 'c', secret: 'secret' }),
  );
  expect(await access.verifier.verify(token)).toMatchObject({ actor: 'service:c' });
  const query = vi.spyOn(database.pool, 'query');
  const started = performance.now();
  for (let i = 0; i < 10_000; i++) await access.verifier.verify(token);
  const seconds = Math.ceil((performance.now() - started) / 1000);
  expect(query.mock.calls.length).toBeLessThanOrEqual(seconds * UPKEEP);
  await access.close();
  await keyring.close();
  await invalidation.close();
});
