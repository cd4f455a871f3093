// docs/reference/artifact.md#rule-packages: rules of packages exist from the start; a component in its own
// process calls metadata at its URL.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '../../platform/config/load-config.ts';
import { createArtifactComponent } from '../../subgraphs/artifact/component.ts';
import * as artifact from '../../standalone/artifact.ts';
import * as metadata from '../../standalone/metadata.ts';
import { testLog } from '../testkit/database.ts';
import { admin, type FreshMetadata, freshMetadata } from '../testkit/metadata.ts';
import { base64, ruleOf, STATS_CWL } from './registration-testkit.ts';

const config = parseConfig('', '/nowhere/gateway.yaml', { env: {}, cwd: '/nowhere' });
const quiet = testLog.child({}, { level: 'silent' });

const addType = (meta: FreshMetadata) =>
  meta.ask('mutation S($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: {
      name: 'VariantStats',
      version: '1',
      fields: [
        ['uri', 'uri'],
        ['sample_id', 'string'],
        ['caller', 'string'],
        ['record_count', 'int'],
      ].map(([name, type]) => ({ name, field_type: type, required: false })),
    },
  });

const packaged = (description: string) => ({
  name: 'packaged',
  description,
  package: 'lab',
  tags: [],
  scope: 'global',
  requires: [],
  origin: undefined as never, // no fault is reported here
  produces: [{ entityType: 'VariantStats', match: { sample_id: '{sample_id}' } }],
  execute: { cwlContent: base64(STATS_CWL) },
});

/** The registration of one packaged rule at a start; returns its versions. */
async function start(meta: FreshMetadata, description: string): Promise<unknown> {
  const workDirectory = path.join(os.tmpdir(), `cairn-runs-${randomUUID()}`);
  const component = createArtifactComponent({
    database: meta.database,
    log: quiet,
    ask: (document) => meta.component.prepare(document),
    standing: (acting) => Promise.resolve(acting),
    workDirectory,
    publicUrl: () => 'https://cairn.test',
    settings: { ...config.artifact, rules: [packaged(description)] },
  });
  await component.begin();
  const { data } = await component.prepare('{ rules { rules { rule status isStatic registeredBy } } }')(
    {},
    admin,
  );
  await component.close();
  await rm(workDirectory, { recursive: true, force: true });
  return (data?.['rules'] as { rules: unknown }).rules;
}

test('a packaged rule is registered at start, once; a change of it on restart makes a new version', async () => {
  await using meta = await freshMetadata();
  await addType(meta);
  const first = { rule: 'packaged@1', status: 'active', isStatic: true, registeredBy: 'service:artifact' };
  expect(await start(meta, 'one')).toEqual([first]);
  expect(await start(meta, 'one')).toEqual([first]);
  expect(await start(meta, 'two')).toEqual([
    { ...first, status: 'superseded' },
    { ...first, rule: 'packaged@2' },
  ]);
});

test('several processes that start at once register it once', async () => {
  await using meta = await freshMetadata();
  await addType(meta);
  await Promise.all(Array.from({ length: 4 }, () => start(meta, 'one')));
  expect(await start(meta, 'one')).toHaveLength(1);
});

test('a packaged rule whose entity type is not there yet does not stop the start', async () => {
  await using meta = await freshMetadata();
  expect(await start(meta, 'one')).toEqual([]);
});

test('a standalone component calls metadata at its configured address, and is unavailable without one', async () => {
  await using meta = await freshMetadata();
  await addType(meta);
  const env = { CAIRN_PORT: '0', CAIRN_DATA_DIR: '/tmp', DATABASE_URL: meta.database.url };
  const parse = (yaml: string) => parseConfig(yaml, path.join('/tmp', 'gateway.yaml'), { env, cwd: '/tmp' });
  const asked = await metadata.startComponent({ config: parse(''), log: quiet });
  const knowing = await artifact.startComponent({
    config: parse(`components:\n  metadata: {url: "${asked.url}"}\n`),
    log: quiet,
  });
  const lost = await artifact.startComponent({ config: parse(''), log: quiet });
  const register = (url: string) =>
    fetch(`${url}/rules`, {
      method: 'POST',
      body: JSON.stringify(ruleOf('alone')),
      headers: {
        'content-type': 'application/json',
        'x-platform-actor': 'user:anna',
        'x-platform-roles': 'analyst',
        'x-platform-projects': '*',
        'x-platform-request-id': '00000000-0000-4000-8000-000000000000',
      },
    });
  expect((await register(knowing.url)).status).toBe(201);
  const refused = await register(lost.url);
  expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
    503,
    'component_unavailable',
  ]);
  await Promise.all([knowing.close(), lost.close(), asked.close()]);
});
