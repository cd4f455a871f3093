// SIGHUP while runs are queued and worked: each is worked with the configuration it was queued under
// (docs/decisions/0024).
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { scratchDatabase } from '../testkit/database.ts';
import { startProcess } from '../testkit/server-process.ts';
import { eventually } from './workflow-server.ts';

interface Worked {
  readonly id: string;
  readonly status: string;
  readonly configuration: string;
  readonly entity: string | null;
}

const namesOf = (all: readonly Worked[]): unknown[] => [...new Set(all.map((run) => run.configuration))];

test("while workers are replaced, no run is lost, and none is worked by another configuration's adapter", async () => {
  await using database = await scratchDatabase();
  const dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-reload-'));
  const configure = (name: string) =>
    writeFile(
      path.join(dir, 'gateway.yaml'),
      `server: {workers: 2}
workflow:
  triggers: [{name: pull, type: manual, action: {type: ingest, adapter: a}}]
  adapters: [{name: a, type: jsonl, entity_type: Sample, source: ${name}.jsonl, map: {id: row.id}}]
`,
    );
  for (const name of ['before', 'after'])
    await writeFile(path.join(dir, `${name}.jsonl`), `{"id":"${name}"}\n`);
  await configure('before');
  const server = await startProcess({
    dataDir: path.join(dir, 'data'),
    env: { CAIRN_CONFIG: path.join(dir, 'gateway.yaml'), DATABASE_URL: database.url },
  });
  const client = new pg.Client(database.superuserUrl);
  await client.connect();
  const post = async (target: string, body: unknown = {}): Promise<{ readonly run_id?: string } | null> => {
    const response = await fetch(server.url + target, {
      method: 'POST',
      headers: { 'x-api-key': server.key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.ok ? ((await response.json()) as { run_id?: string }) : null;
  };
  const runs = async (): Promise<Worked[]> =>
    (
      await client.query<Worked>(
        'SELECT r.id, r.status, r.configuration, e.entity_id AS entity FROM workflow.run r LEFT JOIN workflow.run_entity e ON e.run_id = r.id',
      )
    ).rows;
  try {
    await post('/api/v1/metadata/schemas', {
      name: 'Sample',
      version: '1',
      fields: [{ name: 'n', field_type: 'int' }],
    });
    const queued: string[] = [];
    let stop = false;
    const asking = (async () => {
      while (!stop) {
        // one that is not acknowledged may be lost
        const run = await post('/api/v1/workflow/triggers/pull/run').catch(() => null);
        if (run?.run_id !== undefined) queued.push(run.run_id);
        await sleep(20);
      }
    })();
    await eventually(runs, (all) => all.length > 5, 60_000);
    await configure('after');
    process.kill(server.pid, 'SIGHUP');
    await eventually(
      runs,
      (all) => namesOf(all).length === 2 && server.log().includes('all workers use the new configuration'),
      100_000,
    );
    stop = true;
    await asking;
    const all = await eventually(
      runs,
      (list) => list.every((run) => !['queued', 'running'].includes(run.status)),
      60_000,
    );
    expect(all.map((run) => run.id)).toEqual(expect.arrayContaining(queued));
    const [before, after] = ['before', 'after'].map((name) => all.filter((run) => run.entity === name));
    expect([before?.length === 0, after?.length === 0]).toEqual([false, false]);
    expect([namesOf(before ?? []).length, namesOf(after ?? []).length]).toEqual([1, 1]);
  } finally {
    await server.end('SIGTERM');
    await client.end();
    await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
});
