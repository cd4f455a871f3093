// The device flow (RFC 8628, docs/reference/gateway.md#device-flow, docs/reference/gateway.md#user-codes),
// and its approval pages.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDeviceCodes } from '../../router/tokens/device-codes.service.ts';
import { generateUserCode, readUserCode, shownUserCode } from '../../router/tokens/user-code.ts';
import {
  approveDevice,
  claimsOf,
  DEVICE,
  DEVICE_GRANT,
  type OAuthServer,
  PASSWORD,
  startOAuth,
  TOKEN,
} from '../gateway/oauth-testkit.ts';
import { formOf, Visitor } from './visitor.ts';

let server: OAuthServer;
beforeAll(async () => {
  server = await startOAuth();
});
afterAll(() => server[Symbol.asyncDispose]());

interface Device {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri_complete: string;
}
const start = async (query = ''): Promise<Device> =>
  (await server.rest('GET', DEVICE + query, { key: null })).body as Device;
const poll = async (deviceCode: string, more: Record<string, unknown> = {}): Promise<string> => {
  const { status, body } = await server.post(TOKEN, {
    grant_type: DEVICE_GRANT,
    device_code: deviceCode,
    ...more,
  });
  return status === 200 ? 'tokens' : `${status} ${body.error}`;
};
/** As if the device had waited its interval. */
const waited = (): Promise<unknown> =>
  server.database.pool.query(
    `UPDATE gateway.device_code SET last_polled_at = last_polled_at - interval '1 minute'`,
  );

describe('starting', () => {
  const answer = {
    device_code: expect.stringMatching(/^dc_[\w-]{43}$/),
    user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
    verification_uri: expect.any(String),
    verification_uri_complete: expect.any(String),
    expires_in: 600,
    interval: 5,
  };

  test('by GET or POST, in either encoding, with or without a client, answers the codes', async () => {
    for (const started of [
      await server.rest('GET', DEVICE, { key: null }),
      await server.rest('GET', `${DEVICE}?client_id=television`, { key: null }),
      await server.rest('POST', DEVICE, { key: null }),
      await server.post(DEVICE, {}),
      await server.post(DEVICE, { client_id: 'cli' }),
      await server.post(DEVICE, { client_id: 'cli', scope: 'any' }, { form: true }),
    ]) {
      expect([started.status, started.body]).toEqual([200, answer]);
      expect(started.headers.get('cache-control')).toBe('no-store');
      expect(started.body.verification_uri).toBe(`${server.url}/device`);
      expect(started.body.verification_uri_complete).toBe(
        `${server.url}/device?user_code=${started.body.user_code}`,
      );
    }
  });

  test('by a client that is unknown or may not is refused', async () => {
    expect((await server.rest('GET', `${DEVICE}?client_id=nobody`, { key: null })).body).toMatchObject({
      error: 'invalid_client',
    });
    expect((await server.rest('GET', `${DEVICE}?client_id=importer`, { key: null })).body).toMatchObject({
      error: 'unauthorized_client',
    });
    expect((await server.rest('GET', `${DEVICE}?client_id=a&client_id=b`, { key: null })).body).toMatchObject(
      { error: 'invalid_request' },
    );
  });

  test('user codes have no vowels, and are read whatever their case, dashes and spaces', () => {
    for (let i = 0; i < 1000; i++) expect(generateUserCode()).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
    for (const typed of ['bcdfghjk', 'BCDF-GHJK', ' bcdf ghjk ', 'b-c-d-f-g-h-j-k', 'BCDF–GHJK'])
      expect(readUserCode(typed)).toBe('BCDFGHJK');
    for (const typed of ['', 'BCDFGHJ', 'BCDFGHJKL', 'ABCDEFGH', 'BCDFGHJ1', 'ＢCDFGHJK', 'BCDFGHJK\u0000'])
      expect(readUserCode(typed)).toBeUndefined();
    expect(shownUserCode('BCDFGHJK')).toBe('BCDF-GHJK');
  });

  test('a user code that is taken is drawn again', async () => {
    const taken = ['one', 'two'];
    const devices = createDeviceCodes({
      // Start uses nothing else of the store.
      store: { insert: async () => taken.pop() === undefined } as never,
      clients: { find: () => ({ id: 'cli', grants: [DEVICE_GRANT] }) } as never, // Nor of the clients.
      tokens: {} as never,
      verificationUri: () => 'http://x/device',
    });
    expect(await devices.start(undefined)).toMatchObject({ expires_in: 600 });
    expect(taken).toEqual([]);
  });
});

describe('polling', () => {
  test('says pending, then slow_down for polls that come early, five seconds longer each time', async () => {
    const { device_code: code } = await start();
    expect(await poll(code)).toBe('400 authorization_pending');
    expect(await poll(code)).toBe('400 slow_down');
    expect(await poll(code)).toBe('400 slow_down');
    const interval = async (): Promise<unknown> =>
      (
        await server.database.pool.query<{ n: number }>(
          'SELECT max(interval_seconds) AS n FROM gateway.device_code WHERE last_polled_at IS NOT NULL',
        )
      ).rows[0]?.n;
    expect(await interval()).toBe(15);
    await server.database.pool.query(
      `UPDATE gateway.device_code SET last_polled_at = now() - interval '14 seconds' WHERE interval_seconds = 15`,
    );
    expect(await poll(code)).toBe('400 slow_down');
    expect(await interval()).toBe(20);
    await waited();
    expect(await poll(code)).toBe('400 authorization_pending');
  });

  test('after approval gives tokens of the user, once', async () => {
    const device = await start();
    expect(await poll(device.device_code)).toBe('400 authorization_pending');
    expect(await approveDevice(new Visitor(server.url), device.verification_uri_complete)).toContain(
      'The device is connected',
    );
    const { body } = await server.post(TOKEN, {
      grant_type: DEVICE_GRANT,
      device_code: device.device_code,
      client_id: 'cli',
    });
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      refresh_token: expect.stringMatching(/^rt_/),
    });
    expect(claimsOf(body.access_token)).toMatchObject({
      sub: 'user:ada',
      client_id: 'cli',
      roles: ['analyst'],
      projects: ['alpha'],
    });
    expect((await server.as(body.access_token)).status).toBe(200);
    expect(await poll(device.device_code)).toBe('400 invalid_grant');
  });

  test('by another client is invalid_grant', async () => {
    const device = await start();
    expect(await poll(device.device_code, { client_id: 'television' })).toBe('400 invalid_grant');
  });

  test('a client that may not refresh gets no refresh token', async () => {
    const device = await start('?client_id=television');
    await approveDevice(new Visitor(server.url), device.verification_uri_complete);
    const { body } = await server.post(TOKEN, {
      grant_type: DEVICE_GRANT,
      device_code: device.device_code,
      client_id: 'television',
    });
    expect(Object.keys(body)).toEqual(['access_token', 'token_type', 'expires_in']);
  });

  test('after a denial is access_denied', async () => {
    const device = await start();
    expect(
      await approveDevice(new Visitor(server.url), device.verification_uri_complete, 'ada', PASSWORD, 'deny'),
    ).toContain('The request is denied');
    expect(await poll(device.device_code)).toBe('400 access_denied');
  });

  test('after the account that approved was disabled is access_denied', async () => {
    await server.users.add({ name: 'gone', password: PASSWORD, roles: ['analyst'], projects: '*' });
    const device = await start();
    expect(await approveDevice(new Visitor(server.url), device.verification_uri_complete, 'gone')).toContain(
      'The device is connected',
    );
    await server.users.disable('gone');
    expect(await poll(device.device_code)).toBe('400 access_denied');
  });

  test('after ten minutes is expired_token, approved or not', async () => {
    const [approved, pending] = [await start(), await start()];
    await approveDevice(new Visitor(server.url), approved.verification_uri_complete);
    await server.database.pool.query(
      `UPDATE gateway.device_code SET expires_at = now() - interval '1 second'`,
    );
    expect(await poll(approved.device_code)).toBe('400 expired_token');
    expect(await poll(pending.device_code)).toBe('400 expired_token');
  });

  test('an account disabled after it approved gets nothing', async () => {
    await server.users.add({ name: 'brief', password: PASSWORD, roles: ['viewer'], projects: '*' });
    const device = await start();
    await approveDevice(new Visitor(server.url), device.verification_uri_complete, 'brief');
    await server.users.disable('brief');
    expect(await poll(device.device_code)).not.toBe('tokens');
  });
});

describe('entering a code', () => {
  test('takes a signed-in user, and the code in any spelling', async () => {
    const device = await start();
    const visitor = new Visitor(server.url);
    const entry = await visitor.signIn(await visitor.open('/device'), 'ada', PASSWORD);
    expect(entry.text).toContain('Signed in as user:ada');
    const choice = await visitor.submit(entry, '/device', {
      user_code: ` ${device.user_code.toLowerCase().replace('-', ' ')} `,
    });
    expect(choice.text).toContain(device.user_code);
    expect(choice.text).toContain('<strong>cli</strong>');
  });

  test('five wrong ones from one session lock it out, also for the right one', async () => {
    const device = await start();
    const visitor = new Visitor(server.url);
    const entry = await visitor.signIn(await visitor.open('/device'), 'ada', PASSWORD);
    for (let i = 0; i < 5; i++) {
      const answer = await visitor.submit(entry, '/device', {
        user_code: i === 0 ? 'no code at all' : 'BBBB-BBBB',
      });
      expect([answer.status, answer.text.includes('No device is waiting for this code')]).toEqual([
        400,
        true,
      ]);
    }
    const locked = await visitor.submit(entry, '/device', { user_code: device.user_code });
    expect([locked.status, locked.text.includes('Too many wrong codes')]).toEqual([403, true]);
    const around = await visitor.send('POST', '/device/decision', {
      fields: { ...formOf(entry, '/device'), user_code: device.user_code, decision: 'approve' },
    });
    expect(around.status).toBe(400);
    expect(await poll(device.device_code)).toBe('400 authorization_pending');
  });

  test('of fifty guesses at once, five are looked at', async () => {
    const device = await start();
    const visitor = new Visitor(server.url);
    const entry = await visitor.signIn(await visitor.open('/device'), 'ada', PASSWORD);
    const guesses = await Promise.all(
      Array.from({ length: 50 }, () =>
        visitor.send('POST', '/device', { fields: { ...formOf(entry, '/device'), user_code: 'ZZZZ-ZZZZ' } }),
      ),
    );
    expect(guesses.filter(({ status }) => status === 400)).toHaveLength(5);
    expect(guesses.filter(({ status }) => status === 403)).toHaveLength(45);
    expect(await poll(device.device_code)).toBe('400 authorization_pending');
  });

  test('correct codes are not counted', async () => {
    const visitor = new Visitor(server.url);
    const entry = await visitor.signIn(await visitor.open('/device'), 'ada', PASSWORD);
    for (let i = 0; i < 7; i++)
      expect((await visitor.submit(entry, '/device', { user_code: (await start()).user_code })).status).toBe(
        200,
      );
  });

  test('a decision is accepted once, and a second one is rejected', async () => {
    const device = await start();
    const visitor = new Visitor(server.url);
    const entry = await visitor.signIn(await visitor.open(device.verification_uri_complete), 'ada', PASSWORD);
    expect(formOf(entry, '/device')['user_code']).toBe(device.user_code);
    const choice = await visitor.submit(entry, '/device', {});
    await visitor.submit(choice, '/device/decision', { decision: 'deny' });
    const second = await visitor.submit(choice, '/device/decision', { decision: 'approve' });
    expect([second.status, second.text.includes('The code is no longer valid')]).toEqual([400, true]);
    expect(await poll(device.device_code)).toBe('400 access_denied');
  });
});
