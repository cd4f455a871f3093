// The commands that call a running platform: their requests, output and errors.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from './command-line.ts';
import { type Answer, type Asked, platformDouble } from './platform-double.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'cairn-client-'));
afterAll(() => rmSync(directory, { recursive: true }));
const nowhere = mkdtempSync(path.join(directory, 'empty-'));

const ENTITY = {
  id: 'HG1',
  entity_type: 'Sample',
  data: { sex: 'female' },
  version: 2,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-02T00:00:00Z',
  is_available: true,
};
const envelope = (data: unknown): Answer => ({
  body: { data, error: null, meta: { schema_version: '1', request_id: 'r' } },
});
const KEY = {
  id: 'key_1',
  label: 'laptop',
  role: 'analyst',
  project: null,
  created_by: 'user:ada',
  last_used_at: null,
  revoked: false,
};

interface Case {
  readonly args: string[];
  readonly answer: Answer;
  readonly asks: Partial<Asked>;
  readonly shows: RegExp;
  readonly json: unknown;
}

test.each<[string, Case]>([
  [
    'open',
    {
      args: ['open'],
      answer: {
        status: 201,
        body: { url: 'http://127.0.0.1:8080/portal/open?code=sl_x', actor: 'user:ada', expires_in: 600 },
      },
      asks: { method: 'POST', path: '/api/v1/gateway/auth/sign-in-link' },
      shows: /portal\/open\?code=sl_x[\s\S]+as user:ada, once, within 10 minutes/,
      json: { url: 'http://127.0.0.1:8080/portal/open?code=sl_x', actor: 'user:ada', expires_in: 600 },
    },
  ],
  [
    'get <id>',
    {
      args: ['get', 'HG1', '--expand', 'population'],
      answer: envelope(ENTITY),
      asks: { method: 'GET', path: '/api/v1/metadata/entities/HG1', query: { expand: ['population'] } },
      shows: /id +HG1[\s\S]+"sex": "female"/,
      json: ENTITY,
    },
  ],
  [
    'get <id> with a slash',
    {
      args: ['get', 'a/b'],
      answer: envelope(ENTITY),
      asks: { path: '/api/v1/metadata/entities/a%2Fb' },
      shows: /HG1/,
      json: ENTITY,
    },
  ],
  [
    'get <id> --history',
    {
      args: ['get', 'HG1', '--history'],
      answer: envelope([{ timestamp: 't', event_type: 'EntityCreated', actor: 'user:ada', payload: {} }]),
      asks: { path: '/api/v1/metadata/entities/HG1/history' },
      shows: /EntityCreated +user:ada/,
      json: [expect.objectContaining({ event_type: 'EntityCreated' })],
    },
  ],
  [
    'get --type',
    {
      args: [
        'get',
        '--type',
        'Sample',
        '--where',
        'sex=female',
        '--where',
        'pop=GBR',
        '--where',
        'pop=FIN',
        '--filter',
        'data.age > 3.0',
        '--limit',
        '5',
      ],
      answer: envelope({ items: [ENTITY], total: 7, limit: 5, offset: 0 }),
      asks: {
        path: '/api/v1/metadata/entities',
        query: {
          sex: ['female'],
          pop: ['GBR', 'FIN'],
          entity_type: ['Sample'],
          filter: ['data.age > 3.0'],
          limit: ['5'],
        },
      },
      shows: /ID +TYPE[\s\S]+HG1 +Sample +2[\s\S]+1 of 7/,
      json: { items: [ENTITY], total: 7, limit: 5, offset: 0 },
    },
  ],
  [
    'schemas reference-faults',
    {
      args: ['schemas', 'reference-faults', 'Sample', '--limit', '5'],
      answer: envelope({
        items: [
          {
            entity_id: 's1',
            entity_type: 'Sample',
            field: 'donor',
            target_id: 'nobody',
            target_entity_type: 'Donor',
            reason: 'missing',
            actual_entity_type: null,
          },
          {
            entity_id: 's1',
            entity_type: 'Sample',
            field: 'kin',
            target_id: 'd',
            target_entity_type: 'Sample',
            reason: 'other_type',
            actual_entity_type: 'Donor',
          },
        ],
        next_cursor: 'W10',
      }),
      asks: {
        method: 'GET',
        path: '/api/v1/metadata/schemas/Sample/reference-faults',
        query: { limit: ['5'] },
      },
      shows:
        /s1 +Sample +donor +nobody +does not exist[\s\S]+is a Donor, not a Sample[\s\S]+more: --all, or --cursor W10/,
      json: expect.objectContaining({ next_cursor: 'W10' }),
    },
  ],
  [
    'query',
    {
      args: ['query', 'query Q($n: Int) { a }', '--variables', '{"n": 1}', '--operation', 'Q'],
      answer: { body: { data: { a: 1 } } },
      asks: {
        method: 'POST',
        path: '/graphql',
        body: { query: 'query Q($n: Int) { a }', variables: { n: 1 }, operationName: 'Q' },
      },
      shows: /"a": 1/,
      json: { data: { a: 1 } },
    },
  ],
  [
    'keys create',
    {
      args: ['keys', 'create', '--label', 'laptop', '--role', 'analyst', '--project', 'alpha'],
      answer: { status: 201, body: { ...KEY, secret: 'sk_once' } },
      asks: {
        method: 'POST',
        path: '/api/v1/gateway/auth/api-keys',
        body: { label: 'laptop', role: 'analyst', project: 'alpha' },
      },
      shows: /sk_once[\s\S]+shown only once/,
      json: { ...KEY, secret: 'sk_once' },
    },
  ],
  [
    'keys list',
    {
      args: ['keys', 'list', '--user', 'user:ada'],
      answer: { body: { keys: [KEY] } },
      asks: { path: '/api/v1/gateway/auth/api-keys', query: { user: ['user:ada'] } },
      shows: /key_1 +laptop +analyst +- +user:ada/,
      json: { keys: [KEY] },
    },
  ],
  [
    'keys revoke',
    {
      args: ['keys', 'revoke', 'key_1', '--reason', 'lost'],
      answer: { body: { id: 'key_1', revoked: true, revoked_at: 'T' } },
      asks: { method: 'DELETE', path: '/api/v1/gateway/auth/api-keys/key_1', body: { reason: 'lost' } },
      shows: /key_1 revoked at T/,
      json: { id: 'key_1', revoked: true, revoked_at: 'T' },
    },
  ],
  [
    'keys rotate',
    {
      args: ['keys', 'rotate', 'key_1'],
      answer: {
        body: {
          new_key: { ...KEY, id: 'key_2', secret: 'sk_new' },
          revoked_key: { id: 'key_1', revoked_at: 'T' },
        },
      },
      asks: { method: 'POST', path: '/api/v1/gateway/auth/api-keys/key_1/rotate', body: undefined },
      shows: /sk_new[\s\S]+key_1 is revoked/,
      json: expect.objectContaining({ revoked_key: { id: 'key_1', revoked_at: 'T' } }),
    },
  ],
  [
    'keys rotate-signing',
    {
      args: ['keys', 'rotate-signing'],
      answer: { body: { kid: 'k2' } },
      asks: { method: 'POST', path: '/api/v1/gateway/auth/signing-keys/rotate', body: undefined },
      shows: /signed with key k2/,
      json: { kid: 'k2' },
    },
  ],
  [
    'triggers list',
    {
      args: ['triggers', 'list'],
      answer: { body: { nightly: { status: 'scheduled', last_run: 'T', last_result: 'success' } } },
      asks: { path: '/api/v1/workflow/triggers' },
      shows: /nightly +scheduled +T +success +-/,
      json: { nightly: { status: 'scheduled', last_run: 'T', last_result: 'success' } },
    },
  ],
  [
    'triggers run',
    {
      args: ['triggers', 'run', 'nightly'],
      answer: { status: 202, body: { run_id: 'r1', status: 'queued', trigger: 'nightly' } },
      asks: { method: 'POST', path: '/api/v1/workflow/triggers/nightly/run' },
      shows: /run r1 is queued; "cairn runs show r1"/,
      json: { run_id: 'r1', status: 'queued', trigger: 'nightly' },
    },
  ],
  [
    'runs list',
    {
      args: ['runs', 'list', '--trigger', 'nightly', '--limit', '3'],
      answer: {
        body: {
          runs: [{ run_id: 'r1', trigger_name: 'nightly', status: 'success', records_created: 4 }],
          total: 1,
          next_cursor: null,
        },
      },
      asks: { path: '/api/v1/workflow/triggers/nightly/runs', query: { limit: ['3'] } },
      shows: /r1 +nightly +success/,
      json: expect.objectContaining({ total: 1 }),
    },
  ],
  [
    'runs show',
    {
      args: ['runs', 'show', 'r1'],
      answer: { body: { run_id: 'r1', status: 'failed', errors: ['no answer'] } },
      asks: { path: '/api/v1/workflow/runs/r1' },
      shows: /status +failed[\s\S]+no answer/,
      json: { run_id: 'r1', status: 'failed', errors: ['no answer'] },
    },
  ],
  [
    'rules list',
    {
      args: ['rules', 'list', '--status', 'active'],
      answer: {
        body: {
          rules: [
            { rule: 'align@2', status: 'active', scope: 'global', produces: { entity_type: 'Alignment' } },
          ],
        },
      },
      asks: { path: '/api/v1/artifact/rules', query: { status: ['active'] } },
      shows: /align@2 +active +global +Alignment/,
      json: expect.objectContaining({ rules: [expect.anything()] }),
    },
  ],
  [
    'rules deprecate',
    {
      args: ['rules', 'deprecate', 'align', '--note', 'old'],
      answer: { body: { rule: 'align@2', status: 'deprecated' } },
      asks: {
        method: 'PATCH',
        path: '/api/v1/artifact/rules/align',
        body: { status: 'deprecated', deprecation_note: 'old' },
      },
      shows: /align is deprecated/,
      json: { rule: 'align@2', status: 'deprecated' },
    },
  ],
])(
  '%s asks the public API and shows the answer, for people and as JSON',
  async (_, { args, answer, asks, shows, json }) => {
    await using platform = await platformDouble(() => answer);
    const target = ['--url', platform.url, '--key', 'sk_test'];
    const forPeople = await run([...args, ...target], { cwd: nowhere });
    expect(forPeople).toMatchObject({ status: 0, stderr: '' });
    expect(forPeople.stdout).toMatch(shows);
    expect(platform.asked).toEqual([expect.objectContaining({ ...asks, authorization: 'Bearer sk_test' })]);
    expect(JSON.parse((await run([...args, ...target, '--json'], { cwd: nowhere })).stdout)).toEqual(json);
  },
);

test('lists of rules and of keys are whole, however many pages they have', async () => {
  for (const [command, name, id] of [
    ['rules', 'rules', 'rule'],
    ['keys', 'keys', 'id'],
  ] as const) {
    await using platform = await platformDouble(({ query }) => {
      const at = Number(query['cursor']?.[0] ?? 0);
      return {
        body: {
          [name]: [{ [id]: `n${at}`, produces: [] }],
          total: 3,
          next_cursor: at < 2 ? String(at + 1) : null,
        },
      };
    });
    const target = [command, 'list', '--url', platform.url, '--key', 'k'];
    expect((await run(target, { cwd: nowhere })).stdout.match(/n\d/g), command).toEqual(['n0', 'n1', 'n2']);
    expect(JSON.parse((await run([...target, '--json'], { cwd: nowhere })).stdout)).toMatchObject({
      [name]: [{ [id]: 'n0' }, { [id]: 'n1' }, { [id]: 'n2' }],
      total: 3,
      next_cursor: null,
    });
  }
});

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
