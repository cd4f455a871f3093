// Split mode with real processes: `cairn start metadata`, and a router that reaches it by its URL
// (docs/reference/gateway.md#split-mode).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../platform/project-root.ts';
import { rawRequest } from './gateway/raw-http.ts';
import { freshDatabase } from './testkit/database.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let dir: string;
const processes: ChildProcess[] = [];

async function start(
  args: readonly string[],
  config: string,
): Promise<{ url: string; stop: () => Promise<number | null> }> {
  const file = path.join(dir, `${args.join('-') || 'all'}.yaml`);
  await writeFile(file, config);
  const child = spawn(process.execPath, ['cli/cairn.mjs', 'start', ...args, '--json'], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      CAIRN_CONFIG: file,
      CAIRN_PORT: '0',
      CAIRN_DATA_DIR: dir,
      DATABASE_URL: database.url,
    },
  });
  processes.push(child);
  let output = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    const url = /"url":\s*"([^"]+)"/.exec(output)?.[1];
    if (url !== undefined) {
      child.stdout.resume();
      return {
        url,
        stop: async () => {
          child.kill('SIGTERM');
          return (await once(child, 'exit'))[0] as number | null;
        },
      };
    }
  }
  throw new Error(`cairn start ${args.join(' ')} ended: ${output}`);
}

beforeAll(async () => {
  database = await freshDatabase();
  dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-split-'));
});
afterAll(async () => {
  for (const child of processes) if (child.exitCode === null) child.kill('SIGKILL');
  await database[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

test('a component served alone answers its own REST API, and the router reaches it by its address', async () => {
  const metadata = await start(['metadata'], '');
  const alone = (target: string, headers: Record<string, string>, body?: unknown) =>
    fetch(metadata.url + target, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  expect((await alone('/entities', {})).status).toBe(401);
  expect((await alone('/entities', { authorization: 'Basic abc' })).status).toBe(401);
  const bearer = {
    authorization: 'Bearer local-development',
    'x-metadata-actor': Buffer.from('Zoë', 'utf8').toString('latin1'),
  };
  await alone('/schemas', bearer, {
    name: 'Sample',
    version: '1',
    fields: [{ name: 'a', field_type: 'int' }],
  });
  expect((await alone('/ingest', bearer, { entity_type: 'Sample', data: { id: 's1', a: 1 } })).status).toBe(
    200,
  );
  const many = Array.from({ length: 2500 }, () => 'X-A: 1');
  expect(
    (
      await rawRequest(Number(new URL(metadata.url).port), 'GET /entities HTTP/1.1', [
        ...many,
        'Authorization: Bearer local-development',
      ])
    ).status,
  ).toBe(200); // none is dropped silently
  for (const refused of [await alone('/entities', {}), await alone('/entities//s1', bearer)])
    expect(await refused.json()).toMatchObject({
      data: null,
      error: { code: refused.status },
      meta: { schema_version: '1' },
    });
  const history = (await (await alone('/entities/s1/history', bearer)).json()) as {
    data: { actor: string }[];
  };
  expect(history.data[0]?.actor).toBe('Zoë');
  const bulk = (available: boolean, actor: string | null, headers: Record<string, string>) =>
    alone('/entities/Sample/bulk-availability', headers, {
      entity_ids: ['s1'],
      available,
      reason: 'r',
      actor,
    });
  // the caller is not identified otherwise: the actor in the body counts
  await bulk(false, 'curator', bearer);
  await bulk(true, null, bearer);
  await bulk(false, 'curator', {
    'x-platform-actor': 'user:lead',
    'x-platform-roles': 'project_lead',
    'x-platform-projects': '*',
  });
  const changes = (await (
    await alone('/entities/s1/history?event_types=AvailabilityChanged', bearer)
  ).json()) as { data: { actor: string }[] };
  expect(changes.data.map((event) => event.actor)).toEqual(['curator', 'Zoë', 'user:lead']);

  const router = await start(['router'], `components:\n  metadata: {url: "${metadata.url}"}\n`);
  const key = (await readFile(path.join(dir, 'admin-key'), 'utf8')).trim();
  const read = (): Promise<Response> =>
    fetch(`${router.url}/api/v1/metadata/entities/s1`, { headers: { 'x-api-key': key } });
  expect(((await (await read()).json()) as { data: { data: unknown } }).data.data).toEqual({ a: 1 });

  expect(await metadata.stop()).toBe(0);
  const away = await read();
  expect([away.status, ((await away.json()) as { error: string; component: string }).error]).toEqual([
    503,
    'component_unavailable',
  ]);
  expect(await router.stop()).toBe(0);
});
