// What the tests of productions on request share.
import { afterAll, beforeAll } from 'vitest';
import type { TestServer } from '../testkit/server.ts';
import { addRule, addSchema, GREET, GREETING, startProducer } from './production-testkit.ts';

export const MATCH = { produces: { entity_type: 'Greeting', match: { sample: '{sample}' } } };

export const greeting = (sample: string, more: Record<string, unknown> = {}) => ({
  entity_type: 'Greeting',
  criteria: { sample },
  ...more,
});

export let server: TestServer;

export const entity = async (id: string) =>
  (await server.rest('GET', `/api/v1/metadata/entities/${id}`)).body.data;

/** Starts what the tests of a file share, and ends it after them. */
export function setUp(): void {
  beforeAll(async () => {
    server = await startProducer();
    await addSchema(server, GREETING);
    await addRule(server, 'greet', GREET, MATCH);
  });

  afterAll(() => server[Symbol.asyncDispose]());
}
