// What the configuration is by default and from the environment, and how its files are found.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { type Config, loadConfig } from '../../platform/config/load-config.ts';
import { networkMatcher } from '../../platform/config/networks.ts';
import { directory, file, read, faultsOf, INGEST, workflow } from './config-testkit.ts';

describe('the environment', () => {
  test('fills in ${NAME} and ${NAME:-default} inside strings', () => {
    const config = read(
      'database: {url: "postgres://u:${PASSWORD}@${HOST:-localhost}/db"}\nauth: {audience: "a-${NOTHING:-}-b"}',
      { PASSWORD: 'p' },
    );
    expect(config.database.url).toBe('postgres://u:p@localhost/db');
    expect(config.auth.audience).toBe('a--b');
  });

  test('gives numbers and booleans where a plain value is one placeholder, text where it is quoted', () => {
    const env = { PORT: '9000', ON: 'true', ID: '42' };
    expect(read('server:\n  port: ${PORT}', env).server.port).toBe(9000);
    expect(read('rate_limit:\n  enabled: ${ON}', env).rateLimit.enabled).toBe(true);
    expect(read('auth:\n  audience: "${ID}"', env).auth.audience).toBe('42');
  });

  test('leaves a key to its default where a placeholder comes to nothing', () => {
    expect(read('rate_limit:\n  redis_url: ${REDIS:-}').rateLimit.redisUrl).toBeUndefined();
  });

  test('leaves $${NAME} as a literal ${NAME}', () => {
    expect(read('auth: {audience: "$${NAME}"}').auth.audience).toBe('${NAME}');
  });

  test('must define placeholders without a default: one error, at the value', () => {
    expect(faultsOf('server:\n  port: ${MISSING}\n').map((f) => [f.path, f.line, f.message])).toEqual([
      [
        'server.port',
        2,
        'the environment variable MISSING is not set, and the value has no default (${MISSING:-default})',
      ],
    ]);
    expect(faultsOf('cors:\n  allowed_origins: ["https://a.org", "${GONE}"]')[0]?.path).toBe(
      'cors.allowed_origins[1]',
    );
  });

  test('a placeholder of wrong form is a fault', () => {
    expect(faultsOf('auth: {audience: "${1x}"}')[0]?.message).toContain('not of the form');
    expect(faultsOf('auth: {audience: "${OPEN"}')[0]?.message).toContain('not of the form');
  });

  test('is not looked at in comments and keys', () => {
    expect(faultsOf('# ${MISSING}\nserver: {}\n')).toEqual([]);
  });

  test("CAIRN_PORT, CAIRN_DATA_DIR and DATABASE_URL replace the file's values", () => {
    const config = read('server: {port: 1}\ndatabase: {data_dir: ./x, url: "postgres://a/b"}', {
      CAIRN_PORT: '9090',
      CAIRN_DATA_DIR: 'elsewhere',
      DATABASE_URL: 'postgres://c/d',
    });
    expect(config.server.port).toBe(9090);
    expect(config.database).toEqual({
      dataDir: path.join(directory, 'elsewhere'),
      diskReserve: 128 * 1024 * 1024,
      readMaxLagMs: 0,
      readUrls: [],
      url: 'postgres://c/d',
      waitSeconds: 60,
    });
  });

  test("a value of theirs that is wrong is a fault under the variable's name", () => {
    expect(faultsOf('', { CAIRN_PORT: 'eighty', DATABASE_URL: 'sqlite:x' }).map((f) => f.path)).toEqual([
      'CAIRN_PORT',
      'DATABASE_URL',
    ]);
  });

  test('a variable that replaces a value makes the value in the file optional', () => {
    expect(read('database:\n  url: ${PGURL}\n', { DATABASE_URL: 'postgres://c/d' }).database.url).toBe(
      'postgres://c/d',
    );
  });

  test('secrets are named in the file, held in the configuration, and never printed', () => {
    const config = read(
      'auth: {clients: [{client_id: a, secret_env: A_SECRET, grants: [client_credentials, device_code]}]}',
      { A_SECRET: 'hunter2' },
    );
    const client = config.auth.clients[0];
    expect(client?.secret?.reveal()).toBe('hunter2');
    expect(client?.grants).toEqual(['client_credentials', 'urn:ietf:params:oauth:grant-type:device_code']);
    expect(JSON.stringify(config)).not.toContain('hunter2');
    expect(String(client?.secret)).toBe('[secret]');
  });
});

describe('by default', () => {
  test('the defaults of the contract hold', () => {
    expect(read('')).toMatchObject({
      server: {
        host: '127.0.0.1',
        port: 8080,
        workers: 1,
        mode: 'development',
        bodyLimit: 1_048_576,
        docs: true,
      },
      components: {
        metadata: { kind: 'graphql', healthPath: '/health', timeoutMs: 30_000, latencyObjectiveMs: 500 },
        workflow: { kind: 'graphql' },
        artifact: { kind: 'graphql' },
      },
      database: { dataDir: path.join(directory, 'data') },
      trustedNetworks: ['127.0.0.0/8', '::1/128'],
      auth: {
        mode: 'oauth2',
        accessTokenSeconds: 900,
        serviceTokenSeconds: 300,
        refreshTokenSeconds: 604_800,
        clients: [],
      },
      rateLimit: { enabled: false, perActorRps: 50, perIpRps: 10 },
      observability: {
        metrics: { enabled: true, access: 'trusted' },
        health: { cacheSeconds: 5 },
        auditLog: { enabled: true, backend: 'file', path: path.join(directory, 'data', 'audit.jsonl') },
      },
      metadata: { expandLimit: 200, validators: [] },
      workflow: { triggers: [], adapters: [] },
      artifact: {
        runner: { type: 'cwltool' },
        store: { type: 'file', path: path.join(directory, 'data', 'artifacts') },
        rules: [],
      },
      graphql: { introspection: true, explorer: true },
    });
  });

  test('a section without keys is a section of defaults', () => {
    expect(read('server:\ncors:\ncomponents:\n  metadata:\n')).toEqual(read(''));
  });

  test('pages of allowed origins may send what conditional reads and writes need', () => {
    expect(read('').cors.allowedHeaders).toEqual(expect.arrayContaining(['If-Match', 'If-None-Match']));
  });

  test('production limits rates and hides docs, introspection and explorer, unless the file says otherwise', () => {
    expect(read('server: {mode: production}')).toMatchObject({
      rateLimit: { enabled: true },
      server: { docs: false },
      graphql: { introspection: false, explorer: false },
    });
    expect(
      read('server: {mode: production, docs: true}\nrate_limit: {enabled: false}\ngraphql: {explorer: true}'),
    ).toMatchObject({
      rateLimit: { enabled: false },
      server: { docs: true },
      graphql: { introspection: false, explorer: true },
    });
  });

  test('a foreign component is of kind rest', () => {
    expect(read('components: {beacon: {url: "http://127.0.0.1:5050/"}}').components['beacon']).toMatchObject({
      kind: 'rest',
      url: 'http://127.0.0.1:5050',
    });
  });

  test("networks of one's own and long secrets are taken in production, and anything in development", () => {
    const own =
      'trusted_networks: [10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, 127.0.0.0/8, "::1/128", "fc00::/7", 203.0.113.0/24]';
    const secret = (name: string): string =>
      `auth: {clients: [{client_id: a, secret_env: ${name}, grants: [client_credentials]}]}`;
    expect(faultsOf(`server: {mode: production}\n${own}\n${secret('LONG')}`)).toEqual([]);
    expect(faultsOf(`trusted_networks: [0.0.0.0/0]\n${secret('SHORT')}`)).toEqual([]);
  });

  test('disabled authentication is allowed on each loopback address', () => {
    for (const host of ['127.0.0.1', 'localhost', '"::1"', '127.8.9.1'])
      expect(faultsOf(`server: {host: ${host}}\nauth: {mode: disabled}`)).toEqual([]);
  });

  test('on_success by name and by emit mean the same', () => {
    const [named, emitted] = read(
      workflow(
        `name: n, type: manual, on_success: done, ${INGEST}`,
        `name: e, type: manual, on_success: {emit: done}, ${INGEST}`,
      ),
    ).workflow.triggers;
    expect([named?.onSuccess, emitted?.onSuccess]).toEqual(['done', 'done']);
  });

  test('the configuration is typed by inference', () => {
    expectTypeOf<Config['server']['mode']>().toEqualTypeOf<'development' | 'production'>();
    expectTypeOf<Config['database']['url']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Config['components']['metadata']['timeoutMs']>().toEqualTypeOf<number>();
  });
});

describe('files that the configuration names', () => {
  const put = (name: string, text: string): string => {
    writeFileSync(path.join(directory, name), text);
    return name;
  };

  test('an included file adds triggers and adapters, with paths relative to itself', () => {
    put(
      'more.yaml',
      'adapters: [{name: m, type: jsonl, source: ./m.jsonl, entity_type: S, map: {id: row.id}}]\ntriggers: [{name: t, type: manual, action: {type: ingest, adapter: m}}]',
    );
    const config = read('workflow: {include: [more.yaml]}');
    expect(config.workflow.triggers.map((t) => t.name)).toEqual(['t']);
    expect(config.workflow.adapters[0]).toMatchObject({ source: { file: path.join(directory, 'm.jsonl') } });
  });

  test('a fault in an included file names that file', () => {
    put(
      'bad.yaml',
      'triggers:\n  - name: t\n    type: manual\n    action: {type: ingest, adapter: nobody}\nfoo: 1\n',
    );
    expect(faultsOf('workflow: {include: [bad.yaml]}').map((f) => [f.file, f.line, f.path])).toEqual([
      ['bad.yaml', 4, 'triggers[0].action.adapter'],
      ['bad.yaml', 5, 'foo'],
    ]);
  });

  test('a rule package brings its rules, with CWL from a file beside it', () => {
    put('align.cwl', 'cwlVersion: v1.2\n');
    put(
      'rules.yaml',
      'name: base\nrules:\n  - name: align\n    produces: {entity_type: Alignment, match: {sample_id: "{sample.id}"}}\n    requires: [{ref: sample}]\n    execute: {cwl_file: align.cwl}\n',
    );
    expect(read('artifact: {rule_packages: [rules.yaml]}').artifact.rules).toMatchObject([
      {
        name: 'align',
        package: 'base',
        scope: 'global',
        requires: [{ ref: 'sample' }],
        produces: [{ entityType: 'Alignment', match: { sample_id: '{sample.id}' } }],
        execute: { cwlContent: Buffer.from('cwlVersion: v1.2\n').toString('base64') },
      },
    ]);
  });

  test('two packages that define the same rule are a fault', () => {
    const rule =
      'rules: [{name: same, produces: {entity_type: A}, execute: {cwl_url: "https://x.org/a.cwl"}}]';
    put('one.yaml', `name: one\n${rule}`);
    put('two.yaml', `name: two\n${rule}`);
    expect(faultsOf('artifact: {rule_packages: [one.yaml, two.yaml]}')).toMatchObject([
      {
        file: 'two.yaml',
        path: 'rules[0].name',
        message: 'rule "same" is already defined in one.yaml, line 2',
      },
    ]);
  });

  test('a rule needs exactly one CWL source, and a package its name', () => {
    put('none.yaml', 'rules: [{name: r, produces: {entity_type: A}, execute: {}}]');
    expect(faultsOf('artifact: {rule_packages: [none.yaml]}').map((f) => f.path)).toEqual(
      expect.arrayContaining(['name', 'rules[0].execute']),
    );
  });
});

describe('loading', () => {
  test('takes gateway.yaml of the working directory, or the file that CAIRN_CONFIG names', () => {
    writeFileSync(file, 'server: {port: 1111}');
    writeFileSync(path.join(directory, 'other.yaml'), 'server: {port: 2222}');
    expect(loadConfig({ env: {}, cwd: directory }).server.port).toBe(1111);
    expect(loadConfig({ env: { CAIRN_CONFIG: 'other.yaml' }, cwd: directory })).toMatchObject({
      server: { port: 2222 },
      file: path.join(directory, 'other.yaml'),
    });
  });

  test('says so where the file is missing', () => {
    expect(() => loadConfig({ env: { CAIRN_CONFIG: 'gone.yaml' }, cwd: directory })).toThrow(
      /the configuration file .*gone\.yaml does not exist; set CAIRN_CONFIG/,
    );
  });

  test('networks hold addresses of both families, mapped ones among them', () => {
    const inside = networkMatcher(['10.0.0.0/8', 'fd00::/8', '192.0.2.7']);
    expect(['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1', '192.0.2.7'].map(inside)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['11.0.0.1', '192.0.2.8', 'fe80::1', 'nonsense', undefined].map(inside)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  test('takes values from files that variables name, anew each time', () => {
    const env = { SECRET_FILE: 'secret', DATABASE_URL_FILE: path.join(directory, 'url') };
    const text =
      'auth: {clients: [{client_id: c, secret_env: SECRET, grants: [client_credentials], roles: [viewer]}]}';
    writeFileSync(path.join(directory, 'url'), 'postgres://db/cairn\r\n');
    for (const secret of ['the first of two secrets', 'the second of two secrets']) {
      writeFileSync(path.join(directory, 'secret'), `${secret}\n`);
      const { auth, database } = read(text, env);
      expect([auth.clients[0]?.secret?.reveal(), database.url]).toEqual([secret, 'postgres://db/cairn']);
    }
    writeFileSync(path.join(directory, 'large'), 'x'.repeat(70_000));
    expect(
      ['gone', 'large', directory].map(
        (SECRET_FILE) =>
          faultsOf(text, { SECRET_FILE }).filter(({ path: at }) => at === 'SECRET_FILE')[0]?.message,
      ),
    ).toEqual([
      'the file gone cannot be read: ENOENT',
      'the file large is too large for a value',
      `the file ${directory} cannot be read: EISDIR`,
    ]);
    expect(faultsOf(text, { SECRET: 'x'.repeat(20), SECRET_FILE: 'secret' })[0]).toEqual({
      path: 'SECRET_FILE',
      message: 'SECRET and SECRET_FILE are both set: only one of them can count',
    });
    expect(faultsOf('', { UNRELATED_FILE: 'gone' })).toEqual([]);
  });
});
