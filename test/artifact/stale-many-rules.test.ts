// docs/reference/artifact.md#staleness: an equal rule of another name is found among however many make the type.
import { expect, test } from 'vitest';
import { startServer } from '../testkit/server.ts';
import { plant } from './planted-results.ts';
import { addRule } from './production-testkit.ts';
import { addGreetings, GREET, GREETS } from './staleness-testkit.ts';

/** Active rules `r<n>`, each of which fixes more than the others do, so that plans look at them first. */
const ADD_RULES = `INSERT INTO artifact.rule (name, version, definition, status, scope, cwl_hash, registered_by)
  SELECT 'r' || i, 1, jsonb_build_object('name', 'r' || i, 'produces', jsonb_build_object('entity_type', 'Greeting', 'match', jsonb_build_object('sample', '{sample}', 'uri', 'u' || i)), 'execute', '{}'::jsonb),
    'active', 'global', 'sha256:00', 'user:x' FROM generate_series(1, 250) i`;

test('among 250 rules that fit better, the one that does the same is found, now and then', async () => {
  await using server = await startServer();
  const { rest, database } = server;
  await addGreetings(server);
  for (const body of [{ entity_type: 'Sample', id: 's1', data: { name: 's1', reads: 'a' } }])
    expect((await rest('POST', '/api/v1/metadata/ingest', { body })).status).toBe(200);
  await plant(server, {
    entityType: 'Greeting',
    id: 'g1',
    data: { sample: 's1', uri: 'https://files.example/g1' },
    criteria: { sample: 's1' },
  });
  const asked = async (query = ''): Promise<unknown[]> => {
    const own = (await rest('GET', `/api/v1/artifact/staleness/g1?${query}`)).body;
    const list = (await rest('GET', `/api/v1/artifact/staleness?${query}`)).body;
    return [own.reasons.map(({ kind }: { kind: string }) => kind), list.items.length];
  };
  await database.pool.query(ADD_RULES);
  const withdraw = async (name: string): Promise<void> => {
    const body = { status: 'deprecated', deprecation_note: 'over' };
    expect((await rest('PATCH', `/api/v1/artifact/rules/${name}`, { body })).status).toBe(200);
  };
  await withdraw('greet');
  expect(await asked()).toEqual([['RULE_WITHDRAWN'], 1]);
  await addRule(server, 'welcome', `# of another name\n${GREET}`, GREETS);
  expect(await asked()).toEqual([[], 0]);
  const { rows } = await database.pool.query<{ now: string }>(
    `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS now`,
  );
  await withdraw('welcome');
  expect(await asked()).toEqual([['RULE_WITHDRAWN'], 1]);
  expect(await asked(`as_of=${rows[0]?.now}`)).toEqual([[], 0]);
});
