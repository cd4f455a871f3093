// docs/reference/workflow.md#stale-results: three processes look, and one is killed again and again: each result that became
// stale is marked once and fires once.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { plant } from '../artifact/planted-results.ts';
import { addGreetings } from '../artifact/staleness-testkit.ts';
import { startServer } from '../testkit/server.ts';
import { startProcess } from '../testkit/server-process.ts';
import { allRuns, eventually } from './workflow-server.ts';

const CONFIG = `workflow:
  triggers:
    - {name: all, type: event, event: became_stale, interval_seconds: 1, action: {type: resolve, entity_type: Nothing, criteria: {sample: '{entity.sample}'}}}
`;
const SAMPLES = Array.from({ length: 24 }, (_, i) => `s${i}`);

test('three processes, one of them killed, mark and fire each thing once', async () => {
  await using server = await startServer({ config: CONFIG, transport: 'in-process' });
  await addGreetings(server);
  const write = async (sample: string, reads: string): Promise<void> => {
    const body = { entity_type: 'Sample', id: sample, data: { name: sample, reads } };
    const ingest = () => server.rest('POST', '/api/v1/metadata/ingest', { body });
    const first = await ingest();
    // the machine may stand still under the log's lock: nothing was written then
    const { status, text } = first.text.includes('nothing was written') ? await ingest() : first;
    if (status !== 200) throw new Error(text);
  };
  for (const sample of SAMPLES) {
    await write(sample, 'a');
    for (const [entityType, letter] of [
      ['Greeting', 'g'],
      ['Echo', 'e'],
    ] as const) {
      const data = { sample, uri: `https://files.example/${letter}/${sample}` };
      await plant(server, { entityType, id: `${letter}-${sample}`, data, criteria: { sample } });
    }
  }
  const file = path.join(server.dataDir, 'other.yaml');
  await writeFile(file, CONFIG);
  let started = 0;
  const start = async () => {
    const dataDir = path.join(server.dataDir, `other-${started++}`);
    await mkdir(dataDir);
    await writeFile(path.join(dataDir, 'admin-key'), server.key);
    return startProcess({ dataDir, env: { CAIRN_CONFIG: file, DATABASE_URL: server.database.url } });
  };
  const others = await Promise.all([start(), start()]);
  try {
    const looking = Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        await sleep(i * 150);
        return server.rest('GET', '/api/v1/artifact/staleness?limit=1000');
      }),
    );
    for (const [i, sample] of SAMPLES.entries()) {
      await write(sample, 'b');
      if (i === 8) await others.shift()?.end('SIGKILL');
      if (i === 12) others.push(await start());
      if (i === 18) await others.shift()?.end('SIGKILL');
    }
    await looking;
    const all = SAMPLES.flatMap((sample) => [`e-${sample}`, `g-${sample}`]).toSorted();
    const fired = () =>
      allRuns(server, 'all').then((runs) =>
        Promise.all(
          runs.map(async ({ run_id: id }) => (await server.rest('GET', `/api/v1/workflow/runs/${id}`)).body),
        ),
      );
    const runs = await eventually(fired, (found) => found.length >= all.length, 60_000);
    await sleep(2500);
    expect((await fired()).length).toBe(runs.length);
    expect(runs.map(({ cause }) => cause.entity.id).toSorted()).toEqual(all);
    const { rows } = await server.database.pool.query<{ id: string; since: Date }>(
      'SELECT entity_id AS id, since FROM artifact.stale_result ORDER BY since',
    );
    expect(rows.map(({ id }) => id).toSorted()).toEqual(all);
    const { rows: keys } = await server.database.pool.query<{ key: string }>(
      `SELECT firing_key AS key FROM workflow.firing WHERE trigger_name = 'all'`,
    );
    expect(new Set(keys.map(({ key }) => key)).size).toBe(all.length);
  } finally {
    await Promise.all(others.map((other) => other.end('SIGTERM')));
  }
});
