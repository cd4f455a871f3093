// kill -9 of the server, of the runner or of PostgreSQL during a production leaves no process and no
// partially written entity, and the production continues or fails.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { pidsOf } from '../testkit/processes-of.ts';
import { type ServerProcess, startProcess } from '../testkit/server-process.ts';
import { canRun, GREETING, shell, storedFile } from './production-testkit.ts';
import { base64 } from './registration-testkit.ts';
import { systemErrorCode } from '../../platform/system-error-code.ts';

const MADE =
  "uri: {type: File, outputBinding: {glob: out.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}";
const slow = (mark: string, seconds: string): string =>
  shell(`sleep ${seconds}; echo ${mark} > out.txt`, 'sample: string', MADE);

async function api(
  server: ServerProcess,
  method: string,
  to: string,
  body?: unknown,
): Promise<ReturnType<typeof JSON.parse>> {
  const response = await fetch(`${server.url}/api/v1${to}`, {
    method,
    headers: { 'x-api-key': server.key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}

async function prepare(server: ServerProcess, cwl: string): Promise<string> {
  await api(server, 'POST', '/metadata/schemas', GREETING);
  await api(server, 'POST', '/artifact/rules', {
    name: 'slow',
    produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
    execute: { cwl_content: base64(cwl) },
  });
  return (
    await api(server, 'POST', '/artifact/produce', { entity_type: 'Greeting', criteria: { sample: 's' } })
  ).production_id;
}

const statusOf = async (server: ServerProcess, id: string): Promise<string> =>
  (await api(server, 'GET', `/artifact/productions/${id}`)).status;

test.skipIf(!canRun)(
  'kill -9 of the server ends its workflow; the next start completes the production, once',
  async () => {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-crash-'));
    const [dataDir, gate, config] = [
      path.join(directory, 'data'),
      path.join(directory, 'gate'),
      path.join(directory, 'gateway.yaml'),
    ];
    await mkdir(gate);
    // the sandbox contains the directories of tools
    await writeFile(config, `artifact: {runner: {type: cwltool, tool_paths: ["${gate}"]}}\n`);
    const start = (): Promise<ServerProcess> => startProcess({ dataDir, env: { CAIRN_CONFIG: config } });
    const working = (): number[] => pidsOf(`${gate}/open`);
    try {
      let server = await start();
      const id = await prepare(
        server,
        shell(`while [ ! -e ${gate}/open ]; do sleep 0.1; done; echo made > out.txt`, 'sample: string', MADE),
      ); // would run forever
      await expect.poll(working, { timeout: 150_000 }).not.toEqual([]);
      await server.end('SIGKILL');
      await expect.poll(working).toEqual([]);

      server = await start();
      await writeFile(path.join(gate, 'open'), '');
      await expect.poll(() => statusOf(server, id), { timeout: 150_000, interval: 500 }).toBe('completed');
      expect((await api(server, 'GET', '/metadata/entities?entity_type=Greeting')).data.total).toBe(1);
      expect(await readdir(path.join(dataDir, 'artifact-runs'))).toEqual([]);
      expect(await server.end('SIGTERM')).toBe(0);
    } finally {
      await writeFile(path.join(gate, 'open'), '');
      // cleans up even if the test fails
      await expect.poll(working).toEqual([]);
      await rm(directory, { recursive: true, force: true });
    }
  },
);

test.skipIf(!canRun)('kill -9 of the runner fails the production, and nothing is written', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'cairn-crash-'));
  try {
    const server = await startProcess({ dataDir });
    const id = await prepare(server, slow('made', '60.472'));
    await expect.poll(() => pidsOf('60.472'), { timeout: 150_000 }).not.toEqual([]);
    const runners = pidsOf(`${id}.`);
    expect(runners.length).toBeGreaterThan(0);
    for (const pid of runners)
      try {
        process.kill(pid, 'SIGKILL');
      } catch (fault) {
        if (systemErrorCode(fault) !== 'ESRCH') throw fault;
      } // killing one kills the others
    await expect.poll(() => statusOf(server, id)).toBe('failed');
    await expect.poll(() => pidsOf('60.472')).toEqual([]);
    expect(
      (await api(server, 'GET', '/metadata/entities?entity_type=Greeting&include_unavailable=true')).data
        .total,
    ).toBe(0);
    expect(await server.end('SIGTERM')).toBe(0);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

test.skipIf(!canRun)(
  'a server that is stopped releases its productions, and the next start executes them',
  async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'cairn-crash-'));
    try {
      let server = await startProcess({ dataDir });
      const id = await prepare(server, slow('made', '9.473'));
      await expect.poll(() => pidsOf('9.473'), { timeout: 150_000 }).not.toEqual([]);
      expect(await server.end('SIGTERM')).toBe(0);
      expect(pidsOf('9.473')).toEqual([]);
      server = await startProcess({ dataDir });
      await expect.poll(() => statusOf(server, id), { timeout: 120_000, interval: 300 }).toBe('completed');
      expect(await server.end('SIGTERM')).toBe(0);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);

test.skipIf(!canRun)(
  'kill -9 of PostgreSQL during a production does not fail it: it is completed, once',
  async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'cairn-crash-'));
    try {
      const server = await startProcess({ dataDir });
      const id = await prepare(server, slow('made', '9.475'));
      await expect.poll(() => pidsOf('9.475'), { timeout: 150_000 }).not.toEqual([]);
      const postmaster = Number(
        (await readFile(path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0],
      );
      process.kill(postmaster, 'SIGKILL');
      await expect
        .poll(() => statusOf(server, id).catch(() => 'away'), { timeout: 200_000, interval: 500 })
        .toBe('completed'); // possibly only when the lease of its first worker has expired
      const {
        data: { items },
      } = await api(server, 'GET', '/metadata/entities?entity_type=Greeting&include_unavailable=true');
      expect(items).toMatchObject([{ is_available: true }]);
      expect(await readFile(storedFile({ dataDir }, items[0].data.uri), 'utf8')).toBe('made\n');
      expect(await api(server, 'POST', '/artifact/cache/verify')).toMatchObject({ missing: [], damaged: [] });
      await expect.poll(() => pidsOf('9.475')).toEqual([]);
      expect(await server.end('SIGTERM')).toBe(0);
      expect(await readdir(path.join(dataDir, 'artifact-runs'))).toEqual([]);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);
