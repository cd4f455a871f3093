// What the tests of the console share.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { startServer, type TestServer } from '../testkit/server.ts';

export const MARKUP = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

export const RTL = '\u202eגדול\u202c \u0627\u0644\u0639\u0631\u0628\u064a\u0629';

export const HEBREW = 'גדול';

export const HUGE = 'wide'.repeat(250_000);

const CONFIG = `workflow:
  triggers:
    - {name: on-change, type: metadata_poll, poll: {entity_type: Biopsy, filter: 'data.age > 70', interval_seconds: 3600}, action: {type: ingest, adapter: sheet}}
    - {name: on-request, type: manual, action: {type: ingest, adapter: sheet}}
  adapters:
    - {name: sheet, type: csv, source: none.csv, entity_type: Biopsy, map: {id: 'row["id"]'}}
`;

export const SCHEMA = {
  name: 'Biopsy',
  version: '1.0.0',
  description: 'A piece of tissue.',
  fields: [
    { name: 'donor', field_type: 'string', required: true, description: 'Who gave it.' },
    { name: 'tissue', field_type: 'enum', values: ['blood', 'liver', 'skin'], required: true },
    { name: 'age', field_type: 'int' },
    { name: 'taken', field_type: 'datetime' },
    { name: 'parent', field_type: 'ref', references: 'Biopsy' },
    { name: 'labels', field_type: 'string', many: true },
    { name: 'more', field_type: 'json' },
  ],
};

/** A rule with a workflow of one step. */
export const RULE = {
  name: 'copy-biopsy',
  description: 'Copies it.',
  produces: { entity_type: 'Biopsy', match: { donor: '{donor}' } },
  execute: {
    cwl_content: Buffer.from(
      'cwlVersion: v1.2\nclass: Workflow\ninputs: {donor: string}\noutputs: {donor: {type: string, outputSource: donor}}\nsteps: {}\n',
    ).toString('base64'),
  },
};

/** @throws Error with what the build said */
export function buildConsole(): void {
  const built = spawnSync(process.execPath, ['scripts/console.mjs'], { cwd: projectRoot, encoding: 'utf8' });
  if (built.status !== 0 || built.stderr !== '') throw new Error(`${built.status} ${built.stderr}`);
}

/** All of them are new. */
export async function ingestNew(to: TestServer, entities: readonly object[]): Promise<void> {
  const { body } = await to.graphql(
    'mutation ($entities: [IngestedEntity!]!) { ingestEntities(entities: $entities) { created errors { message } } }',
    { entities },
  );
  expect(body.data.ingestEntities).toEqual({ created: entities.length, errors: [] });
}

export let server: TestServer;

/** Builds the console and starts what the tests of a file share, with its entities; ends it after them. */
export function setUp(): void {
  beforeAll(async () => {
    buildConsole();
    server = await startServer({ config: CONFIG });
    expect((await server.rest('POST', '/api/v1/metadata/schemas', { body: SCHEMA })).status).toBe(200);
    const { body: registered } = await server.graphql(
      'mutation ($d: JSON!) { registerRule(definition: $d) { isValid } }',
      { d: RULE },
    );
    expect(registered.data.registerRule.isValid).toBe(true);
    const entities = [
      ...Array.from({ length: 60 }, (_, i) => ({
        id: `biopsy:${i + 1}`,
        data: { donor: `D-${i + 1}`, tissue: i % 2 === 0 ? 'liver' : 'skin', age: 20 + i },
      })),
      {
        id: 'biopsy:child',
        data: { donor: 'D-1', tissue: 'blood', parent: 'biopsy:1', labels: ['fresh', 'cold'] },
      },
      {
        id: 'hostile:markup',
        data: { donor: MARKUP, tissue: 'skin', labels: [MARKUP], more: { [MARKUP]: MARKUP } },
      },
      { id: `hostile:${HEBREW}`, data: { donor: RTL, tissue: 'skin' } },
      { id: 'hostile:huge', data: { donor: HUGE, tissue: 'skin' } },
    ].map((entity) => ({ ...entity, entityType: 'Biopsy' }));
    await ingestNew(server, entities);
  });

  afterAll(() => server[Symbol.asyncDispose]());
}
