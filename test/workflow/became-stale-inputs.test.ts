// docs/reference/workflow.md#stale-results: a result is made anew by a version of its rule that has other inputs.
import { expect, test } from 'vitest';
import { plant } from '../artifact/planted-results.ts';
import { addRule, addSchema, shell } from '../artifact/production-testkit.ts';
import { field } from '../artifact/schema-field.ts';
import { addGreetings } from '../artifact/staleness-testkit.ts';
import { startServer } from '../testkit/server.ts';
import { allRuns, eventually } from './workflow-server.ts';

const CONFIG = `artifact: {runner: {type: cwltool, command: /nowhere/cwltool}}
workflow:
  triggers:
    - {name: whispers, type: event, event: became_stale, entity_type: Whisper, interval_seconds: 1, action: {type: resolve, entity_type: Whisper, criteria: {sample: '{entity.sample}'}, reuse: fresh}}
`;
const whisper = (...inputs: readonly string[]): string =>
  shell(
    'echo $(inputs.reads) > out.txt',
    ['sample', 'reads', ...inputs].map((name) => `${name}: string`).join('\n'),
    "uri: {type: File, outputBinding: {glob: out.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
  );

test('asks for it without what it was made with that its rule does not take any more', async () => {
  await using server = await startServer({ config: CONFIG });
  await addGreetings(server);
  const texts = (...names: string[]) => names.map((name) => field(name, 'string'));
  await addSchema(server, {
    name: 'Whisper',
    version: '1',
    fields: [...texts('sample'), field('uri', 'uri')],
  });
  const rule = {
    produces: { entity_type: 'Whisper', match: { sample: '{sample}' } },
    requires: [{ ref: 'Sample(name={sample})' }],
  };
  await addRule(server, 'whisper', whisper('volume', 'mood'), rule);
  const written = await server.rest('POST', '/api/v1/metadata/ingest', {
    body: { entity_type: 'Sample', id: 'low', data: { name: 'low', reads: 'a' } },
  });
  expect(written.status).toBe(200);
  await plant(server, {
    entityType: 'Whisper',
    id: 'whisper',
    data: { sample: 'low', uri: 'https://files.example/whisper' },
    criteria: { sample: 'low' },
    parameters: { volume: 'none', mood: 'good' },
  });
  await addRule(server, 'whisper', whisper('volume'), rule);
  const [run] = await eventually(
    () => allRuns(server, 'whispers'),
    (runs) => runs.length === 1 && !['queued', 'running'].includes(String(runs[0]?.status)),
    120_000,
  );
  const id = String(run?.run_id);
  const { body } = await server.rest('GET', `/api/v1/workflow/runs/${id}`);
  expect(body.action).toMatchObject({ parameters: { volume: 'none', mood: 'good' } });
  expect(JSON.stringify(body)).not.toContain('has no input');
  const { text } = await server.rest('GET', `/api/v1/workflow/runs/${id}/log?limit=100`);
  expect(text).toContain('asked for without mood:');
});
