// docs/reference/workflow.md#resolve-action: resolves with the platform's own artifact component, which
// reuses stored entities and builds missing ones.
import { expect, test } from 'vitest';
import { addRule, addSchema, canRun, GREETING, produce, shell } from '../artifact/production-testkit.ts';
import type { Answer, TestServer } from '../testkit/server.ts';
import { allRuns, eventually, settledRun, workflowServer } from './workflow-server.ts';

/** Greets everybody but `rude`. */
const GREET = shell(
  'test $(inputs.sample) != rude && echo $(inputs.mood) $(inputs.sample) > out.txt',
  'sample: string\nmood: {type: string, default: plain}',
  [
    'uri: {type: File, outputBinding: {glob: out.txt}}',
    "sample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
    "mood: {type: string, outputBinding: {outputEval: '$(inputs.mood)'}}",
  ].join('\n'),
);

const CONFIG = `workflow:
  resolution: {artifact_timeout_seconds: 600}
  triggers:
    - {name: greet-new, type: metadata_poll, poll: {entity_type: Sample, filter: 'label != ""', interval_seconds: 1}, action: {type: resolve, entity_type: Greeting, criteria: {sample: "{entity.label}"}, parameters: {mood: plain}}}
    - {name: greet-again, type: manual, action: {type: resolve, entity_type: Greeting, criteria: {sample: "{entity.sample}"}}, on_success: greeted}
    - {name: unknown, type: internal_event, event: greeted, action: {type: resolve, entity_type: Sample, criteria: {label: nobody}}}
`;

const all = async (server: TestServer): Promise<Answer['body'][]> =>
  (await server.rest('GET', '/api/v1/metadata/entities?entity_type=Greeting&include_unavailable=true')).body
    .data.items;
/** The trigger's complete runs, when there are this many and all have ended. */
async function firedBy(server: TestServer, trigger: string, n: number): Promise<Answer['body'][]> {
  const runs = await eventually(
    () => allRuns(server, trigger),
    (list) => list.length === n && list.every((run) => !['queued', 'running'].includes(run.status)),
    200_000,
  );
  return Promise.all(runs.map((run) => settledRun(server, run.run_id)));
}

test.skipIf(!canRun)(
  'a resolve builds what is missing, uses again what is stored, and lists what it could not get with the reason',
  async () => {
    await using server = await workflowServer(CONFIG);
    await addSchema(server, GREETING);
    await addRule(server, 'greet', GREET, {
      produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
    });
    await produce(server, {
      entity_type: 'Greeting',
      criteria: { sample: 'ann' },
      parameters: { mood: 'plain' },
    });

    // one sample per change: one is stored already, one is built, one fails
    for (const label of ['ann', 'bob', 'rude'])
      await server.rest('POST', '/api/v1/metadata/ingest', {
        body: { entity_type: 'Sample', data: { id: `of-${label}`, label } },
      });
    const runs = Object.fromEntries(
      (await firedBy(server, 'greet-new', 3)).map((run) => [run.cause.entity.id, run]),
    );
    expect(runs['of-ann']).toMatchObject({
      status: 'success',
      records_fetched: 1,
      records_created: 0,
      records_skipped: 1,
      unresolved: [],
    });
    expect(runs['of-bob']).toMatchObject({
      status: 'success',
      records_fetched: 1,
      records_created: 1,
      unresolved: [],
      action: { criteria: { sample: 'bob' } },
    });
    expect(runs['of-rude']).toMatchObject({
      status: 'partial_success',
      records_failed: 1,
      unresolved: [{ entity_id: 'of-rude', reason: 'production_failed' }],
    });
    const greetings = await all(server);
    expect(greetings.map((one) => [one.data.sample, one.data.mood]).sort()).toEqual([
      ['ann', 'plain'],
      ['bob', 'plain'],
    ]);
    const [ann, bob] = ['ann', 'bob'].map((sample) => greetings.find((one) => one.data.sample === sample));
    const graph = await server.graphql(
      'query($id: ID!) { run(runId: $id) { entities { id producedBy { rule } } } }',
      { id: runs['of-bob'].run_id },
    );
    expect(graph.body.data.run.entities).toEqual([{ id: bob.id, producedBy: { rule: 'greet@1' } }]);

    // many samples of one run: all stored ones, of which one is intact, one is rebuilt, and one is lost
    await server.rest('POST', '/api/v1/metadata/ingest', {
      body: { entity_type: 'Greeting', data: { id: 'lost', uri: 'file:///nowhere', sample: 'rude' } },
    });
    for (const id of [bob.id, 'lost'])
      expect((await server.rest('DELETE', `/api/v1/metadata/entities/${id}`)).status).toBe(200);
    await server.rest('POST', '/api/v1/workflow/triggers/greet-again/run');
    const [again] = await firedBy(server, 'greet-again', 1);
    expect(again).toMatchObject({
      status: 'partial_success',
      records_fetched: 3,
      records_created: 1,
      records_skipped: 1,
      records_failed: 1,
      unresolved: [{ entity_id: 'lost', reason: 'production_failed' }],
    });
    const there = (await all(server))
      .filter((one) => one.is_available)
      .map((one) => [one.data.sample, one.id === ann.id]);
    expect(there.sort()).toEqual([
      ['ann', true],
      ['bob', false],
    ]);

    // it counted as a success for subscribers, and samples without a rule have their reasons, too
    const [after] = await firedBy(server, 'unknown', 1);
    expect(after).toMatchObject({
      status: 'partial_success',
      cause: { event: 'greeted', run_id: again.run_id },
      unresolved: [{ entity_id: 'Sample label=nobody', reason: expect.stringMatching(/^not_found: /) }],
    });
  },
);
