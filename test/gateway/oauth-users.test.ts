// `cairn users` and `cairn login`: accounts in the local store, sign-in by the device flow, and tokens that
// renew themselves (docs/reference/gateway.md#local-accounts, docs/reference/gateway.md#command-line).
import { describe, expect, test } from 'vitest';
import { Visitor } from '../portal/visitor.ts';
import { approveDevice, claimsOf, DEVICE, DEVICE_GRANT, ENTITIES, PASSWORD, TOKEN } from './oauth-testkit.ts';
import { server, cairn, setUp } from './accounts-by-command-testkit.ts';

setUp();

describe('cairn users', () => {
  test('add makes an account that can sign in; the password is read from standard input', async () => {
    const { status, stdout, stderr } = await cairn(
      'users add ada --role analyst --project alpha --project beta --json',
      `${PASSWORD}\n`,
    );
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      name: 'ada',
      actor: 'user:ada',
      roles: ['analyst'],
      projects: ['alpha', 'beta'],
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
      disabled_at: null,
    });
    const visitor = new Visitor(server.url);
    expect((await visitor.signIn(await visitor.open('/portal'), 'ada', PASSWORD)).text).toContain(
      'Signed in as user:ada',
    );
  });

  test('an administrator is in every project, whoever says nothing is a viewer in none', async () => {
    expect(JSON.parse((await cairn('users add root --role admin --json', PASSWORD)).stdout)).toMatchObject({
      roles: ['admin'],
      projects: '*',
    });
    expect(JSON.parse((await cairn('users add guest --json', PASSWORD)).stdout)).toMatchObject({
      roles: ['viewer'],
      projects: [],
    });
    expect((await cairn('users add everywhere --all-projects', PASSWORD)).stdout).toMatch(/projects +\*/);
  });

  test.each<[what: string, args: string, stdin: string, status: number, said: RegExp]>([
    ['a name that is taken', 'users add ada', PASSWORD, 1, /the user ada already exists/],
    ['a short password', 'users add bob', 'short', 1, /at least 8 characters/],
    ['no password', 'users add bob', '', 2, /contains no password/],
    ['a bad name', 'users add a:b', PASSWORD, 1, /a user name must be/],
    [
      'an unknown role',
      'users add bob --role root',
      PASSWORD,
      2,
      /--role must be one of viewer, analyst, project_lead, admin/,
    ],
    ['the role of services', 'users add bob --role service', PASSWORD, 2, /--role must be one of/],
    ['projects both ways', 'users add bob --project a --all-projects', PASSWORD, 2, /not both/],
    ['an unknown user to disable', 'users disable nobody', '', 1, /user not found: nobody/],
    ['an unknown user to enable', 'users enable nobody', '', 1, /user not found: nobody/],
    ['a user to enable who is not disabled', 'users enable ada', '', 1, /the user ada is not disabled/],
    ['nothing to change', 'users set ada', '', 2, /nothing to change: give/],
    ['projects in two ways', 'users set ada --no-projects --project x', '', 2, /give only one of/],
    ['an unknown user to change', 'users set nobody --role viewer', '', 1, /user not found: nobody/],
    ["an unknown user's password", 'users passwd nobody', PASSWORD, 1, /user not found: nobody/],
  ])('%s is refused', async (_, args, stdin, status, said) => {
    const answer = await cairn(args, stdin);
    expect([answer.status, answer.stdout]).toEqual([status, '']);
    expect(answer.stderr).toMatch(said);
  });

  test('list shows accounts, never passwords', async () => {
    const { stdout } = await cairn('users list');
    expect(stdout).toMatch(/NAME +ROLES +PROJECTS[\s\S]+ada +analyst +alpha, beta/);
    expect((await cairn('users list --json')).stdout).not.toMatch(/scrypt|password/i);
  });

  test('passwd sets another one, and ends what was signed in with the old', async () => {
    await cairn('users add carl --role analyst', PASSWORD);
    const tokens = await server.userTokens('carl');
    expect((await server.as(tokens.access_token)).status).toBe(200);
    expect(await cairn('users passwd carl', 'another good password')).toMatchObject({
      status: 0,
      stdout: 'The password of carl was changed.\n',
    });
    // the server has been notified before the command ends
    expect((await server.as(tokens.access_token)).body).toMatchObject({ error: 'revoked_token' });
    const visitor = new Visitor(server.url);
    expect((await visitor.signIn(await visitor.open('/portal'), 'carl', PASSWORD)).status).toBe(401);
    expect(
      (await visitor.signIn(await visitor.open('/portal'), 'carl', 'another good password')).text,
    ).toContain('Signed in as user:carl');
  });

  test('disable ends the account and its tokens', async () => {
    await cairn('users add eve --role analyst', PASSWORD);
    const tokens = await server.userTokens('eve');
    expect((await cairn('users disable eve')).stdout).toContain('eve is disabled');
    expect((await server.as(tokens.access_token)).body).toMatchObject({ error: 'revoked_token' });
    expect(JSON.parse((await cairn('users disable eve --json')).stdout)).toMatchObject({
      disabled_at: expect.any(String),
    });
  });

  test('enable lets the user sign in again; earlier tokens and keys stay invalid', async () => {
    await cairn('users add finn --role analyst --all-projects', PASSWORD);
    const [tokens, key] = [
      await server.userTokens('finn'),
      await server.newKey({ role: 'viewer', owner: 'user:finn' }),
    ];
    expect((await server.rest('GET', ENTITIES, { key })).status).toBe(200);
    await cairn('users disable finn');
    expect((await server.rest('GET', ENTITIES, { key })).body).toMatchObject({ error: 'revoked_token' });
    expect(await cairn('users enable finn')).toMatchObject({
      status: 0,
      stdout: 'finn may sign in again; the old tokens and API keys stay revoked.\n',
    });
    expect((await server.as(tokens.access_token)).body).toMatchObject({ error: 'revoked_token' });
    expect((await server.rest('GET', ENTITIES, { key })).body).toMatchObject({ error: 'revoked_token' });
    expect((await server.as((await server.userTokens('finn')).access_token)).status).toBe(200);
  });

  test('set changes what an account may do: tokens of before end, and keys that reach further than it does now', async () => {
    await cairn('users add gwen --role project_lead --project alpha --project beta', PASSWORD);
    const tokens = await server.userTokens('gwen');
    const keyOf = (role: string, project?: string): Promise<string> =>
      server.newKey({ role, owner: 'user:gwen', ...(project === undefined ? {} : { project }) });
    const [lead, analyst, beta, viewer] = [
      await keyOf('project_lead'),
      await keyOf('analyst', 'alpha'),
      await keyOf('viewer', 'beta'),
      await keyOf('viewer'),
    ];
    const answers = async (key: string): Promise<unknown> =>
      (await server.rest('GET', ENTITIES, { key })).status;
    expect(
      JSON.parse((await cairn('users set gwen --role analyst --project alpha --json')).stdout),
    ).toMatchObject({ name: 'gwen', roles: ['analyst'], projects: ['alpha'] });
    expect((await server.as(tokens.access_token)).body).toMatchObject({ error: 'revoked_token' });
    expect([await answers(lead), await answers(analyst), await answers(beta), await answers(viewer)]).toEqual(
      [401, 200, 401, 200],
    );
    expect((await server.rest('GET', `${ENTITIES}?project=beta`, { key: viewer })).body).toMatchObject({
      error: 'project_scope_denied',
    });
    const { access_token: now } = await server.userTokens('gwen');
    expect(claimsOf(now)).toMatchObject({ roles: ['analyst'], projects: ['alpha'] });
    expect(JSON.parse((await cairn('users set gwen --no-projects --json')).stdout)).toMatchObject({
      roles: ['analyst'],
      projects: [],
    });
  });

  test('a code approved before the change gives nothing after it', async () => {
    await cairn('users add hugo --role analyst', PASSWORD);
    const { body: device } = await server.rest('GET', DEVICE, { key: null });
    await approveDevice(new Visitor(server.url), `/device?user_code=${device.user_code}`, 'hugo', PASSWORD);
    await cairn('users set hugo --role viewer');
    expect(
      (await server.post(TOKEN, { grant_type: DEVICE_GRANT, device_code: device.device_code })).body,
    ).toMatchObject({ error: 'access_denied' });
  });
});

test("an administrator's account opens what administrators may", async () => {
  const tokens = await server.userTokens('root');
  expect((await server.as(tokens.access_token, 'GET', '/api/v1/gateway/sync/events')).status).toBe(200);
  expect((await server.as(tokens.access_token, 'GET', `${ENTITIES}?project=any`)).status).toBe(200);
});
