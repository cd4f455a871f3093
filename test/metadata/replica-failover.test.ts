// Reads by hot standbys while the primary fails over: to a standby that has everything, whose own standby follows it,
// and to one that lacks the last commits (docs/operations.md#reads-by-replicas).
import { expect, test } from 'vitest';
import { movingAddress } from '../testkit/moving-address.ts';
import { processReading, type ReadingProcess, replicaState, runOn } from '../testkit/replicas.ts';
import { type MortalPostgres, mortalPostgres } from '../workflow/mortal-postgres.ts';

const LIST = '{ entities(entityType: "Sample", limit: 500, orderBy: "id") { items { id data } total } }';
const INGEST = 'mutation($id: ID!) { ingestEntity(entityType: "Sample", id: $id, data: { a: "x" }) { id } }';

const idsOf = (answer: unknown): string[] =>
  (answer as { items: { id: string }[] }).items.map(({ id }) => id);

/** Reads until the replica has the state; each answer has what was acknowledged, and nothing else. */
const untilIs = (
  state: string,
  replica: MortalPostgres,
  by: ReadingProcess,
  ids: readonly string[],
): Promise<void> =>
  expect
    .poll(
      async () => {
        const answer = await by.ask(LIST).catch(() => undefined); // the primary is away
        if (answer !== undefined) expect(idsOf(answer)).toEqual(ids);
        return replicaState(replica.url);
      },
      { timeout: 120_000 },
    )
    .toBe(state);

test('reads of replicas stay right through two failovers, the second one with lost commits', async () => {
  await using first = await mortalPostgres();
  using primary = await movingAddress(first.url);
  {
    await using writer = await processReading(first.url);
    await writer.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
      d: { name: 'Sample', version: '1.0.0', fields: [{ name: 'a', field_type: 'string' }] },
    });
    await writer.ask(INGEST, { id: 'e1' });
  }
  await runOn(first.url, 'GRANT pg_read_all_stats TO cairn_app'); // or CHECKPOINT at the reader, when it has replayed
  await using second = await mortalPostgres(first);
  await using reader = await mortalPostgres(first);
  await using reading = await processReading(primary.url, [second.url, reader.url]);
  await untilIs('used', second, reading, ['e1']);
  await untilIs('used', reader, reading, ['e1']);

  // the second server has everything, and the reader follows it to its timeline
  await first.kill('SIGKILL');
  await runOn(second.url, 'SELECT pg_promote()');
  primary.move(second.url);
  await untilIs('promoted', second, reading, ['e1']);
  await expect.poll(() => reading.ask(INGEST, { id: 'e2' }).catch(() => null)).toEqual({ id: 'e2' });
  await untilIs('foreign', reader, reading, ['e1', 'e2']);
  await runOn(
    reader.url,
    `ALTER SYSTEM SET primary_conninfo = '${second.url.replace(/\/postgres$/, '')}'`,
    'SELECT pg_reload_conf()',
  );
  await untilIs('used', reader, reading, ['e1', 'e2']);

  // the third server lacks a commit that the reader has
  await using third = await mortalPostgres(second);
  await third.kill('SIGKILL');
  expect(await reading.ask(INGEST, { id: 'lost' })).toEqual({ id: 'lost' });
  await untilIs('used', reader, reading, ['e1', 'e2', 'lost']);
  await second.kill('SIGKILL');
  await third.revive();
  await runOn(third.url, 'SELECT pg_promote()');
  primary.move(third.url);
  const lost = { timeout: 120_000 };
  await expect.poll(() => reading.ask(INGEST, { id: 'e3' }).catch(() => null), lost).toEqual({ id: 'e3' });
  await untilIs('foreign', reader, reading, ['e1', 'e2', 'e3']);
  for (let n = 0; n < 20; n++) expect(idsOf(await reading.ask(LIST))).toEqual(['e1', 'e2', 'e3']);
});
