// The configuration file: refusals with their locations, the effect of the environment, and defaults.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, expectTypeOf, test } from 'vitest';
import { type ConfigFault, ConfigurationError, faultAt } from '../../platform/config/faults.ts';
import {
  type Config,
  type ConfigCheck,
  loadConfig,
  type LoadOptions,
  parseConfig,
} from '../../platform/config/load-config.ts';
import { networkMatcher } from '../../platform/config/networks.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'cairn-config-'));
afterAll(() => rmSync(directory, { recursive: true }));
const file = path.join(directory, 'gateway.yaml');

const SECRETS = { SHORT: 'fifteen letters', LONG: 'sixteen letters!' };
const read = (text: string, env: LoadOptions['env'] = SECRETS, checks: ConfigCheck[] = []): Config =>
  parseConfig(text, file, { env, cwd: directory, checks });

function faultsOf(
  text: string,
  env: LoadOptions['env'] = SECRETS,
  checks: ConfigCheck[] = [],
): readonly ConfigFault[] {
  try {
    read(text, env, checks);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  return [];
}

const INGEST = 'action: {type: ingest, adapter: a}';
const workflow = (...triggers: string[]): string =>
  `workflow:\n  adapters: [{name: a, type: csv, source: a.csv, entity_type: Sample, map: {id: row.id}}]\n  triggers:\n${triggers.map((t) => `    - {${t}}\n`).join('')}`;

describe('a fault is named with its path', () => {
  test.each<[what: string, text: string, path: string, message: RegExp]>([
    ['an unknown section', 'componets: {}', 'componets', /did you mean "components"/],
    ['an unknown section without content', 'componets:', 'componets', /did you mean "components"/],
    ['an unknown key', 'server: {hots: x}', 'server.hots', /did you mean "host"/],
    [
      'an unknown key in camelCase',
      'rate_limit: {perActorRps: 5}',
      'rate_limit.perActorRps',
      /did you mean "per_actor_rps"/,
    ],
    ['an unknown key like no other', 'database: {shards: 3}', 'database.shards', /known keys: url, data_dir/],
    ['a section that is a list', 'server: [1]', 'server', /must be a mapping, not a list/],
    ['text for a number', 'server: {port: "8080"}', 'server.port', /must be a number, not "8080"/],
    ['a fraction for a whole number', 'server: {workers: 1.5}', 'server.workers', /whole number/],
    ['a port out of range', 'server: {port: 70000}', 'server.port', /65535 or less/],
    ['a word for a switch', 'rate_limit: {enabled: "yes"}', 'rate_limit.enabled', /true or false/],
    ['an unknown mode', 'server: {mode: prod}', 'server.mode', /development, production/],
    ['a size without sense', 'server: {body_limit: much}', 'server.body_limit', /1 MiB/],
    ['a size of nothing', 'server: {body_limit: 0}', 'server.body_limit', /1 MiB/],
    [
      'an address without scheme',
      'components: {metadata: {url: "localhost:81"}}',
      'components.metadata.url',
      /http:\/\//,
    ],
    [
      'an address of another scheme',
      'components: {metadata: {url: "ftp://x"}}',
      'components.metadata.url',
      /http:\/\//,
    ],
    [
      'an address that holds a password',
      'components: {metadata: {url: "http://u:p@x"}}',
      'components.metadata.url',
      /without user name/,
    ],
    [
      'an unknown key of a component',
      'components: {metadata: {timeout: 1}}',
      'components.metadata.timeout',
      /did you mean "timeout_ms"/,
    ],
    ['a rest component without address', 'components: {beacon: {}}', 'components.beacon.url', /is required/],
    [
      'a foreign component of kind graphql',
      'components: {beacon: {url: "http://x", kind: graphql}}',
      'components.beacon.kind',
      /only metadata, workflow, artifact/,
    ],
    [
      "a component that takes the gateway's name",
      'components: {gateway: {url: "http://x"}}',
      'components.gateway',
      /reserved for the gateway/,
    ],
    ['a database that is no PostgreSQL', 'database: {url: "mysql://x/y"}', 'database.url', /postgres:/],
    ['a network that is none', 'trusted_networks: [10.0.0.0/8, 10.0.0.0/33]', 'trusted_networks[1]', /CIDR/],
    ['a network by name', 'trusted_networks: [localhost]', 'trusted_networks[0]', /CIDR/],
    [
      'a world that is trusted in production',
      'server: {mode: production}\ntrusted_networks: [10.0.0.0/8, 0.0.0.0/0]',
      'trusted_networks[1]',
      /trusts every address/,
    ],
    [
      'the other world',
      'server: {mode: production}\ntrusted_networks: ["::/0"]',
      'trusted_networks[0]',
      /trusts every address/,
    ],
    [
      'a world in two pieces',
      'server: {mode: production}\ntrusted_networks: [0.0.0.0/2, 64.0.0.0/2, 128.0.0.0/2, 192.0.0.0/2]',
      'trusted_networks',
      /together/,
    ],
    [
      'half of the world',
      'server: {mode: production}\ntrusted_networks: [128.0.0.0/1]',
      'trusted_networks[0]',
      /trusts every address/,
    ],
    [
      'what is routed of the other world',
      'server: {mode: production}\ntrusted_networks: ["2000::/4", "3000::/4"]',
      'trusted_networks[0]',
      /trusts every address/,
    ],
    [
      'IPv4 by way of IPv6',
      'server: {mode: production}\ntrusted_networks: ["::ffff:0:0/96"]',
      'trusted_networks[0]',
      /trusts every address/,
    ],
    [
      'a client secret that can be guessed',
      'server: {mode: production}\nauth: {clients: [{client_id: a, secret_env: SHORT, grants: [client_credentials]}]}',
      'auth.clients[0].secret_env',
      /SHORT has fewer than 16 characters/,
    ],
    [
      'one of several secrets of a webhook',
      'server: {mode: production}\nworkflow: {adapters: [{name: a, type: json, source: x, entity_type: T, map: {id: row.id}}], triggers: [{name: w, type: webhook, path: /w, secret_env: [LONG, SHORT], action: {type: ingest, adapter: a}}]}',
      'workflow.triggers[0].secret_env[1]',
      /SHORT has fewer/,
    ],
    [
      'a token of a runner',
      'server: {mode: production}\nartifact: {runner: {type: wes, url: "http://w", token_env: SHORT}}',
      'artifact.runner.token_env',
      /SHORT has fewer/,
    ],
    [
      'no authentication for the world',
      'server: {host: 0.0.0.0}\nauth: {mode: disabled}',
      'auth.mode',
      /loopback/,
    ],
    [
      'a client twice',
      'auth: {clients: [{client_id: a, grants: [refresh_token]}, {client_id: a, grants: [refresh_token]}]}',
      'auth.clients[1].client_id',
      /already defined in gateway.yaml, line 1/,
    ],
    [
      'client credentials without secret',
      'auth: {clients: [{client_id: a, grants: [client_credentials]}]}',
      'auth.clients[0].secret_env',
      /required/,
    ],
    [
      'a client secret that is not set',
      'auth: {clients: [{client_id: a, secret_env: NOT_SET, grants: [client_credentials]}]}',
      'auth.clients[0].secret_env',
      /NOT_SET is not set/,
    ],
    [
      'a redirect to plain http elsewhere',
      'auth: {clients: [{client_id: a, grants: [authorization_code], redirect_uris: ["http://x.org/"]}]}',
      'auth.clients[0].redirect_uris[0]',
      /https/,
    ],
    [
      'an authorization code without a redirect',
      'auth: {clients: [{client_id: a, grants: [authorization_code]}]}',
      'auth.clients[0].redirect_uris',
      /required/,
    ],
    [
      'an unknown role',
      'auth: {clients: [{client_id: a, grants: [refresh_token], roles: [root]}]}',
      'auth.clients[0].roles[0]',
      /viewer/,
    ],
    ['a limit of nothing', 'rate_limit: {per_ip_rps: 0}', 'rate_limit.per_ip_rps', /1 or more/],
    [
      'an unknown audit sink',
      'observability: {audit_log: {backend: kafka}}',
      'observability.audit_log.backend',
      /file, postgres, stdout/,
    ],
    [
      'metrics in the place of health',
      'observability: {metrics: {path: /h}, health: {path: /h}}',
      'observability.metrics.path',
      /health path/,
    ],
    [
      'an origin with a path',
      'cors: {allowed_origins: ["https://x.org/app"]}',
      'cors.allowed_origins[0]',
      /origin/,
    ],
    [
      'credentials for every origin',
      'cors: {allowed_origins: ["*"], allow_credentials: true}',
      'cors.allow_credentials',
      /\*/,
    ],
    [
      'an expansion beyond the maximum',
      'metadata: {expand_limit: 1001}',
      'metadata.expand_limit',
      /1000 or less/,
    ],
    [
      'a validator without expression',
      'metadata: {validators: [{rule_id: r, message: m}]}',
      'metadata.validators[0].expression',
      /is required/,
    ],
    ['a wes runner without address', 'artifact: {runner: wes}', 'artifact.runner.url', /is required/],
    ['an unknown runner', 'artifact: {runner: slurm}', 'artifact.runner.type', /cwltool, wes, not "slurm"/],
    ['an s3 store without bucket', 'artifact: {store: {type: s3}}', 'artifact.store.bucket', /is required/],
    [
      'a private network that is none',
      'artifact: {allow_networks: [intranet]}',
      'artifact.allow_networks[0]',
      /CIDR/,
    ],
    ['a limit that is no size', 'artifact: {limits: {ram: lots}}', 'artifact.limits.ram', /size/],
    [
      'an include that is not there',
      'workflow: {include: [gone.yaml]}',
      'workflow.include[0]',
      /cannot be read/,
    ],
    [
      'a rule package that is not there',
      'artifact: {rule_packages: [gone.yaml]}',
      'artifact.rule_packages[0]',
      /cannot be read/,
    ],
    [
      'a trigger of no type',
      workflow(`name: t, ${INGEST}`),
      'workflow.triggers[0].type',
      /is required: one of schedule/,
    ],
    [
      'a trigger of unknown type',
      workflow(`name: t, type: cron, ${INGEST}`),
      'workflow.triggers[0].type',
      /not "cron"/,
    ],
    [
      'a schedule without its cron expression',
      workflow(`name: t, type: schedule, ${INGEST}`),
      'workflow.triggers[0].schedule',
      /is required/,
    ],
    [
      "another type's key",
      workflow(`name: t, type: manual, schedule: "* * * * *", ${INGEST}`),
      'workflow.triggers[0].schedule',
      /unknown key/,
    ],
    [
      'a time zone that is none',
      workflow(`name: t, type: schedule, schedule: "* * * * *", timezone: Mars, ${INGEST}`),
      'workflow.triggers[0].timezone',
      /IANA/,
    ],
    [
      'a poll without entity type',
      workflow(`name: t, type: metadata_poll, poll: {}, ${INGEST}`),
      'workflow.triggers[0].poll.entity_type',
      /is required/,
    ],
    [
      'a poll key that is not nested',
      workflow(`name: t, type: metadata_poll, entity_type: S, poll: {entity_type: S}, ${INGEST}`),
      'workflow.triggers[0].entity_type',
      /unknown key/,
    ],
    [
      'a webhook whose secret is not set',
      workflow(`name: t, type: webhook, path: h, secret_env: NOT_SET, ${INGEST}`),
      'workflow.triggers[0].secret_env[0]',
      /NOT_SET is not set/,
    ],
    [
      'a webhook without secret',
      workflow(`name: t, type: webhook, path: h, ${INGEST}`),
      'workflow.triggers[0].secret_env',
      /is required/,
    ],
    [
      'a webhook on a route of the workflow component',
      workflow(`name: t, type: webhook, path: runs/x, secret_env: S, ${INGEST}`),
      'workflow.triggers[0].path',
      /route of the workflow component/,
    ],
    [
      'an action of unknown type',
      workflow('name: t, type: manual, action: {type: delete}'),
      'workflow.triggers[0].action.type',
      /ingest, resolve/,
    ],
    [
      'an adapter that is not configured',
      workflow('name: t, type: manual, action: {type: ingest, adapter: b}'),
      'workflow.triggers[0].action.adapter',
      /no adapter is named "b"; configured adapters: a/,
    ],
    [
      'a failure event that is no mapping',
      workflow(`name: t, type: manual, on_failure: x, ${INGEST}`),
      'workflow.triggers[0].on_failure',
      /mapping/,
    ],
    [
      'a trigger twice',
      workflow(`name: t, type: manual, ${INGEST}`, `name: t, type: manual, ${INGEST}`),
      'workflow.triggers[1].name',
      /already defined in gateway.yaml, line 4/,
    ],
    [
      'a trigger that starts itself',
      workflow(`name: t, type: internal_event, event: e, on_success: {emit: e}, ${INGEST}`),
      'workflow.triggers[0].on_success',
      /t → \(e\) → t/,
    ],
    [
      'an adapter of unknown type',
      'workflow: {adapters: [{name: a, type: ods}]}',
      'workflow.adapters[0].type',
      /csv, tsv/,
    ],
    [
      'an adapter twice',
      'workflow: {adapters: [{name: a, type: ods}, {name: a, type: ods}]}',
      'workflow.adapters[1].name',
      /already defined/,
    ],
  ])('%s', (_, text, where, message) => {
    const faults = faultsOf(text, { S: 'secret', ...SECRETS });
    expect(faults).toContainEqual(
      expect.objectContaining({
        path: where,
        message: expect.stringMatching(message) as string,
        file: 'gateway.yaml',
      }),
    );
    expect(faults.find((f) => f.path === where)?.line).toBeGreaterThan(0);
  });

  test('all faults are listed at once, from top to bottom, each with its line', () => {
    const faults = faultsOf(
      'server:\n  port: x\n  hots: y\nauth:\n  mode: none\nmetadata:\n  expand_limit: 0\nworkflow:\n  triggers:\n    - {name: a}\n    - {name: b}\n',
    );
    expect(faults.map((f) => [f.line, f.path])).toEqual([
      [2, 'server.port'],
      [3, 'server.hots'],
      [5, 'auth.mode'],
      [7, 'metadata.expand_limit'],
      [10, 'workflow.triggers[0].type'],
      [11, 'workflow.triggers[1].type'],
    ]);
  });

  test('a cycle over several triggers is one fault that names the chain', () => {
    const chain = faultsOf(
      workflow(
        `name: start, type: manual, on_success: x, ${INGEST}`,
        `name: one, type: internal_event, event: x, on_success: y, ${INGEST}`,
        `name: two, type: internal_event, event: y, on_failure: {emit: x}, ${INGEST}`,
      ),
    );
    expect(chain.map((f) => [f.path, f.message])).toEqual([
      ['workflow.triggers[1].on_success', 'closes a cycle of triggers: one → (y) → two → (x) → one'],
    ]);
  });

  test('two paths to the same trigger are not a cycle', () => {
    expect(
      faultsOf(
        workflow(
          `name: start, type: manual, on_success: x, on_failure: {emit: y}, ${INGEST}`,
          `name: one, type: internal_event, event: x, on_success: y, ${INGEST}`,
          `name: two, type: internal_event, event: y, ${INGEST}`,
        ),
      ),
    ).toEqual([]);
  });

  test('a message never shows an address that may hold a password', () => {
    const message = new ConfigurationError(
      faultsOf('database: {url: "postgres//u:hunter2@h"}\nserver: {port: "http://u:hunter2@h"}'),
    ).message;
    expect(message).toContain('database.url');
    expect(message).not.toContain('hunter2');
  });

  test.each([
    ['an unclosed list', 'server:\n  host: [a\nauth: 1', 3],
    ['a key twice', 'server: {}\nserver: {}', 2],
    ['an unknown tag', 'server: !env X', 1],
  ])('YAML that is not valid gives line and column: %s', (_, text, line) => {
    const [fault] = faultsOf(text);
    expect(fault).toMatchObject({
      path: '',
      file: 'gateway.yaml',
      line,
      message: expect.stringContaining('not valid YAML') as string,
    });
    expect(fault?.column).toBeGreaterThan(0);
  });

  test('a check that a component adds runs in the same pass, and sees what is sound', () => {
    const noTuesdays: ConfigCheck = ({ triggers }) =>
      triggers.flatMap((t) =>
        t.type === 'schedule' && t.schedule.endsWith('2')
          ? [faultAt(t.origin, ['schedule'], 'not on Tuesdays')]
          : [],
      );
    const text = workflow(
      `name: broken, type: schedule, ${INGEST}`,
      `name: t, type: schedule, schedule: "0 0 * * 2", ${INGEST}`,
    );
    expect(faultsOf(text, {}, [noTuesdays]).map((f) => [f.path, f.message, f.line])).toEqual([
      ['workflow.triggers[0].schedule', 'is required', 4],
      ['workflow.triggers[1].schedule', 'not on Tuesdays', 5],
    ]);
  });
});

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
});
