// `cairn login`.
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { begin, run } from '../cli/command-line.ts';
import { Visitor } from '../portal/visitor.ts';
import { approveDevice, PASSWORD } from './oauth-testkit.ts';
import { server, home, here, cairn, setUp } from './accounts-by-command-testkit.ts';

setUp();

describe('cairn login', () => {
  const file = (): string => path.join(home, '.config', 'cairn', 'credentials.json');
  type Stored = Record<
    string,
    { accessToken: string; refreshToken: string; expiresAt: number; actor: string }
  >;
  const stored = (): Stored => JSON.parse(readFileSync(file(), 'utf8')) as Stored;
  const login = async (decision = 'approve'): Promise<{ status: number; stdout: string; stderr: string }> => {
    const started = begin(['login', '--json'], here());
    while (!started.stderr().includes('Waiting')) await sleep(20);
    await approveDevice(
      new Visitor(server.url),
      `/device?user_code=${/user_code=([\w-]+)/.exec(started.stderr())?.[1]}`,
      'ada',
      PASSWORD,
      decision,
    );
    return { status: await started.ended, stdout: started.stdout(), stderr: started.stderr() };
  };
  const whoami = async (): Promise<unknown> => {
    const { status, stdout, stderr } = await cairn('keys list --json');
    return status === 0 ? (JSON.parse(stdout) as { keys: unknown[] }).keys : stderr;
  };
  beforeAll(async () => {
    await cairn('users add ada --role analyst --project alpha --project beta', `${PASSWORD}\n`);
    await server.rest('POST', '/api/v1/gateway/auth/api-keys', {
      body: { label: 'of ada', role: 'viewer', owner: 'user:ada' },
    });
  });

  test('shows address and code, waits, and stores the tokens in a file that only the user can read', async () => {
    const { status, stdout, stderr } = await login();
    expect(status).toBe(0);
    expect(stderr).toMatch(
      /\/device\?user_code=[\w-]+[\s\S]+The page shows the code [B-Z]{4}-[B-Z]{4}\. Waiting/,
    );
    expect(JSON.parse(stdout)).toEqual({ url: server.url, actor: 'user:ada', credentials: file() });
    expect([statSync(file()).mode & 0o777, statSync(path.dirname(file())).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    expect(stored()).toEqual({
      [server.url]: {
        accessToken: expect.any(String),
        refreshToken: expect.stringMatching(/^rt_/),
        expiresAt: expect.any(Number),
        actor: 'user:ada',
      },
    });
    expect(stdout + stderr).not.toContain(stored()[server.url]?.refreshToken ?? 'none');
  });

  test('other commands then act as the user, unless a key is given', async () => {
    expect(await whoami()).toEqual([expect.objectContaining({ label: 'of ada' })]);
    const { stdout } = await run(['keys', 'list', '--json', '--key', server.key], here());
    expect(JSON.parse(stdout)).toMatchObject({
      keys: [expect.objectContaining({ label: 'first administrator' })],
    });
  });

  const age = (): string => {
    const login = stored()[server.url];
    if (login === undefined) throw new Error('nobody is signed in');
    writeFileSync(file(), JSON.stringify({ [server.url]: { ...login, expiresAt: Date.now() + 5000 } }), {
      mode: 0o600,
    });
    return login.refreshToken;
  };

  test('a token about to expire is refreshed, once, however many commands run at once', async () => {
    const before = age();
    const answers = await Promise.all(Array.from({ length: 8 }, whoami));
    for (const answer of answers) expect(answer).toEqual([expect.objectContaining({ label: 'of ada' })]);
    const after = stored()[server.url];
    expect(after?.refreshToken).not.toBe(before);
    expect(after?.expiresAt).toBeGreaterThan(Date.now() + 800_000);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect((await server.as(after?.accessToken ?? '')).status).toBe(200);
  });

  test('a lock that was left behind does not hold anybody up for long', async () => {
    age();
    writeFileSync(`${file()}.lock`, '');
    utimesSync(`${file()}.lock`, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
    expect(await whoami()).toEqual([expect.objectContaining({ label: 'of ada' })]);
  });

  test('a sign-in that was revoked elsewhere is reported as ended and removed', async () => {
    const token = age();
    await server.post('/api/v1/gateway/auth/token/revoke', { token });
    expect(await whoami()).toContain('run \\"cairn login\\" again');
    expect(stored()).toEqual({});
  });

  test('a denial is a failure', async () => {
    const { status, stderr } = await login('deny');
    expect([status, stderr.includes('the request was denied')]).toEqual([1, true]);
    expect(stored()).toEqual({});
  });

  test('--end revokes the tokens and removes them', async () => {
    await login();
    const given = stored()[server.url];
    expect(JSON.parse((await cairn('login --end --json')).stdout)).toEqual({
      url: server.url,
      signed_out: true,
    });
    expect(stored()).toEqual({});
    expect((await server.as(given?.accessToken ?? '')).body).toMatchObject({ error: 'revoked_token' });
    expect(JSON.parse((await cairn('login --end --json')).stdout)).toEqual({
      url: server.url,
      signed_out: false,
    });
  });

  test('a damaged file is a failure that says what to do', async () => {
    writeFileSync(file(), '{');
    expect(await whoami()).toContain('is damaged; delete it and sign in again');
    rmSync(file());
  });
});
