// What the tests of identities share.
import { afterAll, beforeAll } from 'vitest';
import type { TestServer } from '../testkit/server.ts';
import { addRule, addSchema, GREET, GREETING, shell, startProducer } from './production-testkit.ts';
import { field } from './schema-field.ts';

/** Items by the letters of a word; each with its word. */
export const LETTERS = shell(
  'true',
  'word: string',
  "items: {type: {type: array, items: {type: record, fields: {key: string, word: string}}}, outputBinding: {outputEval: '${return Array.from(inputs.word, function (key) { return {key: key, word: inputs.word}; });}'}}",
);

export let server: TestServer;

/** Starts what the tests of a file share, and ends it after them. */
export function setUp(): void {
  beforeAll(async () => {
    server = await startProducer('artifact: {limits: {concurrent: 6}}\n');
    await addSchema(server, GREETING);
    await addSchema(server, {
      name: 'Letter',
      version: '1',
      fields: [field('key', 'string'), field('word', 'string')],
    });
    await addRule(server, 'greet', GREET, {
      produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
    });
    await addRule(server, 'letters', LETTERS, {
      produces: {
        entity_type: 'Letter',
        from_output: 'items',
        array_mode: 'one_per_item',
        match: { key: '{key}' },
      },
    });
  });

  afterAll(() => server[Symbol.asyncDispose]());
}
