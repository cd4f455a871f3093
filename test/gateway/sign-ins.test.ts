// docs/reference/gateway.md#sign-ins: who can come in, and the end of one sign-in or of all, for oneself and for others.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Visitor } from '../portal/visitor.ts';
import { CLIENTS, type OAuthServer, PASSWORD, REFRESH, startOAuth } from './oauth-testkit.ts';

let server: OAuthServer;
beforeAll(async () => {
  server = await startOAuth({ config: `${CLIENTS}observability: {audit_log: {backend: postgres}}\n` });
  await server.users.add({ name: 'root', password: PASSWORD, roles: ['admin'], projects: '*' });
});
afterAll(() => server[Symbol.asyncDispose]());

/** A browser that has signed in with a password. */
async function browser(name: string): Promise<Visitor> {
  const visitor = new Visitor(server.url);
  await visitor.signIn(await visitor.open('/portal'), name, PASSWORD);
  return visitor;
}
const cookieOf = ({ cookies }: Visitor): string => [...cookies].map((pair) => pair.join('=')).join('; ');

interface Said {
  readonly data?: Record<string, unknown> | null;
  readonly error?: string;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}
/** GraphQL as a page of the server sends it. */
async function inBrowser(visitor: Visitor, query: string): Promise<Said> {
  const answer = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: cookieOf(visitor),
      origin: server.url,
      'x-cairn-session': '1',
    },
    body: JSON.stringify({ query }),
  });
  return (await answer.json()) as Said;
}
async function asked<Answer>(query: string, key = server.key): Promise<Answer> {
  const { body } = await server.graphql(query, {}, { key });
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return Object.values(body.data)[0] as Answer;
}
const bearer = async (token: string): Promise<number> => (await server.as(token)).status;
/** In either form: a session that has ended is refused before GraphQL. */
const codeOf = ({ errors, error }: Said): string | undefined =>
  errors?.[0]?.extensions.code ?? error?.toUpperCase();

interface SignIn {
  readonly id: string;
  readonly kind: string;
  readonly client: string | null;
}
const signInsOf = async (actor: string): Promise<readonly SignIn[]> =>
  (await asked<{ signIns: SignIn[] }>(`{ signIns(actor: "${actor}") { signIns { id kind client } } }`))
    .signIns;

test('one signs oneself out everywhere: browsers, devices, and links that would sign in', async () => {
  const [first, second] = [await browser('ada'), await browser('ada')];
  const tokens = await server.userTokens();
  expect(codeOf(await inBrowser(second, '{ me { actor } }'))).toBeUndefined();
  // the approval of the device is a browser, too
  const kinds = (await signInsOf('user:ada')).map(({ kind }) => kind).sort();
  expect(kinds).toEqual(['browser', 'browser', 'browser', 'tokens']);
  const { data } = await inBrowser(first, 'mutation { signOutEverywhere { actor browsers tokens } }');
  expect(data).toEqual({ signOutEverywhere: { actor: 'user:ada', browsers: 3, tokens: 1 } });
  expect(codeOf(await inBrowser(first, '{ me { actor } }'))).toBe('INVALID_TOKEN');
  expect(codeOf(await inBrowser(second, '{ me { actor } }'))).toBe('INVALID_TOKEN');
  expect(await bearer(tokens.access_token)).toBe(401);
  expect(
    (await server.post(REFRESH, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token })).status,
  ).toBe(401);
  expect(await signInsOf('user:ada')).toEqual([]);
});

test('one sign-in ends alone', async () => {
  const [kept, ended] = [await browser('ada'), await browser('ada')];
  const [{ id } = { id: '' }] = await signInsOf('user:ada'); // the newest
  expect(await asked(`mutation { endSignIn(id: "${id}") { actor browsers tokens } }`)).toEqual({
    actor: 'user:ada',
    browsers: 1,
    tokens: 0,
  });
  expect(codeOf(await inBrowser(ended, '{ me { actor } }'))).toBe('INVALID_TOKEN');
  expect(codeOf(await inBrowser(kept, '{ me { actor } }'))).toBeUndefined();
  const tokens = await server.userTokens();
  const family = (await signInsOf('user:ada')).find(({ kind }) => kind === 'tokens');
  expect(family?.client).toBe('cli');
  await asked(`mutation { endSignIn(id: "${family?.id}") { tokens } }`);
  expect(await bearer(tokens.access_token)).toBe(401);
  await expect(asked(`mutation { endSignIn(id: "${family?.id}") { tokens } }`)).rejects.toThrow(/NOT_FOUND/);
  await asked('mutation { signOutEverywhere(actor: "user:ada") { browsers } }');
});

test("others' sign-ins are neither seen nor ended without an administrator's rights in all projects", async () => {
  const root = await browser('root');
  const [{ id } = { id: '' }] = await signInsOf('user:root');
  const ada = await browser('ada');
  const refused = await Promise.all(
    [
      '{ signIns { nextCursor } }',
      '{ signIns(actor: "user:root") { nextCursor } }',
      '{ knownActors { nextCursor } }',
      '{ authClients { id } }',
      'mutation { signOutEverywhere(actor: "user:root") { actor } }',
      `mutation { endSignIn(id: "${id}") { actor } }`,
    ].map(async (query) => codeOf(await inBrowser(ada, query))),
  );
  expect(refused).toEqual([...Array.from({ length: 5 }, () => 'INSUFFICIENT_ROLE'), 'NOT_FOUND']);
  const scoped = await server.newKey({ role: 'admin', project: 'alpha' });
  await expect(asked('{ knownActors { nextCursor } }', scoped)).rejects.toThrow(/PROJECT_SCOPE_DENIED/);
  await expect(asked('{ authClients { id } }', scoped)).rejects.toThrow(/PROJECT_SCOPE_DENIED/);
  expect(codeOf(await inBrowser(root, '{ me { actor } }'))).toBeUndefined();
  expect(codeOf(await inBrowser(ada, '{ signIns(actor: "user:ada") { nextCursor } }'))).toBeUndefined();
});

test("a key that is no administrator's ends what it has opened, and nothing of its owner", async () => {
  const person = await browser('root');
  const key = await server.newKey({ role: 'viewer', owner: 'user:root' });
  const { body } = await server.rest('POST', '/api/v1/gateway/auth/sign-in-link', { key });
  const opened = new Visitor(server.url);
  await opened.send('GET', (body as { url: string }).url, { headers: { 'sec-fetch-site': 'none' } });
  expect(codeOf(await inBrowser(opened, '{ me { actor } }'))).toBeUndefined();
  const own = (await signInsOf('user:root')).at(-1)?.id;
  await expect(asked(`mutation { endSignIn(id: "${own}") { actor } }`, key)).rejects.toThrow(/NOT_FOUND/);
  expect(await asked('mutation { signOutEverywhere { browsers tokens } }', key)).toEqual({
    browsers: 1,
    tokens: 0,
  });
  expect(codeOf(await inBrowser(opened, '{ me { actor } }'))).toBe('INVALID_TOKEN');
  expect(codeOf(await inBrowser(person, '{ me { actor } }'))).toBeUndefined();
});

test('actors are listed with account, rights and what they have in use, page by page', async () => {
  await server.newKey({ role: 'analyst', owner: 'user:guest' });
  await server.clientTokens();
  interface Known {
    readonly actor: string;
  }
  const all: Known[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const after: string = cursor === '' ? '' : `, cursor: "${cursor}"`;
    const page: { actors: Known[]; nextCursor: string | null } = await asked(
      `{ knownActors(limit: 2${after}) { nextCursor actors { actor isLocal roles projects disabledAt keys tokens } } }`,
    );
    all.push(...page.actors);
    cursor = page.nextCursor;
  }
  expect(all.map(({ actor }) => actor)).toEqual(all.map(({ actor }) => actor).toSorted());
  expect(all).toContainEqual({
    actor: 'user:ada',
    isLocal: true,
    roles: ['analyst'],
    projects: ['alpha'],
    disabledAt: null,
    keys: 0,
    tokens: 0,
  });
  expect(all).toContainEqual({
    actor: 'user:guest',
    isLocal: false,
    roles: ['analyst'],
    projects: null,
    disabledAt: null,
    keys: 1,
    tokens: 0,
  });
  expect(all).toContainEqual(expect.objectContaining({ actor: 'service:importer', tokens: 1 }));
});

test('clients are listed without secrets', async () => {
  const clients = await asked<{ id: string; tokens: number }[]>(
    '{ authClients { id isConfidential grants roles projects redirectUris tokens } }',
  );
  expect(clients.map(({ id }) => id)).toEqual(['cli', 'importer', 'web', 'spa', 'television']);
  expect(clients[1]).toEqual({
    id: 'importer',
    isConfidential: true,
    grants: ['client_credentials'],
    roles: ['service'],
    projects: ['alpha', 'beta'],
    redirectUris: [],
    tokens: 1,
  });
});

test('the audit record of the request says who was signed out', async () => {
  await browser('ada');
  await asked('mutation Out { signOutEverywhere(actor: "user:ada") { browsers } }');
  await expect
    .poll(
      async () =>
        (
          await asked<{ records: { actor: string; changes: unknown }[] }>(
            '{ auditRecords(filter: {action: "sign_in.end"}, limit: 1) { records { actor changes } } }',
          )
        ).records,
    )
    .toEqual([
      {
        actor: 'user:admin',
        changes: [
          {
            action: 'sign_in.end',
            subject: 'user:ada',
            details: { actor: 'user:ada', browsers: expect.any(Number) as number, tokens: 0 },
          },
        ],
      },
    ]);
});
