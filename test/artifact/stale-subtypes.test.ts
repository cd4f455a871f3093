// docs/reference/artifact.md#staleness: what was asked for by a supertype of what its rule makes.
import { expect, test } from 'vitest';
import { startServer } from '../testkit/server.ts';
import { plant } from './planted-results.ts';
import { addRule, addSchema } from './production-testkit.ts';
import { field } from './schema-field.ts';
import { type Told, GREET, GREETS } from './staleness-testkit.ts';

test('whether an active rule does the same does not depend on the type that was asked for', async () => {
  await using server = await startServer();
  const text = (name: string) => field(name, 'string');
  const greeting = { version: '1', fields: [field('uri', 'uri'), text('sample')] };
  await addSchema(server, {
    name: 'Sample',
    version: '1',
    fields: [field('name', 'string', { required: true }), text('reads')],
  });
  await addSchema(server, { name: 'Message', ...greeting });
  await addSchema(server, { name: 'Greeting', parent: 'Message', version: '1', fields: [] });
  await addRule(server, 'greet', GREET, GREETS);
  for (const [sample, entityType] of [
    ['super', 'Message'],
    ['sub', 'Greeting'],
  ] as const) {
    const ingested = await server.rest('POST', '/api/v1/metadata/ingest', {
      body: { entity_type: 'Sample', id: sample, data: { name: sample, reads: 'a' } },
    });
    expect(ingested.status).toBe(200);
    const data = { sample, uri: `https://files.example/${sample}` };
    const criteria = { sample };
    await plant(server, { entityType, madeType: 'Greeting', id: `of-${sample}`, data, criteria });
  }
  const kinds = async (...ids: string[]): Promise<unknown[]> => {
    const query = `query ($a: ID!, $b: ID!) { a: staleness(entityId: $a) { reasons { kind } } b: staleness(entityId: $b) { reasons { kind } } }`;
    const { body } = await server.graphql(query, { a: ids[0], b: ids[1] });
    return [body.data.a.reasons, body.data.b.reasons];
  };
  const alone = async (id: string): Promise<boolean> =>
    ((await server.rest('GET', `/api/v1/artifact/staleness/${id}`)).body as Told).is_stale;
  const marked = async (): Promise<string[]> => {
    for (;;) {
      const { body } = await server.rest('GET', '/api/v1/artifact/staleness');
      const { rows } = await server.database.pool.query<{ id: string }>(
        'SELECT entity_id AS id FROM artifact.stale_result ORDER BY 1',
      );
      if (body.is_complete === true) return rows.map(({ id }) => id);
    }
  };
  const withdrawn = [{ kind: 'RULE_WITHDRAWN' }];
  const { status } = await server.rest('PATCH', '/api/v1/artifact/rules/greet', {
    body: { status: 'deprecated', deprecation_note: 'over' },
  });
  expect(status).toBe(200);
  expect(await kinds('of-super', 'of-sub')).toEqual([withdrawn, withdrawn]);
  expect(await marked()).toEqual(['of-sub', 'of-super']);
  await addRule(server, 'welcome', GREET, GREETS);
  expect([await alone('of-super'), await alone('of-sub')]).toEqual([false, false]);
  expect(await kinds('of-super', 'of-sub')).toEqual([[], []]);
  expect(await kinds('of-sub', 'of-super')).toEqual([[], []]);
  expect(await marked()).toEqual([]);
});
