// docs/reference/artifact.md#lists-of-stale-results: processes that begin to follow a type at the same time, while its entities
// change and results are made, miss nothing.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { inTransaction } from '../../platform/database/transaction.ts';
import { EntityFollower } from '../../subgraphs/artifact/staleness/follow-entities.ts';
import { findBasis, findPositions } from '../../subgraphs/artifact/staleness/stale-results.store.ts';
import { startServer } from '../testkit/server.ts';
import { startProcess } from '../testkit/server-process.ts';
import { plant } from './planted-results.ts';
import { addGreetings } from './staleness-testkit.ts';

const ROUNDS = 12;

test('a clock that stamps changes and is behind loses none that follow the beginning', async () => {
  await using server = await startServer({ transport: 'in-process' });
  await addGreetings(server);
  const { pool } = server.database;
  const behind = (seconds: number): string => new Date(Date.now() - 3_600_000 + seconds * 1000).toISOString();
  const samples = [{ id: 's', updatedAt: behind(0) }];
  const follower = new EntityFollower({
    db: pool,
    transact: (work) => inTransaction(pool, work),
    ask: () => (asked) => {
      const wanted = asked as { readonly entityType: string; readonly filter?: string };
      const after = /"(.*)"/.exec(wanted.filter ?? '')?.[1] ?? '';
      const items = samples
        .filter(({ updatedAt }) => updatedAt > after)
        .toReversed()
        .slice(0, 1);
      return Promise.resolve({ data: { entities: { items: wanted.entityType === 'Sample' ? items : [] } } });
    },
  });
  const { signal } = new AbortController();
  await follower.follow(await findBasis(pool), signal);
  const later = behind(30);
  samples.push({ id: 's', updatedAt: later });
  await follower.follow(await findBasis(pool), signal);
  expect((await findPositions(pool))['Sample']).toBe(later);
});

test('several processes begin at once, and each change is found', async () => {
  await using server = await startServer({ transport: 'in-process' });
  await addGreetings(server);
  const dataDir = path.join(server.dataDir, 'other');
  await mkdir(dataDir);
  await writeFile(path.join(dataDir, 'admin-key'), server.key);
  const other = await startProcess({ dataDir, env: { DATABASE_URL: server.database.url } });
  try {
    const write = async (sample: string, reads: string): Promise<void> => {
      const body = { entity_type: 'Sample', id: sample, data: { name: sample, reads } };
      const { status, text } = await server.rest('POST', '/api/v1/metadata/ingest', { body });
      if (status !== 200) throw new Error(text);
    };
    const greet = (sample: string) =>
      plant(server, {
        entityType: 'Greeting',
        id: `g-${sample}`,
        data: { sample, uri: `https://files.example/${sample}` },
        criteria: { sample },
      });
    const list = async (url: string): Promise<readonly string[]> => {
      const headers = { 'x-api-key': server.key };
      for (;;) {
        const answer = await fetch(`${url}/api/v1/artifact/staleness?limit=1000`, { headers });
        const page = (await answer.json()) as {
          readonly items: readonly { readonly entity_id: string }[];
          readonly is_complete: boolean;
        };
        if (page.is_complete) return page.items.map(({ entity_id: id }) => id);
      }
    };
    const expected: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [before, meanwhile] = [`before-${round}`, `meanwhile-${round}`];
      for (const sample of [before, meanwhile]) await write(sample, 'a');
      await greet(before);
      await list(server.url); // what was made is compared, before the type is followed
      await server.database.pool.query(`UPDATE artifact.staleness_basis SET positions = '{}'`);
      const urls = [server.url, other.url, server.url, other.url];
      await Promise.all([
        ...urls.map(list),
        write(before, 'b'),
        (async () => {
          await greet(meanwhile);
          await write(meanwhile, 'b');
        })(),
      ]);
      expected.push(`g-${before}`, `g-${meanwhile}`);
      const found = await Promise.all([list(server.url), list(other.url)]);
      for (const ids of found) expect(ids.toSorted()).toEqual(expected.toSorted());
    }
  } finally {
    await other.end('SIGTERM');
  }
});
