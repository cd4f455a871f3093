// How commands report failures, and where they take address and credential from.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from './command-line.ts';
import { type Answer, platformDouble } from './platform-double.ts';
import { directory, nowhere, ENTITY, envelope } from './client-testkit.ts';

describe('rules register', () => {
  test('sends each rule of a package, with the CWL that lies beside it', async () => {
    writeFileSync(path.join(directory, 'a.cwl'), 'cwlVersion: v1.2\n');
    writeFileSync(
      path.join(directory, 'rules.yaml'),
      'name: base\nrules:\n  - {name: a, produces: {entity_type: A}, execute: {cwl_file: a.cwl}}\n  - {name: b, produces: {entity_type: B}, execute: {cwl_url: "https://x.org/b.cwl"}}\n',
    );
    await using platform = await platformDouble(({ body }) => ({
      status: 201,
      body: { rule: `${(body as { name: string }).name}@1`, status: 'active' },
    }));
    const { stdout } = await run(['rules', 'register', 'rules.yaml', '--url', platform.url, '--no-replace'], {
      cwd: directory,
      env: { CAIRN_KEY: 'k' },
    });
    expect(stdout).toBe('a@1 is active\nb@1 is active\n');
    expect(platform.asked.map((a) => a.body)).toMatchObject([
      {
        name: 'a',
        replace: false,
        execute: { cwl_content: Buffer.from('cwlVersion: v1.2\n').toString('base64') },
      },
      { name: 'b', replace: false, execute: { cwl_url: 'https://x.org/b.cwl' } },
    ]);
  });

  test('as a dry run reports for each rule whether it is valid, and fails if one is not', async () => {
    const violations = [
      { check: 'field_type', message: 'output n is int, field n is string' },
      { check: 'match', message: 'id is not covered' },
    ];
    await using platform = await platformDouble(({ body }) => {
      const isValid = (body as { name: string }).name !== 'bad';
      return { body: { dry_run: true, valid: isValid, violations: isValid ? [] : violations } };
    });
    const rehearse = (names: readonly string[], ...more: readonly string[]) =>
      run(['rules', 'register', '-', '--dry-run', '--url', platform.url, '--key', 'k', ...more], {
        cwd: nowhere,
        stdin: JSON.stringify({ rules: names.map((name) => ({ name })) }),
      });
    expect(await rehearse(['good', 'fine'])).toEqual({
      status: 0,
      stdout: 'valid; nothing was registered\n',
      stderr: '',
    });
    expect(await rehearse(['bad', 'good'])).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'cairn: the rules are not valid; nothing was registered\n  bad: output n is int, field n is string\n  bad: id is not covered\n',
    });
    expect(JSON.parse((await rehearse(['bad'], '--json')).stderr)).toMatchObject({ violations });
  });

  test('lists every violation', async () => {
    const violations = [
      { check: 'types', message: 'output n is int, field n is string' },
      { check: 'match', message: 'id is not covered' },
    ];
    await using platform = await platformDouble(() => ({
      status: 422,
      body: {
        error: 'validation_failed',
        message: 'the rule is not valid',
        request_id: 'r',
        details: { violations },
      },
    }));
    const { status, stderr } = await run(
      ['rules', 'register', '-', '--dry-run', '--url', platform.url, '--key', 'k'],
      { cwd: nowhere, stdin: '{name: a}' },
    );
    expect(status).toBe(1);
    expect(platform.asked[0]?.query).toEqual({ dry_run: ['true'] });
    expect(stderr).toContain('  output n is int, field n is string\n  id is not covered');
  });
});

test('triggers run --wait waits for the end, and fails where the run failed', async () => {
  const states = ['queued', 'failed'];
  await using platform = await platformDouble(({ method }) => ({
    body: method === 'POST' ? { run_id: 'r1', status: 'queued' } : { run_id: 'r1', status: states.shift() },
  }));
  const { status, stderr } = await run(
    ['triggers', 'run', 'nightly', '--wait', '--url', platform.url, '--key', 'k'],
    { cwd: nowhere },
  );
  expect([status, stderr]).toEqual([1, 'cairn: run r1 of nightly ended as failed\n']);
});

describe('failures', () => {
  test.each<[string, Answer, string]>([
    [
      "the gateway's",
      {
        status: 403,
        body: { error: 'insufficient_role', message: 'role admin is required', request_id: 'r', details: {} },
      },
      'role admin is required (403 insufficient_role)',
    ],
    [
      "metadata's",
      {
        status: 404,
        body: { data: null, error: { code: 404, message: 'entity not found: x' }, meta: { request_id: 'r' } },
      },
      'entity not found: x (404)',
    ],
    [
      "GraphQL's",
      {
        status: 400,
        body: {
          errors: [
            { message: 'no field a', extensions: { code: 'INVALID_REQUEST' } },
            { message: 'no field b' },
          ],
        },
      },
      'no field a\nno field b (400 INVALID_REQUEST)',
    ],
    [
      'no JSON at all',
      { status: 200, body: '<html>' },
      'the answer does not come from Cairn: check the address (200 no_json)',
    ],
  ])('%s are said in one line each', async (_, answer, message) => {
    await using platform = await platformDouble(() => answer);
    expect(await run(['get', 'x', '--url', platform.url, '--key', 'k'], { cwd: nowhere })).toEqual({
      status: 1,
      stdout: '',
      stderr: `cairn: ${message}\n`,
    });
  });

  test('are JSON on standard error with --json', async () => {
    await using platform = await platformDouble(() => ({
      status: 409,
      body: { error: 'conflict', message: 'no', request_id: 'r7', details: {} },
    }));
    const { status, stderr } = await run(
      ['keys', 'rotate', 'key_1', '--json', '--url', platform.url, '--key', 'k'],
      { cwd: nowhere },
    );
    expect([status, JSON.parse(stderr)]).toEqual([
      1,
      { message: 'no (409 conflict)', status: 409, error: 'conflict', request_id: 'r7', details: {} },
    ]);
  });

  test('where nothing answers, say what to do', async () => {
    const { status, stderr } = await run(['get', 'x', '--url', 'http://127.0.0.1:1'], { cwd: nowhere });
    expect(status).toBe(1);
    expect(stderr).toContain('http://127.0.0.1:1 does not respond (ECONNREFUSED). Is the server running?');
  });

  test('errors of a GraphQL answer are listed, beside the data there is', async () => {
    await using platform = await platformDouble(() => ({
      body: {
        data: { a: null },
        errors: [{ message: 'no such entity', path: ['a', 0], extensions: { code: 'NOT_FOUND' } }],
      },
    }));
    const { status, stdout, stderr } = await run(['query', '-', '--url', platform.url, '--key', 'k'], {
      cwd: nowhere,
      stdin: '{ a }',
    });
    expect([status, stdout, stderr]).toEqual([
      1,
      '{\n  "a": null\n}\n',
      'cairn: a.0: no such entity (NOT_FOUND)\n',
    ]);
  });

  test('text of the platform cannot steer the terminal', async () => {
    await using platform = await platformDouble(() =>
      envelope({ items: [{ ...ENTITY, id: 'x\u001b[2J' }], total: 1 }),
    );
    const { stdout } = await run(['get', '--type', 'S', '--url', platform.url, '--key', 'k'], {
      cwd: nowhere,
    });
    expect(stdout).toContain('x\\x1b[2J');
  });

  test('a refusal for its rate is tried again after the time it names', async () => {
    let refusals = 2;
    await using platform = await platformDouble(() =>
      refusals-- > 0
        ? {
            status: 429,
            body: { error: 'rate_limit_exceeded', message: 'slow' },
            headers: { 'retry-after': '0' },
          }
        : envelope(ENTITY),
    );
    expect((await run(['get', 'HG1', '--url', platform.url, '--key', 'k'], { cwd: nowhere })).status).toBe(0);
    expect(platform.asked).toHaveLength(3);
  });
});

describe('address and credential', () => {
  const withPlatform = async (
    configured: (url: URL) => string,
  ): Promise<{ cwd: string; platform: Awaited<ReturnType<typeof platformDouble>> }> => {
    const platform = await platformDouble(() => envelope(ENTITY));
    const cwd = mkdtempSync(path.join(directory, 'site-'));
    mkdirSync(path.join(cwd, 'data'));
    writeFileSync(path.join(cwd, 'data', 'admin-key'), 'sk_admin\n');
    writeFileSync(path.join(cwd, 'gateway.yaml'), configured(new URL(platform.url)));
    return { cwd, platform };
  };

  test('come from the configuration and the data directory by default', async () => {
    const { cwd, platform } = await withPlatform((url) => `server: {host: 0.0.0.0, port: ${url.port}}`);
    await using _ = platform;
    expect((await run(['get', 'HG1'], { cwd })).status).toBe(0);
    expect(platform.asked[0]?.authorization).toBe('Bearer sk_admin');
  });

  test('options override the environment, the environment overrides files', async () => {
    const { cwd, platform } = await withPlatform(() => 'server: {port: 1}');
    await using _ = platform;
    const env = { CAIRN_URL: platform.url, CAIRN_KEY: 'sk_env' };
    await run(['get', 'HG1'], { cwd, env });
    await run(['get', 'HG1', '--key', 'sk_option'], { cwd, env });
    await run(['get', 'HG1'], { cwd, env: { CAIRN_URL: platform.url } });
    expect(platform.asked.map((a) => a.authorization)).toEqual([
      'Bearer sk_env',
      'Bearer sk_option',
      'Bearer sk_admin',
    ]);
  });

  test("the administrator's key never leaves this machine", async () => {
    const { targetOf } = await import('../../cli/target.ts');
    const { processSession } = await import('../../cli/session.ts');
    const { cwd, platform } = await withPlatform(() => 'server: {port: 1}');
    await using _ = platform;
    const session = { ...processSession(), env: {}, cwd };
    expect(targetOf(session, { url: 'https://cairn.example.org/' })).toEqual({
      url: 'https://cairn.example.org',
    });
    expect(targetOf(session, { url: 'http://localhost.example.org' })).toEqual({
      url: 'http://localhost.example.org',
    });
    expect(targetOf(session, { url: 'http://[::1]:8080' })).toEqual({
      url: 'http://[::1]:8080',
      key: 'sk_admin',
    });
  });

  test('without any credential, a 401 says how to give one', async () => {
    await using platform = await platformDouble(() => ({
      status: 401,
      body: { error: 'missing_token', message: 'no credential', request_id: 'r', details: {} },
    }));
    const { status, stderr } = await run(['get', 'x', '--url', platform.url], { cwd: nowhere });
    expect(status).toBe(1);
    expect(stderr).toContain('pass --key, set CAIRN_KEY');
  });
});
