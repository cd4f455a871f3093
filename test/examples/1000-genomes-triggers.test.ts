// The 1000 Genomes tables, ingested by the example's triggers: a table by expressions, an untidy sheet by an
// adapter of its own, one after the other.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { startServer } from '../testkit/server.ts';
import { eventually, settledRun } from '../workflow/workflow-server.ts';

const here = path.join(projectRoot, 'examples', '1000-genomes');

test('populations are loaded before the samples that refer to them, each once, and nothing the second time', async () => {
  await using server = await startServer({ config: `workflow: {include: [${here}/triggers.yaml]}\n` });
  for (const schema of ['population', 'sample']) {
    expect(
      (
        await server.rest('POST', '/api/v1/metadata/schemas', {
          body: readFileSync(path.join(here, 'schemas', `${schema}.json`), 'utf8'),
        })
      ).status,
    ).toBe(200);
  }
  const runBoth = async (nth: number) => {
    const { body } = await server.rest('POST', '/api/v1/workflow/triggers/populations/run');
    const populations = await settledRun(server, body.run_id);
    const { runs } = await eventually(
      async () => (await server.rest('GET', '/api/v1/workflow/triggers/samples/runs')).body,
      (page) => page.total === nth && !['queued', 'running'].includes(page.runs[0].status),
      60_000,
    );
    return [populations, runs[0]];
  };
  const counts = { records_failed: 0, records_updated: 0, errors: [], status: 'success' };
  expect(await runBoth(1)).toMatchObject([
    { ...counts, records_fetched: 26, records_created: 26, records_skipped: 0 },
    { ...counts, records_fetched: 3500, records_created: 3500, records_skipped: 0 },
  ]);
  expect(await runBoth(2)).toMatchObject([
    { ...counts, records_fetched: 26, records_created: 0, records_skipped: 26 },
    { ...counts, records_fetched: 3500, records_created: 0, records_skipped: 3500 },
  ]);
  const { body } = await server.rest('GET', '/api/v1/metadata/entities/sample:NA12878');
  expect(body.data).toMatchObject({
    version: 1,
    data: {
      population: 'population:CEU',
      family_roles: ['mother', 'child'],
      father: 'sample:NA12891',
      mother: 'sample:NA12892',
    },
  });
  expect((await server.rest('GET', '/api/v1/metadata/entities/population:FIN')).body.data.data).toMatchObject(
    { name: 'Finnish', latitude: 60.17, superpopulation: 'EUR', sample_count: 105 },
  );
});
