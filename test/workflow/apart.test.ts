// docs/reference/workflow.md#a-separate-process: the workflow as a process of its own writes through the
// router, over HTTP, with a token from the token endpoint.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { asConfigured } from '../../platform/acting.ts';
import { parseConfig } from '../../platform/config/load-config.ts';
import { Secret } from '../../platform/config/secret.ts';
import { startPlatform } from '../../router/main.ts';
import { askRouter } from '../../subgraphs/workflow/ask-router.ts';
import * as metadata from '../../standalone/metadata.ts';
import * as workflow from '../../standalone/workflow.ts';
import { ServiceToken } from '../../subgraphs/workflow/service-token.ts';
import { scratchDatabase } from '../testkit/database.ts';
import { eventually } from './workflow-server.ts';
import { freePort } from '../testkit/free-port.ts';

/** docs/reference/metadata.md#why: over HTTP, too, what a run writes is known to be its work. */
const expectCause = (
  { nodes }: { readonly nodes: readonly { readonly key: string; readonly kind: string }[] },
  run: string,
): void => {
  expect(nodes.map(({ kind, key }) => [kind, key])).toEqual([
    ['ENTITY', 'entity:s1'],
    ['VERSION', 'version:1:s1'],
    ['EVENT', expect.any(String)],
    ['RUN', `run:${run}`],
    ['REQUEST', expect.any(String)],
  ]);
};

/** Services that are called as the workflow is, by a key and by the key's token, cannot claim its runs. */
async function expectNoForgedCause(url: string, admin: string, run: string): Promise<void> {
  const post = async (target: string, headers: Record<string, string>, body: unknown) => {
    const response = await fetch(`${url}/api/v1${target}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as any }; // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of a body
  };
  const key = { label: 'workflow', role: 'service' };
  const {
    body: { id, secret },
  } = await post('/gateway/auth/api-keys', { 'x-api-key': admin }, key);
  const { body: token } = await post(
    '/gateway/auth/token',
    {},
    { grant_type: 'client_credentials', client_id: id, client_secret: secret },
  );
  const acting = { roles: ['service'], projects: '*', credential: null };
  const headerOf = (sent: object) => ({
    'x-cairn-acting': Buffer.from(JSON.stringify(sent)).toString('base64url'),
  });
  const entity = { entity_type: 'Sample', id: 'forged', data: {} };
  for (const credential of [{ 'x-api-key': secret }, { authorization: `Bearer ${token.access_token}` }]) {
    const forged = { ...credential, ...headerOf({ ...acting, cause: `run:${run}` }) };
    expect(await post('/metadata/ingest', forged, entity)).toMatchObject({
      status: 403,
      body: { error: 'insufficient_role' },
    });
    expect(await post('/metadata/ingest', { ...credential, ...headerOf(acting) }, entity)).toMatchObject({
      status: 200,
    });
  }
}

test("triggers run in the workflow's own process, as service:workflow, with tokens that are renewed", async () => {
  await using database = await scratchDatabase();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'cairn-apart-'));
  await writeFile(path.join(dataDir, 'a.jsonl'), '{"id":"s1"}\n{"id":"s2"}\n');
  const [routerPort, workflowPort] = [await freePort(), await freePort()];
  const yaml = `components: {workflow: {url: "http://127.0.0.1:${workflowPort}"}}
auth:
  service_token_seconds: 2
  clients: [{client_id: workflow, secret_env: WORKFLOW_SECRET, grants: [client_credentials], roles: [service], projects: "*"}]
workflow:
  router: {url: "http://127.0.0.1:${routerPort}", secret_env: WORKFLOW_SECRET}
  triggers:
    - {name: pull, type: manual, action: {type: ingest, adapter: a}}
    - {name: seen, type: metadata_poll, poll: {entity_type: Sample, filter: 'id == "s2"', interval_seconds: 1}, action: {type: ingest, adapter: a}}
  adapters: [{name: a, type: jsonl, entity_type: Sample, source: ${dataDir}/a.jsonl, map: {id: row.id}}]
`;
  const log = pino({ level: 'silent' });
  const config = (port: number) =>
    parseConfig(yaml, path.join(dataDir, 'gateway.yaml'), {
      env: {
        CAIRN_PORT: String(port),
        CAIRN_DATA_DIR: dataDir,
        DATABASE_URL: database.url,
        WORKFLOW_SECRET: 'hush-hush',
      },
      cwd: dataDir,
    });
  const component = await workflow.startComponent({ config: config(workflowPort), log });
  const platform = await startPlatform({ config: config(routerPort), log });
  const key = (await readFile(path.join(dataDir, 'admin-key'), 'utf8')).trim();
  const rest = async (method: string, target: string, body?: unknown) => {
    const response = await fetch(`${platform.url}/api/v1${target}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as any; // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of a body
  };
  try {
    await rest('POST', '/metadata/schemas', {
      name: 'Sample',
      version: '1',
      fields: [{ name: 'label', field_type: 'string' }],
    });
    const { run_id: runId } = await rest('POST', '/workflow/triggers/pull/run');
    const run = await eventually(
      () => rest('GET', `/workflow/runs/${runId}`),
      (one) => !['queued', 'running'].includes(one.status),
    );
    expect(run).toMatchObject({ status: 'success', records_created: 2 });
    expect((await rest('GET', '/metadata/entities/s1/history')).data[0]).toMatchObject({
      actor: 'service:workflow',
      context: { run_id: runId },
    });
    expectCause((await rest('GET', '/metadata/entities/s1/why')).data, runId);
    await expectNoForgedCause(platform.url, key, runId);
    await eventually(
      () => rest('GET', '/workflow/triggers/seen/runs'),
      (page) => page.total === 1,
    );
    await new Promise((done) => {
      setTimeout(done, 2500);
    }); // the first token has expired
    const { run_id: later } = await rest('POST', '/workflow/triggers/pull/run');
    expect(
      await eventually(
        () => rest('GET', `/workflow/runs/${later}`),
        (one) => !['queued', 'running'].includes(one.status),
      ),
    ).toMatchObject({ status: 'success', records_skipped: 2 });
    expect((await rest('GET', '/workflow/triggers/seen')).cursor).toEqual(expect.any(String));
  } finally {
    await platform.close();
    await component.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

/** Asks a component that is served alone, as an administrator of the projects. */
const ask = async (url: string | undefined, query: string, projects: string, variables: unknown = {}) => {
  const headers = {
    'content-type': 'application/json',
    'x-platform-actor': 'user:ada',
    'x-platform-roles': 'admin',
    'x-platform-projects': projects,
    'x-platform-request-id': randomUUID(),
  };
  return (await (
    await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
  ).json()) as any; // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of a body
};

test('a dry run of a poll queries the metadata component as the caller', async () => {
  await using database = await scratchDatabase();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'cairn-evaluate-'));
  const metadataPort = await freePort();
  const yaml = `components: {metadata: {url: "http://127.0.0.1:${metadataPort}"}}
workflow:
  triggers: [{name: seen, type: metadata_poll, poll: {entity_type: Sample, filter: 'label == "yes"', interval_seconds: 3600}, action: {type: ingest, adapter: a}}]
  adapters: [{name: a, type: jsonl, entity_type: Sample, source: ${dataDir}/a.jsonl, map: {id: row.id}}]
`;
  const log = pino({ level: 'silent' });
  const config = (port: number) =>
    parseConfig(yaml, path.join(dataDir, 'gateway.yaml'), {
      env: { CAIRN_PORT: String(port), CAIRN_DATA_DIR: dataDir, DATABASE_URL: database.url },
      cwd: dataDir,
    });
  const alone = [
    await metadata.startComponent({ config: config(metadataPort), log }),
    await workflow.startComponent({ config: config(await freePort()), log }),
  ];
  try {
    const [metadataUrl, workflowUrl] = alone.map(({ url }) => url);
    await ask(metadataUrl, 'mutation($d: JSON!) { createSchema(definition: $d) { name } }', '*', {
      d: {
        name: 'Sample',
        version: '1',
        fields: [
          { name: 'label', field_type: 'string' },
          { name: 'project', field_type: 'string' },
        ],
      },
    });
    for (const [id, data] of [
      ['mine', { label: 'yes', project: 'p' }],
      ['other', { label: 'yes', project: 'q' }],
      ['no', { label: 'no' }],
    ]) {
      expect(
        (
          await ask(
            metadataUrl,
            'mutation($i: ID!, $d: JSON!) { ingestEntity(entityType: "Sample", id: $i, data: $d) { id } }',
            '*',
            { i: id, d: data },
          )
        ).errors,
      ).toBeUndefined();
    }
    const evaluated = async (projects: string) =>
      (
        await ask(workflowUrl, '{ evaluateTrigger(name: "seen") { trials { subject verdict } } }', projects)
      ).data?.evaluateTrigger.trials.map(
        (trial: { subject: { entity: { id: string } }; verdict: string }) => [
          trial.subject.entity.id,
          trial.verdict,
        ],
      );
    expect(await evaluated('*')).toEqual([
      ['mine', 'fired'],
      ['other', 'fired'],
      ['no', 'condition_false'],
    ]);
    expect(await evaluated('p')).toEqual([
      ['mine', 'fired'],
      ['no', 'condition_false'],
    ]);
  } finally {
    for (const one of alone) await one.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test('a refused token is renewed once, a rate limit is waited for, and a router that is away is component_unavailable', async () => {
  const asked: string[] = [];
  let tokens = 0;
  const answers: [number, unknown][] = [
    [401, { error: 'invalid_token', message: 'no' }],
    [429, { error: 'rate_limit_exceeded', message: 'slow' }],
    [200, { data: { ok: 1 } }],
    [403, { error: 'insufficient_role', message: 'not you' }],
    [200, { data: null, errors: [{ message: 'gone', extensions: { code: 'NOT_FOUND' } }] }],
    [503, {}],
  ];
  const server = http
    .createServer((req, res) => {
      if (req.url?.endsWith('/token') === true)
        return void res.end(JSON.stringify({ access_token: `t${++tokens}`, expires_in: 300 }));
      asked.push(String(req.headers.authorization));
      const [status, body] = answers.shift() ?? [200, { data: {} }];
      res.writeHead(status, { 'retry-after': '0.01' }).end(JSON.stringify(body));
    })
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const make = (at: string) =>
    askRouter({
      url: at,
      timeoutMs: 2000,
      token: new ServiceToken({ url: at, clientId: 'workflow', secret: new Secret('s'), timeoutMs: 2000 }),
    })(asConfigured('*'));
  const ask = make(url);
  expect(await ask('{ ok }', {})).toEqual({ ok: 1 });
  expect(asked).toEqual(['Bearer t1', 'Bearer t2', 'Bearer t2']);
  await expect(ask('{ ok }', {})).rejects.toMatchObject({ code: 'insufficient_role' });
  await expect(ask('{ ok }', {})).rejects.toMatchObject({ code: 'not_found', message: 'gone' });
  await expect(ask('{ ok }', {})).rejects.toMatchObject({ code: 'component_unavailable' });
  await expect(make('http://127.0.0.1:1')('{ ok }', {})).rejects.toMatchObject({
    code: 'component_unavailable',
  });
  server.closeAllConnections();
  server.close();
});
