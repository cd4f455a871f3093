// `cairn start` as operators use it: several components at once, one alone, over a database that is not
// available yet.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startedText } from '../cli/commands/start.ts';
import { projectRoot } from '../platform/project-root.ts';
import { freshDatabase } from './testkit/database.ts';
import { scratchDirectory } from './testkit/scratch-space.ts';
import { eventually } from './workflow/workflow-server.ts';
import { freePort } from './testkit/free-port.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let dir: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  dir = scratchDirectory('modes');
});
afterAll(async () => {
  await Promise.all(
    children
      .filter((child) => child.exitCode === null && child.signalCode === null)
      .map(async (child) => {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }),
  );
  await database[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

interface Started {
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<number | null>;
  readonly child: ChildProcess;
}

async function start(args: readonly string[], config = '', databaseUrl = database.url): Promise<Started> {
  const file = path.join(await mkdtemp(path.join(dir, 'config-')), 'gateway.yaml');
  await writeFile(file, config);
  const { CAIRN_PORT: _, ...env } = process.env;
  const child = spawn(process.execPath, ['cli/cairn.mjs', 'start', ...args, '--json'], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, CAIRN_CONFIG: file, CAIRN_DATA_DIR: path.dirname(file), DATABASE_URL: databaseUrl },
  });
  children.push(child);
  // The event's first argument.
  const ended = once(child, 'exit').then(([status]) => status as number | null);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  return { out: () => out, err: () => err, ended, child };
}

const whole = ({ out }: Started): boolean => {
  try {
    return JSON.parse(out()) !== null;
  } catch {
    return false; // incomplete so far
  }
};
async function ready(started: Started): Promise<{ component?: string; url: string; inside?: string }[]> {
  await eventually(
    async () => [whole(started), started.child.exitCode, started.err()] as const,
    ([is, status]) => is || status !== null,
    60_000,
  );
  // An object of the platform, a list of components.
  return [JSON.parse(started.out())].flat() as { url: string }[];
}

test('a router and a component in one command: the component listens where the router looks for it', async () => {
  const port = await freePort();
  const started = await start(
    ['router', 'workflow', 'router'],
    `server: {port: 0}\ncomponents: {workflow: {url: "http://127.0.0.1:${port}"}}`,
  );
  const servers = await ready(started);
  expect(servers).toEqual([
    { component: 'workflow', url: `http://127.0.0.1:${port}` },
    { component: 'router', url: expect.stringMatching(/^http:/) },
  ]);
  const health = await eventually(
    async () =>
      (await fetch(`${servers[1]?.url}/api/v1/gateway/health`)).json() as Promise<{
        status: string;
        components: Record<string, unknown>;
      }>,
    ({ status }) => status === 'healthy',
  );
  expect(health.components['workflow']).toMatchObject({ url: `http://127.0.0.1:${port}` });
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(0);
});

test('a component without an address is inside the router', async () => {
  const started = await start(['workflow', 'router'], 'server: {port: 0}');
  const [router, workflow] = await ready(started);
  expect([router?.component, workflow]).toEqual([
    'router',
    { component: 'workflow', url: router?.url, inside: 'router' },
  ]);
  const plain = (text: string): string => text;
  const paint = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain };
  expect(startedText(paint, [{ component: 'workflow', url: 'http://localhost', inside: 'router' }])).toBe(
    'workflow is ready at http://localhost, inside the router, because components.workflow.url is not set',
  );
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(0);
});

test.each([
  [['metadata', 'artifact'], '', 'cannot all listen on server.port: set components.metadata.url'],
  [
    ['router', 'artifact'],
    'server: {port: 8085}\ncomponents: {artifact: {url: "http://127.0.0.1:8085"}}',
    'artifact and router would both listen on port 8085',
  ],
])('%j with nowhere to listen says what to do', async (names, config, said) => {
  const started = await start(names, config);
  expect([await started.ended, started.err()]).toEqual([1, expect.stringContaining(said)]);
});

test('a component alone serves the documentation that it names', async () => {
  const started = await start(['metadata'], 'server: {port: 0}');
  const [{ url } = { url: '' }] = await ready(started);
  const { data } = (await (await fetch(`${url}/`)).json()) as { data: { docs: string } };
  const page = await fetch(url + data.docs);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const named = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, found = '']) => new URL(found, page.url).href,
  );
  expect(named.length).toBeGreaterThan(2);
  for (const asset of named) expect((await fetch(asset)).status, asset).toBe(200);
  const description = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, unknown>;
  };
  expect(await new Validator().validate(structuredClone(description))).toMatchObject({ valid: true });
  expect(Object.keys(description.paths)).toContain('/entities/{entity_id}');
});

test('where documentation is switched off, none is named', async () => {
  const started = await start(['metadata'], 'server: {port: 0, docs: false}');
  const [{ url } = { url: '' }] = await ready(started);
  expect(await (await fetch(`${url}/`)).json()).toMatchObject({ data: { docs: null } });
  expect(
    (await fetch(`${url}/api/v1/openapi.json`, { headers: { authorization: 'Bearer local' } })).status,
  ).toBe(404);
});

describe('a database that is unavailable at the start', () => {
  const elsewhere = (port: number): string =>
    Object.assign(new URL(database.url), { port: String(port) }).href;

  test('is waited for, with a log message', async () => {
    const port = await freePort();
    const started = await start([], 'server: {port: 0}', elsewhere(port));
    await eventually(
      async () => started.err(),
      (text) => text.includes('trying again for at most'),
      20_000,
    );
    expect(started.err()).toMatch(
      /the database 127\.0\.0\.1:\d+\/\w+ cannot be used: .*ECONNREFUSED.*trying again for at most \d+ s \(database\.wait_seconds\)/,
    );
    const origin = new URL(database.url);
    const proxy = net
      .createServer((client) => {
        const server = net.connect(Number(origin.port), origin.hostname);
        for (const socket of [client, server])
          socket.on('error', () => {
            client.destroy();
            server.destroy();
          });
        client.pipe(server).pipe(client);
      })
      .listen(port, '127.0.0.1');
    try {
      const [{ url } = { url: '' }] = await ready(started);
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
    } finally {
      started.child.kill('SIGTERM');
      await started.ended;
      proxy.close();
    }
  });

  test('is no longer waited for when the start is stopped', async () => {
    const started = await start(['metadata'], 'server: {port: 0}', elsewhere(await freePort()));
    await eventually(
      async () => started.err(),
      (text) => text.includes('trying again for at most'),
      20_000,
    );
    started.child.kill('SIGTERM');
    expect(await started.ended).toBe(0);
  });

  test.each([
    ['that stays away', 'wait_seconds: 0', (port: number) => elsewhere(port), 'ECONNREFUSED'],
    [
      'that refuses the password',
      'wait_seconds: 60',
      () => Object.assign(new URL(database.url), { username: 'nobody_here', password: 'wrong' }).href,
      'nobody_here',
    ],
  ])('one %s ends the start with what to do', async (_, key, urlOf, said) => {
    const started = await start([], `server: {port: 0}\ndatabase: {${key}}`, urlOf(await freePort()));
    expect([await started.ended, started.err()]).toEqual([1, expect.stringContaining(said)]);
    expect(started.err()).not.toContain('trying again for at most');
    expect(started.err()).toContain('check DATABASE_URL or database.url');
  });
});

test('in production an instance is only begun by a start that is told so', async () => {
  const production = 'server: {port: 0, mode: production}';
  const refused = await start([], production, '');
  expect(await refused.ended).toBe(1);
  const [, directory] = /the data directory (\S+) holds no instance of Cairn/.exec(refused.err()) ?? [];
  expect(directory, refused.err()).toBeDefined();
  expect(existsSync(path.join(directory ?? '', 'postgres', 'cluster'))).toBe(false);

  const told = await start(['--initialise'], production, '');
  const [{ url } = { url: '' }] = await ready(told);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  told.child.kill('SIGTERM');
  expect(await told.ended).toBe(0);
});
