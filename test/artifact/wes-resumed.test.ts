// A run at a WES service outlives the server that began it: the next one resumes it instead of beginning
// another.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { type ServerProcess, startProcess } from '../testkit/server-process.ts';
import { canRun, GREETING, shell, storedFile } from './production-testkit.ts';
import { base64 } from './registration-testkit.ts';
import { startWes } from './wes-server.ts';

/** Ends once the gate is open. */
const gated = (gate: string): string =>
  shell(
    `while [ ! -e ${gate} ]; do sleep 0.1; done; echo made > out.txt`,
    'sample: string',
    "uri: {type: File, outputBinding: {glob: out.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
  );

async function startBeside(wes: { readonly url: string; readonly token: string }) {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-wes-resumed-'));
  const [gate, dataDir, config] = ['gate', 'data', 'gateway.yaml'].map((name) =>
    path.join(directory, name),
  ) as [string, string, string];
  await writeFile(
    config,
    `artifact: {runner: {type: wes, url: "${wes.url}", token_env: WES_TOKEN, poll_seconds: 1}}\n`,
  );
  let server: ServerProcess;
  const start = async (): Promise<void> => {
    server = await startProcess({ dataDir, env: { CAIRN_CONFIG: config, WES_TOKEN: wes.token } });
  };
  await start();
  const api = async (method: string, to: string, body?: unknown): Promise<ReturnType<typeof JSON.parse>> => {
    const response = await fetch(`${server.url}/api/v1${to}`, {
      method,
      headers: { 'x-api-key': server.key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.json();
  };
  await api('POST', '/metadata/schemas', GREETING);
  await api('POST', '/artifact/rules', {
    name: 'slow',
    produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
    execute: { cwl_content: base64(gated(gate)) },
  });
  const { production_id: id } = await api('POST', '/artifact/produce', {
    entity_type: 'Greeting',
    criteria: { sample: 's' },
  });
  return {
    api,
    dataDir,
    id: id as string,
    start,
    open: () => writeFile(gate, ''),
    end: (signal: NodeJS.Signals) => server.end(signal),
    status: async (): Promise<string> => (await api('GET', `/artifact/productions/${id}`)).status,
    /** The production in the database. */
    async row(): Promise<{ run: string | null; attempts: number; status: string }> {
      const read = async (name: string): Promise<string> =>
        (await readFile(path.join(dataDir, 'postgres', name), 'utf8')).trim();
      const client = new pg.Client(
        `postgresql://cairn_app:${await read('cairn_app-password')}@${await read('address')}/cairn`,
      );
      await client.connect();
      try {
        const {
          rows: [row],
        } = await client.query<{ run: string | null; attempts: number; status: string }>(
          `SELECT run_elsewhere ->> 'run' AS run, attempts, status FROM artifact.production WHERE id = $1`,
          [id],
        );
        return row ?? { run: null, attempts: 0, status: 'none' };
      } finally {
        await client.end();
      }
    },
    async [Symbol.asyncDispose]() {
      await server.end('SIGTERM');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Each look is a connection of its own, and most of the time passes until a lease expires. */
const POLL = { timeout: 120_000, interval: 1000 };

test.skipIf(!canRun)(
  'a server that is killed, then stopped, during a remote run continues that run and makes one entity',
  async () => {
    await using wes = await startWes();
    await using platform = await startBeside(wes);
    await expect.poll(async () => (await platform.row()).run, POLL).not.toBeNull();
    const [run] = wes.runs.keys();
    await platform.end('SIGKILL');
    await platform.start();
    await expect
      .poll(async () => {
        const { attempts, status } = await platform.row();
        return attempts > 1 && status;
      }, POLL)
      .toBe('running'); // when the lease of the killed one has expired
    expect(await platform.end('SIGTERM')).toBe(0);
    await platform.start();
    await platform.open();
    await expect.poll(platform.status, POLL).toBe('completed');
    expect([...wes.runs.keys()]).toEqual([run]);
    const {
      data: { items },
    } = await platform.api('GET', '/metadata/entities?entity_type=Greeting&include_unavailable=true');
    expect(items).toMatchObject([{ is_available: true, data: { sample: 's' } }]);
    expect(await readFile(storedFile(platform, items[0].data.uri), 'utf8')).toBe('made\n');
    expect((await platform.row()).run).toBeNull();
    expect(wes.faults).toEqual([]);
  },
  400_000,
);

test.skipIf(!canRun)(
  'a run that the service has lost is begun anew; one that was cancelled while the server was away is ended there',
  async () => {
    await using wes = await startWes();
    await using platform = await startBeside(wes);
    await expect.poll(async () => (await platform.row()).run, POLL).not.toBeNull();
    expect(await platform.end('SIGTERM')).toBe(0);
    const [[lost, { child }] = ['', { child: undefined }]] = wes.runs;
    if (child?.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    wes.runs.delete(lost);
    await platform.start();
    await expect
      .poll(async () => {
        const { run } = await platform.row();
        return run !== null && run !== lost;
      }, POLL)
      .toBe(true);
    expect(wes.runs.size).toBe(1);
    await platform.end('SIGKILL');
    await platform.start();
    // no worker has it: the lease is still valid, or has just expired
    await platform.api('DELETE', `/artifact/productions/${platform.id}`);
    await expect.poll(() => [...wes.runs.values()].map(({ state }) => state), POLL).toEqual(['CANCELED']);
    await expect.poll(async () => (await platform.row()).run, POLL).toBeNull();
    expect(await platform.status()).toBe('cancelled');
    await expect.poll(() => wes.runs.values().next().value?.child?.signalCode, POLL).toBe('SIGKILL');
  },
  400_000,
);

test.skipIf(!canRun).each([
  ['tells tags in its list', false],
  ['tells them run by run', true],
])(
  "a server killed before it learned its run's id finds the run at a service that %s, and starts no second one",
  async (_, untagged) => {
    await using wes = await startWes({ mute: 1, untagged });
    await using platform = await startBeside(wes);
    await expect.poll(() => wes.runs.size, POLL).toBe(1);
    const [run] = wes.runs.keys();
    expect((await platform.row()).run).toBeNull();
    await platform.end('SIGKILL');
    await platform.start();
    await expect.poll(async () => (await platform.row()).run, POLL).toBe(run);
    await platform.open();
    await expect.poll(platform.status, POLL).toBe('completed');
    expect([...wes.runs.keys()]).toEqual([run]);
    expect(wes.faults).toEqual([]);
  },
  400_000,
);
