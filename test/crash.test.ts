// No acknowledged write is lost, and none is partial, however the process ends
// (docs/reference/gateway.md#stop, docs/architecture.md#the-way-of-a-write).
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { scratchDirectory } from './testkit/scratch-space.ts';
import { type ServerProcess, startProcess } from './testkit/server-process.ts';

const ROUNDS = Number(process.env['CAIRN_CRASH_ROUNDS'] ?? 3);

async function call(
  server: ServerProcess,
  method: string,
  target: string,
  body?: unknown,
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of any shape
): Promise<{ status: number; body: any }> {
  const response = await fetch(server.url + target, {
    method,
    headers: { 'x-api-key': server.key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const postmasterOf = async (dataDir: string): Promise<number> =>
  Number(
    (await readFile(path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0],
  );

test('after kill -9 during ingest every acknowledged write is stored once, with its provenance', async () => {
  const dataDir = scratchDirectory('crash');
  const acknowledged = new Map<string, number>();
  let server = await startProcess({ dataDir });
  try {
    await call(server, 'POST', '/api/v1/metadata/schemas', {
      name: 'Sample',
      version: '1',
      fields: [{ name: 'n', field_type: 'int' }],
    });
    for (let round = 0; round < ROUNDS; round++) {
      let stop = false;
      const victim = server;
      const writers = Array.from({ length: 8 }, async (_, w) => {
        for (let i = 0; !stop; i++) {
          const id = `r${round}-w${w}-${i % 50}`; // each id is written several times: created, then updated
          const n = i;
          try {
            const { status } = await call(victim, 'POST', '/api/v1/metadata/ingest', {
              entity_type: 'Sample',
              data: { id, n },
            });
            if (status === 200) acknowledged.set(id, n);
          } catch (error) {
            if (!stop) throw error; // after the kill, unanswered requests are expected
          }
        }
      });
      await sleep(700 + Math.random() * 800);
      stop = true;
      // what PostgreSQL itself had not written is lost, too
      if (round % 2 === 0) process.kill(await postmasterOf(dataDir), 'SIGKILL');
      await server.end('SIGKILL');
      await Promise.all(writers);
      server = await startProcess({ dataDir });
      for (const [id, n] of acknowledged) {
        const { status, body } = await call(server, 'GET', `/api/v1/metadata/entities/${id}`);
        expect([id, status]).toEqual([id, 200]);
        // the last write of an id may have been committed without being answered
        expect(body.data.data.n).toBeGreaterThanOrEqual(n);
      }
      const sampled = [...acknowledged.keys()].slice(-10);
      for (const id of sampled) {
        const [entity, history] = await Promise.all([
          call(server, 'GET', `/api/v1/metadata/entities/${id}`),
          call(server, 'GET', `/api/v1/metadata/entities/${id}/history?limit=1000`),
        ]);
        const events = history.body.data as { event_type: string; payload: { new_state?: object } }[];
        expect(events.map((e) => e.event_type)).toEqual([
          'EntityCreated',
          ...Array.from({ length: entity.body.data.version - 1 }, () => 'EntityUpdated'),
        ]);
        if (events.length > 1) expect(events.at(-1)?.payload.new_state).toEqual(entity.body.data.data);
      }
    }
    const { body } = await call(server, 'GET', '/api/v1/metadata/entities?entity_type=Sample&limit=1');
    expect(body.data.total).toBeGreaterThanOrEqual(acknowledged.size);
    expect(await server.end('SIGTERM')).toBe(0);
  } finally {
    await server.end('SIGKILL');
    await sleep(500); // the embedded database stops with its last user
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
}, 14_400_000);

test('a second start on the same data directory is refused with the reason; SIGTERM answers what is in flight and exits 0', async () => {
  const dataDir = scratchDirectory('second');
  const server = await startProcess({ dataDir });
  try {
    await expect(startProcess({ dataDir })).rejects.toThrow(/already|runs|in use|pid/i);
    const inFlight = call(server, 'GET', '/api/v1/metadata/entities');
    await sleep(5);
    expect(await server.end('SIGTERM')).toBe(0);
    expect((await inFlight).status).toBe(200);
  } finally {
    await server.end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
});
