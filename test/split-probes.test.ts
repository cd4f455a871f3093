// A deployment of four processes, each with its probes and metrics: the dashboards and alerts of deploy/ are about such a
// one as well (docs/operations.md#metrics).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../platform/project-root.ts';
import { hasPrometheus, startPrometheus, unanswered } from './prometheus-testkit.ts';
import { freshDatabase } from './testkit/database.ts';
import { freePort } from './testkit/free-port.ts';

const PARTS = ['metadata', 'workflow', 'artifact', 'router'] as const;
type Part = (typeof PARTS)[number];

let database: Awaited<ReturnType<typeof freshDatabase>>;
let dir: string;
let key: string;
const processes = new Map<Part, ChildProcess>();
const urls = {} as Record<Part, string>; // filled before the tests

const probe = async (part: Part, at: string): Promise<[number, unknown]> => {
  const answer = await fetch(urls[part] + at);
  return [answer.status, await answer.json()];
};

beforeAll(async () => {
  database = await freshDatabase();
  dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-split-'));
  for (const part of PARTS) urls[part] = `http://127.0.0.1:${await freePort()}`;
  const components = PARTS.filter((part) => part !== 'router');
  const addresses = components.map((part) => `${part}: {url: "${urls[part]}"}`).join(', ');
  const secret = 'a secret of the workflow of this test';
  await writeFile(
    path.join(dir, 'gateway.yaml'),
    `server: {lame_duck_seconds: 3}
components: {${addresses}}
auth: {clients: [{client_id: workflow, secret_env: WORKFLOW_SECRET, grants: [client_credentials], roles: [service], projects: "*"}]}
workflow:
  router: {url: "${urls.router}", client_id: workflow, secret_env: WORKFLOW_SECRET}
  triggers:
    - {name: nightly, type: schedule, schedule: "0 3 * * *", action: {type: ingest, adapter: sheet}}
    - {name: watch, type: metadata_poll, poll: {entity_type: Sample, filter: "false", interval_seconds: 60, lookback_seconds: 60}, action: {type: ingest, adapter: sheet}}
  adapters: [{name: sheet, type: jsonl, source: ./sheet.jsonl, entity_type: Sample, map: {id: row.id}}]
`,
  );
  for (const part of PARTS) {
    const child = spawn(process.execPath, ['cli/cairn.mjs', 'start', part, '--json'], {
      cwd: projectRoot,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        CAIRN_CONFIG: path.join(dir, 'gateway.yaml'),
        CAIRN_PORT: new URL(urls[part]).port,
        CAIRN_DATA_DIR: dir,
        DATABASE_URL: database.url,
        WORKFLOW_SECRET: secret,
      },
    });
    processes.set(part, child);
  }
  // together: each waits for what it needs of the others
  for (const [part, child] of processes)
    for (let alive = false; !alive; await sleep(100)) {
      expect([part, child.exitCode]).toEqual([part, null]);
      alive = await probe(part, '/livez').then(
        ([status]) => status === 200,
        () => false,
      );
    }
  key = (await readFile(path.join(dir, 'admin-key'), 'utf8')).trim();
}, 400_000);

afterAll(async () => {
  for (const child of processes.values()) if (child.exitCode === null) child.kill('SIGKILL');
  await database[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

test('each process has probes of its own', async () => {
  for (const part of PARTS) {
    expect([part, await probe(part, '/livez')]).toEqual([part, [200, { status: 'alive' }]]);
    await expect.poll(() => probe(part, '/readyz')).toEqual([200, { status: 'ready', writes: 'open' }]);
  }
  // A router that begins before a component does has the component's fields when that answers.
  const schemas = `${urls.router}/api/v1/metadata/schemas`;
  await expect.poll(async () => (await fetch(schemas, { headers: { 'x-api-key': key } })).status).toBe(200);
});

test.skipIf(!hasPrometheus)(
  'every expression of the dashboards and alerts answers over a scrape of them (skipped where there is no prometheus)',
  { timeout: 240_000 },
  async () => {
    const send = async (at: string, body: object): Promise<number> =>
      (
        await fetch(urls.router + at, {
          method: 'POST',
          headers: { 'x-api-key': key, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).status;
    expect((await fetch(`${urls.router}/api/v1/metadata/entities?entity_type=Sample`)).status).toBe(401);
    expect(await send('/api/v1/metadata/schemas', { name: 'Sample', version: '1', fields: [] })).toBe(200);
    const others = PARTS.filter((part) => part !== 'router').map((part) => urls[part]);
    await using prometheus = await startPrometheus(urls.router, undefined, others);
    const scraped = (times: number) =>
      expect
        .poll(
          async () =>
            (await prometheus.ask(`count_over_time(cairn_build_info[1m]) >= ${times}`)).values.length,
          { timeout: 120_000 },
        )
        .toBe(PARTS.length);
    await scraped(2);
    for (let n = 0; n < 5; n++) {
      await send('/graphql', { query: 'query Seen { health { status } }' });
      expect(await send('/api/v1/metadata/ingest', { entity_type: 'Sample', id: `s-${n}`, data: {} })).toBe(
        200,
      );
    }
    await scraped(6);
    expect(await unanswered(prometheus)).toEqual([]);
  },
);

test('a component that stops says so before it does', async () => {
  const child = processes.get('metadata');
  child?.kill('SIGTERM');
  await expect
    .poll(() => probe('metadata', '/readyz'), { timeout: 3000, interval: 50 })
    .toEqual([503, { status: 'not ready', writes: 'open', reason: 'stopping' }]);
  expect(await probe('metadata', '/livez')).toEqual([200, { status: 'alive' }]);
  if (child?.exitCode === null) await once(child, 'exit');
  expect(child?.exitCode).toBe(0);
});
