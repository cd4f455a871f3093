// One query over three components: an entity, the runs that wrote it, what produced it, and its files.
import { expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';

async function seed({ database, rest }: TestServer): Promise<void> {
  const schema = {
    name: 'Sample',
    version: '1',
    fields: [
      { name: 'label', field_type: 'string' },
      { name: 'project', field_type: 'string' },
    ],
  };
  expect((await rest('POST', '/api/v1/metadata/schemas', { body: schema })).status).toBe(200);
  for (const data of [
    { id: 's1', label: 'one' },
    { id: 's2', label: 'two', project: 'p2' },
  ]) {
    expect(
      (await rest('POST', '/api/v1/metadata/ingest', { body: { entity_type: 'Sample', data } })).status,
    ).toBe(200);
  }
  await database.pool.query(`
    INSERT INTO workflow.run (id, trigger_name, trigger_type, action, cause, status, actor, queued_at, acts_projects) VALUES ('r1', NULL, NULL, '{"type":"ingest"}', '{"actor":"user:x"}', 'success', 'user:x', '2026-01-31T09:30:00.123456Z', '{p1}');
    INSERT INTO workflow.run_entity VALUES ('r1', 's1'), ('r1', 's2');
    INSERT INTO artifact.rule (name, version, definition, status, cwl_hash, registered_by) VALUES ('stats', 1, '{"name":"stats","produces":{"entity_type":"Sample"},"execute":{"cwl_url":"https://example.org/s.cwl"}}', 'active', 'sha256:00', 'user:x');
    INSERT INTO artifact.production (id, entity_type, criteria, rule, status, request_key, plan, entity_ids, requested_by) VALUES ('p1', 'Sample', '{}', 'stats@1', 'completed', 'k', '{}', '{s1}', 'user:x');
    INSERT INTO artifact.stored_object (hash, size) VALUES ('sha256:aa', 3);
    INSERT INTO artifact.artifact_entity VALUES ('s1', 'sha256:aa', 'uri', 'p1')`);
}

test("GraphQL answers it in one document, and another project's entities are null in every list", async () => {
  await using server = await startServer();
  await seed(server);
  const query = `{ entity(id: "s1") { id data runs { runId queuedAt entities { id data } } producedBy { id productionRule { rule } entities { id } } artifacts { hash size } } }`;
  const { body } = await server.graphql(query);
  expect(body.data).toEqual({
    entity: {
      id: 's1',
      data: { label: 'one' },
      runs: [
        {
          runId: 'r1',
          queuedAt: '2026-01-31T09:30:00.123456Z',
          entities: [
            { id: 's1', data: { label: 'one' } },
            { id: 's2', data: { label: 'two', project: 'p2' } },
          ],
        },
      ],
      producedBy: { id: 'p1', productionRule: { rule: 'stats@1' }, entities: [{ id: 's1' }] },
      artifacts: [{ hash: 'sha256:aa', size: 3 }],
    },
  });
  const scoped = await server.graphql(
    query,
    {},
    { key: await server.newKey({ role: 'viewer', project: 'p1' }) },
  );
  expect(scoped.body.data.entity.runs[0].entities).toEqual([{ id: 's1', data: { label: 'one' } }, null]);
});

test("REST answers runs, rules and productions under both of the artifact component's paths", async () => {
  await using server = await startServer();
  await seed(server);
  expect(await server.rest('GET', '/api/v1/workflow/triggers')).toMatchObject({ status: 200, body: {} });
  expect(await server.rest('GET', '/api/v1/workflow/runs/r1')).toMatchObject({
    status: 200,
    body: { run_id: 'r1', status: 'success', unresolved: [] },
  });
  expect(await server.rest('GET', '/api/v1/workflow/runs?limit=0')).toMatchObject({
    status: 400,
    body: { error: 'invalid_request' },
  });
  for (const prefix of ['/api/v1/artifact', '/api/v1/artifact/api/v1']) {
    expect(await server.rest('GET', `${prefix}/rules/stats`)).toMatchObject({
      status: 200,
      body: { rule: 'stats@1', produces: { entity_type: 'Sample' } },
    });
    expect(await server.rest('GET', `${prefix}/rules`)).toMatchObject({
      status: 200,
      body: { total: 1, next_cursor: null },
    });
    expect(await server.rest('GET', `${prefix}/productions/p1`)).toMatchObject({
      status: 200,
      body: { production_id: 'p1', entity_ids: ['s1'] },
    });
    expect(await server.rest('GET', `${prefix}/productions/p9`)).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    });
  }
});
