// Client library: its configuration and identity, and that it never reveals the credential.
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigError, createClient, type TokenRequest, UnauthorizedError } from '../../client/src/index.ts';
import { faultyProxy } from './faulty-proxy.ts';
import { type Served, servedClient } from './served-client.ts';

let served: Served;
beforeAll(async () => {
  served = await servedClient();
});
afterAll(() => served[Symbol.asyncDispose]());

test.each([
  ['no address', { url: 'cairn' }],
  ['another protocol', { url: 'ftp://host' }],
  ['a credential in the address', { url: 'http://user:secret@host' }],
  ['a query', { url: 'http://host?a=1' }],
  ['an empty key', { url: 'http://host', apiKey: ' ' }],
  ['a key with a line feed in it', { url: 'http://host', apiKey: 'sk_secret\nx' }],
  ['two credentials', { url: 'http://host', apiKey: 'sk_secret', token: 'secret' }],
  ['a negative time', { url: 'http://host', timeoutMs: -1 }],
  ['retries that are no number', { url: 'http://host', retries: Number.NaN }],
  ['a project that no header can hold', { url: 'http://host', project: 'a\nb' }],
])('%s is a ConfigError that does not show the credential', (_, options) => {
  const make = (): unknown => createClient(options);
  expect(make).toThrow(ConfigError);
  expect(make).not.toThrow(/secret/);
});

test('a key read from a file may end in a line feed', async () => {
  expect(
    await createClient({ url: `${served.server.url}/`, apiKey: `${served.server.key}\n` }).me(),
  ).toMatchObject({ actor: 'user:admin' });
});

test('no credential, and a wrong one, are UnauthorizedErrors', async () => {
  await expect(createClient({ url: served.server.url }).me()).rejects.toMatchObject({
    name: 'UnauthorizedError',
    code: 'MISSING_TOKEN',
  });
  await expect(served.connect({ apiKey: 'sk_wrong' }).me()).rejects.toMatchObject({
    name: 'UnauthorizedError',
    code: 'INVALID_TOKEN',
    requestId: expect.any(String) as string,
  });
});

test('neither the client nor its errors show the credential', async () => {
  await using proxy = await faultyProxy(served.server.url);
  const secret = served.server.key;
  const client = createClient({ url: proxy.url, apiKey: secret, retries: 0 });
  const errors: unknown[] = [];
  proxy.plan('cut before', { status: 500, body: 'oops' }, { status: 503 });
  for (let i = 0; i < 3; i++) await client.me().catch((error: unknown) => errors.push(error));
  await client.get('Sample', 'nobody').catch((error: unknown) => errors.push(error));
  expect(errors).toHaveLength(4);
  for (const thing of [client, ...errors])
    expect(inspect(thing, { depth: 10, showHidden: true, getters: true })).not.toContain(secret);
  expect(JSON.stringify([client, ...errors])).not.toContain(secret);
  expect(proxy.headers.every((sent) => sent['authorization'] === `Bearer ${secret}`)).toBe(true);
});

test('getToken is asked before every request', async () => {
  let asked = 0;
  const client = createClient({
    url: served.server.url,
    getToken: () => {
      asked++;
      return served.server.key;
    },
  });
  await client.me();
  await client.me();
  expect(asked).toBe(2);
});

test('a token that is refused is replaced by another one, once, for writes too', async () => {
  const {
    createApiKey: { secret: old, key },
  } = await served.client.graphql<{ createApiKey: { secret: string; key: { id: string } } }>(
    'mutation MakeKey { createApiKey(input: { label: "old", role: analyst }) { secret key { id } } }',
  );
  await served.client.graphql('mutation Revoke($id: ID!) { revokeApiKey(id: $id) { id } }', { id: key.id });
  const requests: (string | undefined)[] = [];
  const getToken = ({ rejected }: TokenRequest): string => {
    requests.push(rejected);
    return rejected === undefined ? old : served.server.key;
  };
  const client = createClient({ url: served.server.url, getToken });
  expect(await client.create('Sample', { name: 'after all' })).toMatchObject({ version: 1 });
  expect(requests).toEqual([undefined, old]);
});

test('a token that is refused and not replaced is an UnauthorizedError', async () => {
  let asked = 0;
  const client = createClient({
    url: served.server.url,
    getToken: () => {
      asked++;
      return 'sk_wrong';
    },
  });
  await expect(client.me()).rejects.toBeInstanceOf(UnauthorizedError);
  expect(asked).toBe(2);
});

test('a signal ends a call that waits for its token', async () => {
  const controller = new AbortController();
  const enough = new Error('enough');
  const client = createClient({
    url: served.server.url,
    getToken: () => {
      controller.abort(enough);
      return new Promise(() => undefined);
    },
  }); // the sign-in never ends
  await expect(client.me({ signal: controller.signal })).rejects.toBe(enough);
});

test('a token that ends in the middle of a listing is replaced, and no entity is missed', async () => {
  const makeKey = async (): Promise<{ secret: string; key: { id: string } }> =>
    (
      await served.client.graphql<{ createApiKey: { secret: string; key: { id: string } } }>(
        'mutation MakeKey { createApiKey(input: { label: "short", role: analyst }) { secret key { id } } }',
      )
    ).createApiKey;
  await served.client
    .ingestAll(
      Array.from({ length: 9 }, (_, i) => ({
        entityType: 'Sample',
        id: `token:${i}`,
        data: { name: 'of many tokens' },
      })),
    )
    .summary();
  let held = await makeKey();
  let made = 1;
  const client = createClient({
    url: served.server.url,
    getToken: async ({ rejected }) => {
      if (rejected === held.secret) {
        held = await makeKey();
        made++;
      }
      return held.secret;
    },
  });
  const seen: string[] = [];
  for await (const { id } of client.query('Sample', { name: 'of many tokens' }, { pageSize: 3 })) {
    seen.push(id);
    if (seen.length % 3 === 1)
      await served.client.graphql('mutation Revoke($id: ID!) { revokeApiKey(id: $id) { id } }', {
        id: held.key.id,
      });
  }
  expect(seen).toEqual(Array.from({ length: 9 }, (_, i) => `token:${i}`));
  expect(made).toBe(3);
});

test.each(['/', '//', '/lab', '/lab/', '/lab/one//'])('the base address may end in %s', async (path) => {
  const asked: string[] = [];
  const client = createClient({
    url: `${served.server.url}${path}`,
    apiKey: served.server.key,
    fetch: (input, init) => {
      asked.push(new URL(input).pathname);
      return fetch(`${served.server.url}/graphql`, init);
    }, // as a proxy strips the prefix
  });
  expect(await client.me()).toMatchObject({ actor: 'user:admin' });
  expect(asked).toEqual([`${path.replace(/\/+$/, '')}/graphql`]);
});

test('an error of getToken reaches the caller unchanged, and its result must be a credential', async () => {
  const mine = new Error('signed out');
  await expect(
    createClient({ url: served.server.url, getToken: () => Promise.reject(mine) }).me(),
  ).rejects.toBe(mine);
  await expect(createClient({ url: served.server.url, getToken: () => '' }).me()).rejects.toBeInstanceOf(
    ConfigError,
  );
});
