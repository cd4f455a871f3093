// What the tests of mapping inputs and outputs share.
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { TestServer } from '../testkit/server.ts';
import { addRule, addSchema, GREET, GREETING, shell, startProducer } from './production-testkit.ts';
import { field } from './schema-field.ts';
import { canary } from './registration-testkit.ts';

export const ROOT = mkdtempSync(path.join(os.tmpdir(), 'cairn-sources-'));

export let server: TestServer;

export let files: Awaited<ReturnType<typeof canary>>;

/** Counts the letters of a text file of an entity. */
export const COUNT = shell(
  'wc -c < $(inputs.text.path) | tr -d " " > count.txt',
  'text: File\nname: string',
  [
    'uri: {type: File, outputBinding: {glob: count.txt}}',
    "name: {type: string, outputBinding: {outputEval: '$(inputs.name)'}}",
    "letters: {type: int, outputBinding: {glob: count.txt, loadContents: true, outputEval: '$(parseInt(self[0].contents))'}}",
  ].join('\n'),
);

export const total = async (type: string) =>
  (await server.rest('GET', `/api/v1/metadata/entities?entity_type=${type}&include_unavailable=true`)).body
    .data.total as number;

export const ingest = async (entity_type: string, id: string, data: Record<string, unknown>) =>
  server.rest('POST', '/api/v1/metadata/ingest', { body: { entity_type, id, data } });

/** Starts what the tests of a file share, and ends it after them. */
export function setUp(): void {
  beforeAll(async () => {
    files = await canary({
      '/a.txt': 'twelve chars',
      '/moved': { status: 302, headers: { location: '/a.txt' } },
    });
    await mkdir(path.join(ROOT, 'open'), { recursive: true });
    await writeFile(path.join(ROOT, 'open', 'b.txt'), 'five!');
    await writeFile(path.join(ROOT, 'secret.txt'), 'secret');
    await symlink(path.join(ROOT, 'secret.txt'), path.join(ROOT, 'open', 'link.txt'));
    server = await startProducer(
      `artifact: {allow_networks: [127.0.0.1/32], allow_sources: ["file://${ROOT}/open/"]}\n`,
    );
    await addSchema(server, GREETING);
    await addSchema(server, {
      name: 'Text',
      version: '1',
      fields: [field('uri', 'uri'), field('name', 'string'), field('project', 'string')],
    });
    await addSchema(server, {
      name: 'Letters',
      version: '1',
      fields: [field('uri', 'uri'), field('name', 'string'), field('letters', 'int')],
    });
    await addSchema(server, {
      name: 'Item',
      version: '1',
      fields: [field('key', 'string'), field('rank', 'int')],
    });
    await addRule(server, 'letters', COUNT, {
      produces: { entity_type: 'Letters', match: { name: '{name}' } },
      requires: [{ ref: 'Text(name={name})' }],
    });
    await addRule(server, 'greet', GREET, {
      produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
    });
  });

  afterAll(async () => {
    await rm(ROOT, { recursive: true });
    await server[Symbol.asyncDispose]();
    await files[Symbol.asyncDispose]();
  });
}
