// docs/reference/artifact.md#produce for users, with the artifact component in the process and as a service
// of its own.
import { expect, test } from 'vitest';
import {
  addRule,
  addSchema,
  canRun,
  GREET,
  GREETING,
  produce,
  startProducer,
} from '../artifact/production-testkit.ts';

test.skipIf(!canRun)('an entity is made on request, and reused afterwards', async () => {
  await using server = await startProducer();
  await addSchema(server, GREETING);
  await addRule(server, 'greet', GREET, {
    produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
  });
  const made = await produce(server, { entity_type: 'Greeting', criteria: { sample: 's1' } });
  expect(made.body, JSON.stringify(made.body)).toMatchObject({ status: 'completed' });
  const id = made.body.entity?.id ?? made.body.entity_ids[0];
  expect((await produce(server, { entity_type: 'Greeting', criteria: { sample: 's1' } })).body).toMatchObject(
    { decision: 'reuse', entity: { id } },
  );
  const scan = await server.rest('POST', '/api/v1/gateway/sync/scan');
  expect(scan.status).toBe(202);
  for (;;) {
    const { body } = await server.rest('GET', '/api/v1/gateway/sync/scan/latest');
    if (body.status === 'started') continue;
    expect(body).toMatchObject({ status: 'completed', mismatches: 0 });
    expect(body.checked).toBeGreaterThan(0);
    break;
  }
});
