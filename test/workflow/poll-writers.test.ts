// docs/reference/workflow.md#poll-cycle: eight concurrent writers, with small and large writes, during a
// poll: nothing is missed or fires twice.
import { expect, test } from 'vitest';
import { eventually, workflowServer } from './workflow-server.ts';

const WRITERS = 8;
const ROUNDS = 6;

test('a poll under eight concurrent writers with long transactions fires exactly once for each entity that matches', async () => {
  await using server = await workflowServer(`workflow:
  triggers:
    - {name: seen, type: metadata_poll, poll: {entity_type: Sample, filter: 'label == "even"', interval_seconds: 1}, action: {type: ingest, adapter: none}}
  adapters:
    - {name: none, type: csv, entity_type: Sample, source: /nowhere.csv, map: {id: row.id}}
`);
  const wanted: string[] = [];
  const write = async (writer: number): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++) {
      // some transactions are long, and commit after shorter ones that began later
      const size = round % 3 === 0 ? 40 : 1 + ((writer + round) % 5);
      const entities = Array.from({ length: size }, (_, i) => ({
        entity_type: 'Sample',
        data: { id: `w${writer}-${round}-${i}`, label: i % 2 === 0 ? 'even' : 'odd', n: i },
      }));
      wanted.push(...entities.filter((_, i) => i % 2 === 0).map((one) => one.data.id));
      if (size > 5)
        expect(
          (
            await server.graphql(
              'mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created } }',
              { e: entities.map(({ data }) => ({ entityType: 'Sample', data })) },
            )
          ).body.data.ingestEntities.created,
        ).toBe(size);
      else
        for (const body of entities)
          expect((await server.rest('POST', '/api/v1/metadata/ingest', { body })).status).toBeLessThan(300);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  const fired = async (): Promise<string[]> =>
    (
      await server.database.pool.query<{ id: string }>(
        `SELECT cause->'entity'->>'id' AS id FROM workflow.run WHERE trigger_name = 'seen' ORDER BY 1`,
      )
    ).rows.map((row) => row.id);
  await eventually(fired, (ids) => ids.length >= wanted.length);
  await new Promise((done) => {
    setTimeout(done, 2500);
  }); // two more cycles find nothing new
  expect(await fired()).toEqual([...wanted].sort());
});
