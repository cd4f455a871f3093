// The built product, started by its command, with every section of gateway.yaml filled and two workers. Every
// part is used, in both.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import Provider from 'oidc-provider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '../platform/project-root.ts';
import { canRun, GREETING } from './artifact/production-testkit.ts';
import { startS3, type S3Server } from './artifact/s3-server.ts';
import { Visitor } from './portal/visitor.ts';
import { freshDatabase } from './testkit/database.ts';
import { collector } from './testkit/otlp-collector.ts';
import { type ServerProcess, startProcess } from './testkit/server-process.ts';
import { eventually } from './workflow/workflow-server.ts';
import { ENV, FILES, PEOPLE } from './built-product-testkit.ts';
import { documentedMetrics, hasPrometheus, startPrometheus, unanswered } from './prometheus-testkit.ts';

const WORKERS = 2;

/**
 * New connections, which the processes behind one port share: each of two gets one, except with a probability
 * of 2^-23.
 */
const TIMES = 24;

let directory: string;

let server: ServerProcess;

let config: string;

let s3: S3Server;

let traces: Awaited<ReturnType<typeof collector>>;

let warehouse: Awaited<ReturnType<typeof freshDatabase>>;

let beacon: http.Server;

let provider: http.Server;

const urlOf = (listening: http.Server): string =>
  `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;

// It listens on TCP.
async function listen(handler: http.RequestListener): Promise<http.Server> {
  const made = http.createServer(handler).listen(0, '127.0.0.1');
  await once(made, 'listening');
  return made;
}

const configuration = (): string => `
server: {host: 127.0.0.1, port: 0, workers: ${WORKERS}, lame_duck_seconds: 1, mode: development, body_limit: 1 MiB, docs: true, public_url: "https://files.example.org/lab", allowed_hosts: [127.0.0.1], limits: {connections: 5000, connections_per_address: 900, body_seconds: 100}}
components:
  metadata: {kind: graphql, health_path: /health, health_timeout_ms: 5000, health_interval_seconds: 1, latency_objective_ms: 5000, timeout_ms: 30000}
  workflow: {latency_objective_ms: 5000}
  artifact: {latency_objective_ms: 5000}
  beacon: {kind: rest, url: "${urlOf(beacon)}", health_path: /ping}
database: {data_dir: ${path.join(directory, 'data')}, wait_seconds: 30, disk_reserve: 64 MiB, read_max_lag_ms: 100, archive: {to: ${path.join(directory, 'archive')}, every_seconds: 2, base_hours: 2, keep_days: 2}}
trusted_networks: [127.0.0.0/8, "::1/128"]
auth:
  mode: oauth2
  issuer: http://127.0.0.1:1
  audience: cairn-test
  access_token_seconds: 600
  service_token_seconds: 200
  refresh_token_seconds: 6000
  refresh_family_days: 20
  session_seconds: 20000
  plain_headers: true
  signing_key_days: 20
  clients:
    - {client_id: nightly-import, secret_env: IMPORT_SECRET, grants: [client_credentials], roles: [service], projects: [alpha]}
  identity_provider:
    issuer: ${urlOf(provider)}
    client_id: cairn
    client_secret_env: PROVIDER_SECRET
    scopes: [openid, profile]
    username_claim: preferred_username
    roles: {claim: groups, map: {scientists: analyst}}
    projects: {claim: groups, map: {scientists: [alpha]}, default: []}
  issuers:
    - {issuer: "${urlOf(provider)}", audience: cairn-api, algorithms: [RS256], jwks_url: "${urlOf(provider)}/jwks", clock_tolerance_seconds: 10, longest_token_seconds: 3600, username_claim: preferred_username, roles: {claim: groups, map: {scientists: analyst}}, projects: {claim: groups, map: {scientists: [alpha]}, default: []}, introspection: {url: "${urlOf(provider)}/introspect", client_id: cairn, client_secret_env: PROVIDER_SECRET, cache_seconds: 10}}
rate_limit: {enabled: true, per_actor_rps: 5000, per_ip_rps: 5000, burst: 5000}
observability:
  log_level: info
  audit_log: {enabled: true, backend: file, path: ${path.join(directory, 'audit.jsonl')}, max_bytes: 100 MiB, max_files: 2, retention_days: 400}
  metrics: {enabled: true, path: /api/v1/gateway/metrics, access: trusted, history: {enabled: true, every_seconds: 1, days: 2, samples: 10000}}
  health: {path: /api/v1/gateway/health, cache_seconds: 1}
  tracing: {otlp_url: "${traces.url}", sample_ratio: 1}
cors: {allowed_origins: ["https://app.example.org"], allowed_methods: [GET, POST], allowed_headers: [X-Api-Key], allow_credentials: false, max_age: 60}
metadata:
  expand_limit: 100
  clock_ahead_seconds: 50
  validators:
    - {rule_id: not-empty, entity_type: Sample, on: [create], expression: 'data.label != "empty"', message: a label that says something}
    - {module: validator.mjs, options: {refused: refused}}
workflow:
  resolution: {artifact_timeout_seconds: 60}
  retention: {runs_days: 90, past_days: 60, firings_days: 90, observations_days: 14, deliveries_days: 14}
  include: [triggers.yaml]
  adapters:
    - {name: sheet, type: csv, source: ./samples.csv, entity_type: Sample, map: {id: row.id, label: row.label}}
    - {name: workbook, type: xlsx, source: ./samples.xlsx, sheet: Donors, entity_type: Sample, map: {id: row.id, label: row.label}}
    - {name: archive, type: json, source: ./samples.json, records: result.samples, entity_type: Sample, map: {id: row.id, label: row.label}}
    - {name: registry, type: http, url: "${urlOf(beacon)}/pages", headers: {Authorization: "Bearer \${IMPORT_SECRET}"}, records: items, paging: {style: next_url, next: next}, entity_type: Sample, map: {id: row.id, label: row.label}}
    - {name: warehouse, type: sql, url: "${warehouse.url}", query: "SELECT 'from-sql' AS id, 'd' AS label", entity_type: Sample, map: {id: row.id, label: row.label}}
    - {name: instrument, type: module, module: ./adapter.mjs, entity_type: Sample, map: {id: row.id, label: row.label}}
  triggers:
    - {name: every-second, type: schedule, schedule: "* * * * * *", action: {type: ingest, adapter: sheet}, on_success: sheet-imported}
    - {name: after, type: internal_event, event: sheet-imported, action: {type: ingest, adapter: archive}}
    - {name: by-hand, type: manual, action: {type: ingest, adapter: registry}}
    - {name: from-warehouse, type: manual, action: {type: ingest, adapter: warehouse}}
    - {name: hook, type: webhook, path: /hooks/lab, secret_env: LAB_SECRET, action: {type: ingest, adapter: instrument}}
    - {name: standard, type: webhook, path: /hooks/standard, secret_env: STANDARD_SECRET, signature: standard, action: {type: ingest, adapter: instrument}}
    - {name: poll, type: metadata_poll, poll: {entity_type: Sample, filter: 'label == "a"', interval_seconds: 1, lookback_seconds: 3600}, action: {type: resolve, entity_type: Greeting, criteria: {sample: "{entity.id}"}}}
    - {name: stale, type: event, event: became_stale, entity_type: Greeting, interval_seconds: 1, action: {type: resolve, entity_type: Greeting, criteria: {sample: "{entity.sample}"}, reuse: fresh}}
artifact:
  rule_packages: [rules.yaml]
  runner: cwltool
  store: {type: s3, bucket: cairn, prefix: kept/, endpoint: "${s3.url}", path_style: true, access_key_id_env: S3_KEY_ID, secret_access_key_env: S3_SECRET}
  allow_networks: [127.0.0.0/8]
  deny_networks: [10.0.0.0/8]
  crates: {license: "https://creativecommons.org/licenses/by/4.0/", license_name: CC BY 4.0}
  allow_sources: [./samples.csv]
  allowed_images: ["quay.io/biocontainers/*"]
  limits: {cores: 2, ram: 2 GiB, disk: 10 GiB, files: 1000, time_seconds: 600, concurrent: 1}
  retention: {past_days: 400}
  uploads: {file_bytes: 1000, bytes_per_actor: 10 MiB, unfinished_per_actor: 10, expiry_seconds: 600, unattached_seconds: 600}
graphql: {introspection: true, explorer: true, limits: {cost: 900000, objects: 40000, bytes: 30 MiB, time_ms: 20000}}
`;

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: ReturnType<typeof JSON.parse>;
}

/** A request on a connection of its own. */
function ask(
  method: string,
  target: string,
  {
    key = server.key,
    body,
    headers = {},
  }: { key?: string | null; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answered> {
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = http.request(
      server.url + target,
      {
        method,
        agent: false,
        headers: {
          ...(key === null ? {} : { 'x-api-key': key }),
          ...(sent === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
          ...headers,
        },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            text,
            headers: response.headers,
            body: response.headers['content-type']?.includes('json') ? JSON.parse(text) : null,
          });
        });
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(sent);
  });
}

const often = <Result>(one: (i: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: TIMES }, (_, i) => one(i)));

const same = (status: number): number[] => Array.from({ length: TIMES }, () => status);

const entity = (id: string) => ask('GET', `/api/v1/metadata/entities/${id}`);

const arrives = (id: string): Promise<unknown> =>
  eventually(
    () => entity(id),
    ({ status }) => status === 200,
    60_000,
  );

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-built-'));
  for (const [name, text] of Object.entries(FILES)) await writeFile(path.join(directory, name), text);
  [s3, traces, warehouse] = await Promise.all([startS3('cairn'), collector(), freshDatabase()]);
  beacon = await listen((req, res) => {
    const answer =
      req.url === '/pages'
        ? {
            authorization: req.headers.authorization,
            items: [
              {
                id: 'from-http',
                label: req.headers.authorization === `Bearer ${ENV.IMPORT_SECRET}` ? 'e' : 'no secret came',
              },
            ],
          }
        : { actor: req.headers['x-platform-actor'] };
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  let atProvider: http.RequestListener = () => undefined;
  provider = await listen((req, res) => {
    atProvider(req, res);
  });
  config = configuration();
  await writeFile(path.join(directory, 'gateway.yaml'), config);
  server = await startProcess({
    dataDir: path.join(directory, 'data'),
    env: { ...ENV, CAIRN_CONFIG: path.join(directory, 'gateway.yaml') },
  });
  const identities = new Provider(urlOf(provider), {
    clients: [
      {
        client_id: 'cairn',
        client_secret: ENV.PROVIDER_SECRET,
        redirect_uris: ['http://127.0.0.1:1/portal/callback', `${server.url}/portal/callback`],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups'] },
    pkce: { required: () => true, methods: ['S256'] },
    cookies: { keys: ['a key of the test'] },
    findAccount: () => PEOPLE,
  }).callback();
  atProvider = (req, res) => void identities(req, res);
  for (const schema of [
    { name: 'Sample', version: '1', fields: [{ name: 'label', field_type: 'string' }] },
    GREETING,
  ]) {
    expect((await ask('POST', '/api/v1/metadata/schemas', { body: schema })).status).toBe(200);
  }
});

afterAll(async () => {
  await server.end('SIGTERM');
  for (const double of [beacon, provider]) {
    double.closeAllConnections();
    double.close();
  }
  await Promise.all([
    s3[Symbol.asyncDispose](),
    traces[Symbol.asyncDispose](),
    warehouse[Symbol.asyncDispose](),
  ]);
  await rm(directory, { recursive: true, force: true });
});

/**
 * Keys that conflict with others here: another database, separate components, a service that this machine may
 * not have, TLS (all callers here speak HTTP; the command is started with it in gateway/tls-workers.test.ts).
 */
const ELSEWHERE = [
  'server.tls',
  'database.url',
  'database.read_urls',
  'database.binaries',
  'auth.jwks_url',
  'rate_limit.redis_url',
  'workflow.router',
];

test('the configuration here fills every section of the reference', async () => {
  const reference = (await readFile(path.join(projectRoot, 'gateway.yaml'), 'utf8'))
    .split('\n')
    .filter((line) => !/^#[#|]/.test(line))
    .map((line) => line.replace(/^#/, ''))
    .join('\n');
  const sections = (text: string): string[] =>
    Object.entries(parse(text) as Record<string, unknown>).flatMap(([name, section]) =>
      typeof section === 'object' && section !== null && !Array.isArray(section)
        ? Object.keys(section).map((key) => `${name}.${key}`)
        : [name],
    );
  const filled = sections(config);
  expect(
    sections(reference).filter((section) => !filled.includes(section) && !ELSEWHERE.includes(section)),
  ).toEqual([]);
});

test('two processes serve', () => {
  expect(
    new Set([...server.log().matchAll(/workers?=\[?([\d,]+)/g)].flatMap(([, list = '']) => list.split(',')))
      .size,
  ).toBeGreaterThanOrEqual(WORKERS);
});

test('the token endpoint accepts the configured secret of a client', async () => {
  const tokens = await often((i) =>
    ask('POST', '/api/v1/gateway/auth/token', {
      key: null,
      body: {
        grant_type: 'client_credentials',
        client_id: 'nightly-import',
        client_secret: i % 2 === 0 ? ENV.IMPORT_SECRET : 'another secret',
      },
    }),
  );
  expect(tokens.map(({ status }) => status)).toEqual(tokens.map((_, i) => (i % 2 === 0 ? 200 : 401)));
  const authorization = `Bearer ${tokens[0]?.body.access_token}`;
  expect(
    (
      await often(() => ask('GET', '/api/v1/metadata/entities', { key: null, headers: { authorization } }))
    ).map(({ status }) => status),
  ).toEqual(same(200));
});

test('webhooks verify their configured secrets', async () => {
  const deliver = (i: number, secret: string) => {
    const body = `{"n": ${i}}`;
    return ask('POST', '/api/v1/workflow/hooks/lab', {
      key: null,
      body,
      headers: { 'x-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` },
    });
  };
  expect((await often((i) => deliver(i, ENV.LAB_SECRET))).map(({ status }) => status)).toEqual(same(200));
  expect((await often((i) => deliver(i, 'wrong'))).map(({ status }) => status)).toEqual(same(403));
  const standard = await often((i) => {
    const [body, id, at] = [`{"n": ${i}}`, `msg_${i}`, String(Math.floor(Date.now() / 1000))];
    const signature = createHmac('sha256', Buffer.from(ENV.STANDARD_SECRET.slice('whsec_'.length), 'base64'))
      .update(`${id}.${at}.${body}`)
      .digest('base64');
    return ask('POST', '/api/v1/workflow/hooks/standard', {
      key: null,
      body,
      headers: { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` },
    });
  });
  expect(standard.map(({ status }) => status)).toEqual(same(200));
  await arrives('from-module');
});

test('triggers of every kind fire, over adapters of every kind', async () => {
  for (const name of ['by-hand', 'from-warehouse', 'included'])
    expect((await ask('POST', `/api/v1/workflow/triggers/${name}/run`)).status).toBe(202);
  for (const id of ['from-csv', 'from-json', 'from-http', 'from-sql']) await arrives(id);
  // the request contained the header's secret
  expect((await entity('from-http')).body.data.data.label).toBe('e');
  const polled = await eventually(
    async () => (await ask('GET', '/api/v1/workflow/triggers/poll')).body,
    (trigger) => trigger.last_run !== null && trigger.last_run !== undefined,
    60_000,
  );
  expect(polled).toMatchObject({ status: 'polling' });
});

test('an identity provider signs people in with the secret that is configured for it', async () => {
  const visitor = new Visitor(server.url);
  const page = await visitor.open('/portal');
  const link =
    /href="(\/portal\/sign-in\/provider\?[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const away = (await visitor.send('GET', link)).headers.get('location') ?? '';
  expect(away.startsWith(urlOf(provider))).toBe(true);
  const person = new Visitor(urlOf(provider));
  const submit = (seen: { text: string; url: string }, fields: Record<string, string>) =>
    person.submit(
      seen as Parameters<Visitor['submit']>[0],
      /<form[^>]*\saction="([^"]*)"/.exec(seen.text)?.[1] ?? '',
      fields,
    );
  const consent = await submit(await person.open(away), { login: 'grace', password: 'any' });
  const back = new URL((await submit(consent, {})).headers.get('location') ?? '');
  await visitor.send('GET', `${back.pathname}${back.search}`);
  expect((await visitor.open('/portal')).text).toContain('Signed in as user:grace');
});

test('validators reject writes, the rest component answers, and pages of other origins are refused with a reason', async () => {
  const refused = await often((i) =>
    ask('POST', '/api/v1/metadata/ingest', {
      body: { entity_type: 'Sample', data: { id: `no-${i}`, label: i % 2 === 0 ? 'empty' : 'refused' } },
    }),
  );
  expect(refused.map(({ status, body }) => [status, body.error.message.replace(/^[^:]*: /, '')])).toEqual(
    refused.map((_, i) => [
      422,
      i % 2 === 0 ? 'a label that says something' : 'the module refuses this label',
    ]),
  );
  expect((await often(() => ask('GET', '/api/v1/beacon/anything'))).map(({ body }) => body.actor)).toEqual(
    Array.from({ length: TIMES }, () => 'user:admin'),
  );
  const preflight = await ask('OPTIONS', '/api/v1/metadata/entities', {
    key: null,
    headers: { origin: 'https://app.example.org', 'access-control-request-method': 'GET' },
  });
  expect(preflight.headers['access-control-allow-origin']).toBe('https://app.example.org');
});

test.skipIf(!canRun)('a rule of a package produces into the S3 store, whichever process works', async () => {
  const made = await eventually(
    () =>
      ask('POST', '/api/v1/artifact/produce', {
        body: { entity_type: 'Greeting', criteria: { sample: 'bonjour' } },
        headers: { prefer: 'wait=20' },
      }),
    ({ status }) => status === 200,
    120_000,
  ); // the package's rule waits for its schema
  expect([made.status, made.text]).toEqual([200, expect.stringContaining('"sample":"bonjour"')]);
  const address = /https:\/\/files\.example\.org\/lab(\/api\/v1\/artifact\/files\/[0-9a-f]{64})/;
  const [, file = 'no address'] = address.exec(made.text) ?? [];
  expect((await ask('GET', file)).text).toContain('bonjour');
});

test('a file is uploaded in parts into the S3 store, whichever process takes them', async () => {
  const to = '/api/v1/artifact/uploads';
  const tooLarge = await ask('POST', to, { headers: { 'upload-length': '1001' } });
  expect([tooLarge.status, tooLarge.body.details]).toEqual([413, { limit: 1000 }]);
  const { headers } = await ask('POST', to, { headers: { 'upload-length': '10' } });
  const place = headers.location ?? '';
  for (let offset = 0; offset < 10; offset++) {
    const part = await ask('PATCH', place, {
      body: String(offset),
      headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
    });
    expect([part.status, part.headers['upload-offset']]).toEqual([204, String(offset + 1)]);
  }
  const hash = createHash('sha256').update('0123456789').digest('hex');
  const answers = await often(() => ask('GET', `/api/v1/artifact/files/${hash}`));
  expect(answers.map(({ text }) => text)).toEqual(Array.from({ length: TIMES }, () => '0123456789'));
});

test('health, metrics, audit, traces, explorer, docs and the description are there', async () => {
  const health = await eventually(
    () => ask('GET', '/api/v1/gateway/health', { key: null }),
    ({ body }) => body.status === 'healthy',
    30_000,
  );
  expect(Object.keys(health.body.components).sort()).toEqual(['artifact', 'beacon', 'metadata', 'workflow']);
  expect((await ask('GET', '/api/v1/gateway/metrics', { key: null })).text).toContain(
    'gateway_requests_total',
  );
  for (const target of ['/graphql', '/api/v1/docs', '/'])
    expect(
      (await ask('GET', target, { key: null, headers: { accept: 'text/html' } })).status,
      target,
    ).toBeLessThan(400);
  expect((await ask('GET', '/api/v1/openapi.json', { key: null })).body.openapi).toBe('3.1.0');
  await eventually(
    () => readFile(path.join(directory, 'audit.jsonl'), 'utf8'),
    (text) => text.includes('"/api/v1/workflow/hooks/lab"'),
  );
  await eventually(
    async () => traces.spans.length,
    (spans) => spans > 0,
  );
});

/**
 * `npm <arguments>` as a supervisor runs it, in a process group of its own, which is killed if the test
 * fails.
 */
function npm(
  args: readonly string[],
  env: Record<string, string>,
): { child: ChildProcess; said: () => string } {
  const child = spawn('npm', args, {
    cwd: projectRoot,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  return { child, said: () => output };
}

/** Whether something listens at the address. */
const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/livez`).then(
    (response) => response.ok,
    () => false,
  );

/** The npm scripts that serve until they are stopped. */
const { scripts } = JSON.parse(await readFile(path.join(projectRoot, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

const SERVING = Object.keys(scripts).filter((name) => /\bstart\b/.test(scripts[name] ?? ''));

test.skipIf(!hasPrometheus)(
  "every expression of the dashboards and alerts answers over a scrape, and each metric is documented (skipped where Debian's prometheus is not installed)",
  async () => {
    expect((await ask('GET', '/api/v1/metadata/entities?entity_type=Sample', { key: null })).status).toBe(
      401,
    );
    await using prometheus = await startPrometheus(server.url);
    const isScraped = (times: number) =>
      eventually(
        () => prometheus.ask(`count_over_time(cairn_build_info[1m]) >= ${times}`),
        ({ values }) => values.length > 0,
        60_000,
      );
    await isScraped(2);
    for (let n = 0; n < 5; n++) {
      await ask('POST', '/graphql', { body: { query: 'query Seen { health { status } }' } });
      await ask('POST', '/api/v1/metadata/ingest', {
        body: { entity_type: 'Sample', id: `seen-${n}`, data: { label: 'seen' } },
      });
    }
    await isScraped(6);
    expect(await unanswered(prometheus)).toEqual([]);
    const { text } = await ask('GET', '/api/v1/gateway/metrics');
    const exported = [...text.matchAll(/^# TYPE ((?:cairn|gateway)_\w+)/gm)].map(([, name]) => name);
    expect(exported.toSorted()).toEqual(documentedMetrics().toSorted());
  },
  180_000,
);

test.each(SERVING)('npm run %s ends with its server when a supervisor ends npm alone', async (name) => {
  const dataDir = path.join(directory, `npm-${name}`);
  const { child, said } = npm(['run', name], {
    CAIRN_PORT: '0',
    CAIRN_DATA_DIR: dataDir,
    CAIRN_CONFIG: '',
  });
  const exited = once(child, 'exit');
  try {
    const url =
      (await eventually(
        async () => /http:\/\/127\.0\.0\.1:\d+/.exec(said())?.[0],
        (found) => found !== undefined && said().includes('is ready'),
        90_000,
      )) ?? '';
    expect(await answers(url)).toBe(true);
    child.kill('SIGTERM'); // npm itself, not its group
    await exited;
    await eventually(
      () => answers(url),
      (alive) => !alive,
      20_000,
    );
    await eventually(
      async () => said(),
      (text) => text.includes('stopped'),
      20_000,
    );
  } finally {
    if (child.pid !== undefined)
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        /* the whole group has ended */
      }
  }
});
