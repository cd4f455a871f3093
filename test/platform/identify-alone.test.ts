// A bearer token at a component in its own process: genuine, and with a bounded lifetime.
import type { IncomingMessage } from 'node:http';
import { generateKeyPair, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { identifyAlone } from '../../platform/identify-alone.ts';

const { publicKey, privateKey } = await generateKeyPair('ES256');
const now = Math.floor(Date.now() / 1000);
const token = (iat: number | undefined, exp: number): Promise<string> => {
  const claims = new SignJWT({ roles: ['viewer'], projects: ['alpha'] })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
    .setSubject('user:ada')
    .setAudience('cairn')
    .setJti('1')
    .setExpirationTime(exp);
  return (iat === undefined ? claims : claims.setIssuedAt(iat)).sign(privateKey);
};
const identify = identifyAlone({
  reader: { believes: () => false },
  keys: async () => publicKey,
  audience: 'cairn',
  longestSeconds: 900,
});
const asked = async (bearer: string): Promise<unknown> => {
  const req = {
    headers: { authorization: `Bearer ${bearer}` },
    socket: { remoteAddress: '127.0.0.1' },
  } as IncomingMessage; // Nothing else is read.
  try {
    return (await identify(req, 'r', new AbortController().signal)).actor;
  } catch (refusal) {
    return (refusal as { code: string }).code;
  }
};

test('an identity with the lifetime of tokens is accepted; one with a longer lifetime, or expired, is refused', async () => {
  expect(await asked(await token(now, now + 900))).toBe('user:ada');
  expect(await asked(await token(undefined, now + 900))).toBe('user:ada');
  expect(await asked(await token(now, now + 31_536_000))).toBe('invalid_token');
  expect(await asked(await token(undefined, now + 31_536_000))).toBe('invalid_token');
  expect(await asked(await token(now - 86_400, now + 60))).toBe('invalid_token');
  expect(await asked(await token(now - 900, now - 1))).toBe('expired_token');
});
