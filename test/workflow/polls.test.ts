// docs/reference/workflow.md#metadata-polls: changed entities fire, over the whole platform.
import { expect, test } from 'vitest';
import type { BoundEntity } from '../../platform/cel/bindings.ts';
import { bindEntity } from '../../subgraphs/workflow/polls/bind-entity.ts';
import { allRuns, eventually, workflowServer } from './workflow-server.ts';
import { PLAIN_ENTITY } from '../testkit/plain-entity.ts';

const CONFIG = `workflow:
  triggers:
    - {name: passed, type: metadata_poll, poll: {entity_type: Sample, filter: 'n > 10 && entity.label == "ok"', interval_seconds: 1, lookback_seconds: 3600}, action: {type: resolve, entity_type: Report, criteria: {sample: '{entity.id}', n: '{entity.n}'}}}
`;

test("every change that matches fires once, with the entity's values; the cursor is kept in the metadata", async () => {
  await using server = await workflowServer(CONFIG);
  const put = (id: string, n: number, label = 'ok') =>
    server.rest('POST', '/api/v1/metadata/ingest', {
      body: { entity_type: 'Sample', data: { id, n, label } },
    });
  await put('s1', 11);
  await put('s2', 5);
  await put('s3', 12, 'no');
  const runs = await eventually(
    () => allRuns(server, 'passed'),
    (all) => all.length === 1,
  );
  const { body } = await server.rest('GET', `/api/v1/workflow/runs/${runs[0].run_id}`);
  expect(body).toMatchObject({
    action: { type: 'resolve', entity_type: 'Report', criteria: { sample: 's1', n: 11 } },
    cause: { entity: { id: 's1', version: 1 } },
  });

  await put('s2', 15); // matches now
  await put('s1', 1); // no longer matches
  await eventually(
    () => allRuns(server, 'passed'),
    (all) => all.length === 2,
  );
  await Promise.all(Array.from({ length: 60 }, (_, i) => put(`m${i}`, 20))); // concurrent transactions
  await eventually(
    () => allRuns(server, 'passed'),
    (all) => all.length === 62,
  );
  await new Promise((resolve) => {
    setTimeout(resolve, 2500);
  });
  const all = await allRuns(server, 'passed');
  expect(all).toHaveLength(62);

  const both = async () => {
    const [cursor, trigger] = await Promise.all(
      ['metadata/entities/poll-cursor:passed', 'workflow/triggers/passed'].map((target) =>
        server.rest('GET', `/api/v1/${target}`),
      ),
    );
    return { cursor: cursor?.body.data, trigger: trigger?.body };
  };
  const kept = await eventually(
    both,
    ({ cursor, trigger }) =>
      String(cursor?.data.last_entity_id).startsWith('m') && trigger.cursor === cursor.data.last_updated_at,
  ); // it is stored when the cycle ends
  expect(kept).toMatchObject({
    cursor: { entity_type: 'PollCursor', data: { trigger_name: 'passed' } },
    trigger: { status: 'polling' },
  });
});

test('a binding that is the whole text keeps its type, one within a text becomes text, a missing field is null', () => {
  const entity: BoundEntity = {
    ...PLAIN_ENTITY,
    id: 'e',
    entity_type: 'S',
    version: 3,
    is_available: true,
    project: null,
    created_at: 'c',
    updated_at: 'u',
    data: { n: 4, list: [1], id: 'own' },
  };
  expect(
    bindEntity(
      {
        a: '{entity.n}',
        b: 'x-{entity.n}-{entity.id}',
        c: ['{entity.list}', { d: '{entity.none}' }],
        e: '{other}',
        f: 7,
        g: '{entity.data.id}',
      },
      entity,
    ),
  ).toEqual({ a: 4, b: 'x-4-e', c: [[1], { d: null }], e: '{other}', f: 7, g: 'own' });
});
