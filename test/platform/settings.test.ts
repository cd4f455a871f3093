// docs/reference/gateway.md#configuration-in-force: each key with its value and where it comes from, and no secret.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { packConfig, unpackConfig } from '../../router/main/workers/portable-config.ts';
import { type Config, parseConfig } from '../../platform/config/load-config.ts';
import { projectRoot } from '../../platform/project-root.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'cairn-settings-'));
afterAll(() => rmSync(directory, { recursive: true }));
writeFileSync(
  path.join(directory, 'more.yaml'),
  'triggers:\n  - {name: more, type: manual, action: {type: ingest, adapter: sheet}}\n',
);
writeFileSync(path.join(directory, 'triggers.yaml'), 'triggers: []\n');
writeFileSync(path.join(directory, 'rules.yaml'), 'name: empty\nrules: []\n');

const read = (text: string, env: Record<string, string> = {}): Config =>
  parseConfig(text, path.join(directory, 'gateway.yaml'), { env, cwd: directory });
const settingOf = ({ settings }: Config, key: string): unknown => {
  const found = settings.find((one) => one.key === key);
  return found && [found.value, found.isHidden, found.source, found.place];
};

const MARK = 'Hidden-9f3';
const TEXT = `server:
  port: 8090
  public_url: https://\${NAME}.example.org
  body_limit: \${LIMIT:-2 MiB}
database: {url: "postgres://ada:${MARK}@db.example.org:5433/cairn?password=${MARK}&sslmode=require"}
rate_limit: {redis_url: "redis://:${MARK}@127.0.0.1:6379/3"}
observability: {tracing: {otlp_url: "https://traces.example.org/${MARK}/v1?key=${MARK}"}}
auth:
  clients:
    - {client_id: nightly, secret_env: NIGHTLY, grants: [client_credentials], projects: [alpha]}
  identity_provider:
    {issuer: "https://login.example.org", client_id: cairn, roles: {map: {staff: analyst}}}
metadata:
  validators:
    - {rule_id: r, expression: "'${MARK}' != ''", message: m}
    - {module: check.ts, options: {token: ${MARK}}}
workflow:
  include: [more.yaml]
  triggers:
    - {name: hook, type: manual, action: {type: ingest, adapter: sheet}}
  adapters:
    - {name: sheet, type: csv, source: "https://data.example.org/x?token=${MARK}", entity_type: T, headers: {Authorization: "Bearer \${TOKEN}"}, map: {id: "'${MARK}'"}}
artifact:
  runner: cwltool
  store: {type: s3, bucket: b, endpoint: "https://s3.example.org", access_key_id_env: KEY_ID, secret_access_key_env: SECRET}
`;
const ENV = {
  NAME: 'cairn',
  NIGHTLY: `${MARK}-nightly`,
  TOKEN: `${MARK}-token`,
  KEY_ID: `${MARK}-id`,
  SECRET: `${MARK}-secret`,
};

test('a value comes from the file, with its line, from the environment, or is a default', () => {
  const config = read(TEXT, { ...ENV, CAIRN_PORT: '9001' });
  expect(settingOf(config, 'server.port')).toEqual([9001, false, 'environment', 'CAIRN_PORT']);
  expect(settingOf(config, 'server.public_url')).toEqual([
    'https://cairn.example.org',
    false,
    'environment',
    'NAME',
  ]);
  expect(settingOf(config, 'server.body_limit')).toEqual([2 ** 21, false, 'file', 'gateway.yaml:4']);
  expect(settingOf(config, 'server.host')).toEqual(['127.0.0.1', false, 'default', null]);
  expect(settingOf(config, 'components.metadata.kind')).toEqual(['graphql', false, 'default', null]);
  expect(settingOf(config, 'auth.clients[0].projects')).toEqual([
    ['alpha'],
    false,
    'file',
    'gateway.yaml:10',
  ]);
  expect(settingOf(config, 'auth.identity_provider.roles.map')).toEqual([
    { staff: 'analyst' },
    false,
    'file',
    'gateway.yaml:12',
  ]);
  expect(settingOf(config, 'artifact.runner.type')).toEqual([
    'cwltool',
    false,
    'file',
    expect.stringMatching(/^gateway.yaml:\d+$/),
  ]);
  expect(settingOf(config, 'artifact.runner.command')).toEqual(['cwltool', false, 'default', null]);
  expect(settingOf(config, 'workflow.triggers[1]')).toEqual([
    { name: 'more', type: 'manual' },
    true,
    'file',
    'more.yaml:2',
  ]);
});

test('no secret is shown, wherever it stands', () => {
  const config = read(TEXT, ENV);
  expect(JSON.stringify(config.settings)).not.toContain(MARK);
  expect(settingOf(config, 'database.url')).toEqual([
    'postgres://…@db.example.org:5433/cairn?…',
    true,
    'file',
    'gateway.yaml:5',
  ]);
  expect(settingOf(config, 'rate_limit.redis_url')).toEqual([
    'redis://…@127.0.0.1:6379/3',
    true,
    'file',
    'gateway.yaml:6',
  ]);
  expect(settingOf(config, 'observability.tracing.otlp_url')).toEqual([
    'https://traces.example.org/…?…',
    true,
    'file',
    'gateway.yaml:7',
  ]);
  expect(settingOf(config, 'auth.clients[0].secret_env')).toEqual([null, true, 'environment', 'NIGHTLY']);
  expect(settingOf(config, 'artifact.store.secret_access_key_env')).toEqual([
    null,
    true,
    'environment',
    'SECRET',
  ]);
  expect(settingOf(config, 'workflow.adapters[0]')).toEqual([
    { name: 'sheet', type: 'csv' },
    true,
    'file',
    'gateway.yaml:22',
  ]);
});

test('workers have the same settings', () => {
  const config = read(TEXT, ENV);
  const there = unpackConfig(structuredClone(packConfig(config)));
  expect(there.settings).toEqual(config.settings);
});

test('of the reference with every key switched on, these are hidden', () => {
  const reference = readFileSync(path.join(projectRoot, 'gateway.yaml'), 'utf8');
  const text = reference
    .split('\n')
    .filter((line) => !line.startsWith('##') && !line.startsWith('#|'))
    .map((line) => line.replace(/^#/, ''))
    .join('\n');
  const env = Object.fromEntries(
    [...reference.matchAll(/_env: ([A-Z0-9_]+)/g)].map(([, name = '']) => [name, `the value of ${name}`]),
  );
  const { settings } = read(text, env);
  expect(settings.length).toBeGreaterThan(140);
  expect(settings.filter(({ isHidden }) => isHidden).map(({ key }) => key)).toMatchInlineSnapshot(`
    [
      "database.url",
      "database.read_urls",
      "database.archive.to",
      "database.archive.passphrase_env",
      "auth.jwks_url",
      "auth.clients[0].secret_env",
      "auth.clients[1].redirect_uris",
      "auth.identity_provider.client_secret_env",
      "auth.issuers[0].jwks_url",
      "auth.issuers[0].introspection.url",
      "auth.issuers[0].introspection.client_secret_env",
      "observability.tracing.otlp_url",
      "metadata.validators[0]",
      "metadata.validators[1]",
      "workflow.triggers[0]",
      "workflow.triggers[1]",
      "workflow.triggers[2]",
      "workflow.triggers[3]",
      "workflow.triggers[4]",
      "workflow.triggers[5]",
      "workflow.adapters[0]",
      "workflow.adapters[1]",
      "workflow.adapters[2]",
      "workflow.adapters[3]",
      "workflow.adapters[4]",
      "workflow.adapters[5]",
      "workflow.router.secret_env",
    ]
  `);
  expect(JSON.stringify(settings)).not.toContain('the value of');
});
