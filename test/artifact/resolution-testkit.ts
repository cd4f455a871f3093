// What the tests of resolution share.
import { base64, tool, ruleOf, withTypes } from './registration-testkit.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';
import { field } from './schema-field.ts';

const TYPES = [
  'Reuse',
  'Build',
  'Fetch',
  'Tie',
  'Specific',
  'Deep',
  'Deeper',
  'Deepest',
  'CircleA',
  'CircleB',
  'Own',
  'Old',
  'List',
  'Plan',
];

export const cwl = (rest = '') =>
  base64(tool('uri: {type: File, outputBinding: {glob: a}}\nsample: string\ncaller: string', rest));

export let server: TestServer;

export const store = async (entity_type: string, data: Record<string, unknown>): Promise<string> =>
  (await server.rest('POST', '/api/v1/metadata/ingest', { body: { entity_type, data } })).body.data.id ?? '';

export const rule = async (
  name: string,
  type: string,
  more: Record<string, unknown> = {},
  match: Record<string, unknown> = { sample: '{sample}' },
  key = server.key,
) => {
  const { status, text } = await server.rest('POST', '/api/v1/artifact/rules', {
    key,
    body: {
      ...ruleOf(name),
      produces: { entity_type: type, match },
      execute: { cwl_content: cwl() },
      ...more,
    },
  });
  expect(status, text).toBe(201);
};

export const resolve = (query: string, key = server.key) =>
  server.rest('GET', `/api/v1/artifact/resolve?${query}`, { key });

/** Starts what the tests of a file share, and ends it after them. */
export function setUp(): void {
  beforeAll(async () => {
    server = await withTypes(await startServer({ transport: 'in-process' }));
    for (const name of TYPES) {
      await server.rest('POST', '/api/v1/metadata/schemas', {
        body: {
          name,
          version: '1',
          fields: [
            field('uri', 'uri'),
            field('sample', 'string'),
            field('caller', 'string'),
            field('project', 'string'),
          ],
        },
      });
    }
  });

  afterAll(() => server[Symbol.asyncDispose]());
}
