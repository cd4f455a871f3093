// Values that PostgreSQL refuses (index rows over 8 kB, tsvectors over 1 MiB) or changes silently (−0) get a
// specified answer.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from './testkit/server.ts';

let server: TestServer;
const META = '/api/v1/metadata';
/** Incompressible: its stored size equals its length. */
const dense = (characters: number): string =>
  randomBytes(characters).toString('base64url').slice(0, characters);
const words = (count: number): string =>
  Array.from({ length: count }, (_, i) => `w${i.toString(36)}${dense(6).replaceAll(/[-_]/g, 'x')}`).join(' ');

beforeAll(async () => {
  server = await startServer();
  await server.rest('POST', `${META}/schemas`, {
    body: {
      name: 'T',
      version: '1',
      fields: [
        { name: 'text', field_type: 'string' },
        { name: 'key', field_type: 'string', unique: true },
        { name: 'parent', field_type: 'ref', references: 'T' },
        { name: 'project', field_type: 'string' },
        { name: 'n', field_type: 'float' },
        { name: 'any', field_type: 'json' },
        { name: 'tags', field_type: 'string', many: true },
      ],
    },
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

test.each<[what: string, data: Record<string, unknown>]>([
  ['a text of 64 kB', { text: dense(65_536) }],
  ['a unique value of 64 kB', { key: dense(65_536) }],
  ['a reference of 64 kB', { parent: dense(65_536) }],
  ['a project of 64 kB', { project: dense(65_536) }],
  ['a text of 150,000 words', { text: words(150_000) }],
  ['20,000 tags of 40 characters', { tags: Array.from({ length: 20_000 }, () => dense(40)) }],
  ['JSON of 2 MB', { any: { [dense(9000)]: dense(2_000_000) } }],
])('%s is stored whole, or refused by name', async (_, data) => {
  const { status, body } = await server.rest('POST', `${META}/ingest`, { body: { entity_type: 'T', data } });
  expect([200, 413, 422]).toContain(status);
  if (status !== 200) return expect(body.error.message).toMatch(/\w/);
  const { body: kept } = await server.rest('GET', `${META}/entities/${body.data.id}`);
  expect(kept.data.data).toEqual(data);
});

test.each<[what: string, path: string]>([
  ['a field parameter', `/entities?entity_type=T&key=${dense(8000)}`],
  ['a search', `/search?entity_type=T&q=${dense(8000)}`],
  ['a cursor', `/entities?cursor=${dense(8000)}`],
  ['an external id', `/external-ids?external_id=${dense(8000)}`],
  ['a filter', `/entities?entity_type=T&filter=${encodeURIComponent(`data.key == "${dense(3000)}"`)}`],
  ['a number beyond bigint', '/entities?offset=99999999999999999999'],
  ['a negative offset', '/entities?offset=-1'],
  ['a relationship that is no uuid', '/entities/x/relationships?limit=1e9'],
])('%s of any length is answered', async (_, path) => {
  const { status } = await server.rest('GET', META + path);
  expect(status).toBeLessThan(500);
});

test('minus zero is zero, as it is stored', async () => {
  const { body } = await server.rest('POST', `${META}/ingest`, {
    body: '{"entity_type": "T", "data": {"n": -0}}',
  });
  const { text } = await server.rest('GET', `${META}/entities/${body.data.id}`);
  expect(text).toMatch(/"n":\s*0\b/);
});
