// docs/reference/workflow.md#resolve-action, docs/reference/workflow.md#unresolved-samples: a resolve's
// requests to the artifact component, and its report of unresolved samples.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DomainError } from '../../platform/errors.ts';
import { Tally } from '../../subgraphs/workflow/actions/outcome.ts';
import { resolve } from '../../subgraphs/workflow/actions/resolve.ts';
import type { Execute } from '../../subgraphs/workflow/deps.ts';
import { settledRun, workflowServer } from './workflow-server.ts';

type Fields = Record<string, unknown>;
interface Stored {
  readonly id: string;
  readonly available?: boolean;
  readonly data?: Fields;
}
const stored = ({ id, available = false, data = {} }: Stored) => ({
  id,
  entity_type: 'Report',
  data,
  version: 1,
  is_available: available,
  project: null,
  created_at: 'c',
  updated_at: 'u',
});
const gone = new DomainError('component_unavailable', 'artifact is unavailable');

/** A platform with these entities, and an artifact component with scripted answers. */
function platform(
  entities: readonly Stored[],
  answer: (criteria: Fields, parameters: Fields) => unknown,
  production: () => unknown = () => null,
) {
  const asked: { criteria: Fields; parameters: Fields }[] = [];
  const filters: unknown[] = [];
  const execute: Execute = async (document, variables, signal) => {
    if (document.includes('MatchedEntities')) {
      filters.push(variables['filter']);
      const at = Number(variables['cursor'] ?? 0);
      return {
        entities: {
          items: entities.slice(at, at + 2).map(stored),
          nextCursor: at + 2 < entities.length ? String(at + 2) : null,
        },
      };
    }
    if (document.includes('FollowProduction')) return { production: production() };
    const { criteria, parameters } = variables as { criteria: Fields; parameters: Fields };
    asked.push({ criteria, parameters });
    signal?.throwIfAborted();
    return { produceArtifact: await answer(criteria, parameters) };
  };
  return { execute, asked, filters };
}
async function run(
  execute: Execute,
  {
    criteria = {},
    parameters = {},
    firedBy = null,
    timeout = 5000,
  }: { criteria?: Fields; parameters?: Fields; firedBy?: string | null; timeout?: number } = {},
) {
  const wrote: string[] = [];
  const outcome = await resolve({
    action: { entityType: 'Report', criteria, parameters, reuse: 'any', asMade: [] },
    firedBy,
    artifactTimeoutMs: timeout,
    execute,
    tally: new Tally(),
    signal: new AbortController().signal,
    wrote: async (ids) => {
      wrote.push(...ids);
    },
  });
  return { ...outcome, wrote };
}

test('the entities that the fixed criteria match are the samples; each is bound, and only what is missing is asked for', async () => {
  const it = platform(
    [
      { id: 'r1', available: true },
      { id: 'r2', data: { sample: 's2', depth: 30 } },
      { id: 'r3', data: { sample: 's3' } },
    ],
    () => ({ entity: { id: 'x' }, production: null }),
  );
  const outcome = await run(it.execute, {
    criteria: { kind: 'qc', n: 4, sample: '{entity.sample}' },
    parameters: { depth: '{entity.depth}' },
  });
  expect(it.filters[0]).toBe('data.kind == "qc" && data.n == 4');
  expect(it.asked).toEqual([
    { criteria: { kind: 'qc', n: 4, sample: 's2' }, parameters: { depth: 30 } },
    { criteria: { kind: 'qc', n: 4, sample: 's3' }, parameters: { depth: null } },
  ]);
  expect(outcome).toMatchObject({
    status: 'success',
    counts: { fetched: 3, created: 0, skipped: 3, failed: 0 },
    unresolved: [],
    wrote: [],
  });
});

test("a run that an entity fired is one sample, bound already; what is made is the run's", async () => {
  let polls = 0;
  const it = platform(
    [],
    () => ({ entity: null, production: { id: 'p1', status: 'queued' } }),
    () =>
      ++polls < 3
        ? { status: 'running', entityIds: [], error: null }
        : { status: 'completed', entityIds: ['made-1', 'made-2'], error: null },
  );
  expect(await run(it.execute, { criteria: { sample: 's1' }, firedBy: 's1' })).toMatchObject({
    status: 'success',
    counts: { fetched: 1, created: 1, failed: 0 },
    wrote: ['made-1', 'made-2'],
  });
  expect(it.filters).toEqual([]);
});

test('data of an entity that fired a run is not interpreted as a binding', async () => {
  const it = platform([{ id: 'other', data: { sample: 'secret' } }], () => ({
    entity: { id: 'x' },
    production: null,
  }));
  expect(await run(it.execute, { criteria: { sample: '{entity.sample}' }, firedBy: 's1' })).toMatchObject({
    counts: { fetched: 1, skipped: 1 },
  });
  expect(it.asked).toEqual([{ criteria: { sample: '{entity.sample}' }, parameters: {} }]);
  expect(it.filters).toEqual([]);
});

test('where nothing is stored, the criteria themselves are asked for once; unbound ones match nothing and ask nothing', async () => {
  const it = platform([], () => ({ entity: { id: 'x' }, production: null }));
  expect(await run(it.execute, { criteria: { sample: 's1' } })).toMatchObject({
    counts: { fetched: 1, skipped: 1 },
  });
  expect(await run(it.execute, { criteria: { sample: '{entity.sample}' } })).toMatchObject({
    status: 'success',
    counts: { fetched: 0 },
  });
  expect(it.asked).toHaveLength(1);
});

test('an artifact component that is slow or gone leaves the sample unresolved as artifact_timeout; the others are served', async () => {
  const it = platform(
    [
      { id: 'slow', data: { s: 'slow' } },
      { id: 'gone', data: { s: 'gone' } },
      { id: 'none', data: { s: 'none' } },
      { id: 'good', data: { s: 'good' } },
    ],
    async ({ s }) => {
      if (s === 'slow') await sleep(60_000, undefined, { ref: false });
      if (s === 'gone') throw gone;
      if (s === 'none') throw new DomainError('not_found', 'no rule makes it');
      return { entity: null, production: { id: 'p', status: 'queued' } };
    },
    () => ({ status: 'completed', entityIds: ['made'], error: null }),
  );
  const outcome = await run(it.execute, { criteria: { s: '{entity.s}' }, timeout: 1500 });
  expect(outcome).toMatchObject({
    status: 'partial_success',
    counts: { fetched: 4, created: 1, skipped: 0, failed: 3 },
    wrote: ['made'],
  });
  expect(Object.fromEntries(outcome.unresolved.map(({ entity_id: id, reason }) => [id, reason]))).toEqual({
    slow: 'artifact_timeout',
    gone: 'artifact_timeout',
    none: 'not_found: no rule makes it',
  });
});

test('a production that fails or does not end in time leaves its sample unresolved', async () => {
  const failing = platform(
    [],
    () => ({ entity: null, production: { id: 'p', status: 'queued' } }),
    () => ({ status: 'failed', entityIds: [], error: { message: 'x' } }),
  );
  expect((await run(failing.execute, { criteria: { s: 1 } })).unresolved).toEqual([
    { entity_id: 'Report s=1', reason: 'production_failed' },
  ]);
  const endless = platform(
    [],
    () => ({ entity: null, production: { id: 'p', status: 'queued' } }),
    () => ({ status: 'running', entityIds: [], error: null }),
  );
  expect((await run(endless.execute, { criteria: { s: 1 }, timeout: 200 })).unresolved).toEqual([
    { entity_id: 'Report s=1', reason: 'artifact_timeout' },
  ]);
});

test('metadata that cannot be reached fails the run, and so do criteria that are none', async () => {
  expect(
    await run(async () => {
      throw gone;
    }),
  ).toMatchObject({ status: 'failed', errors: [{ type: 'MetadataUnavailable' }] });
  expect(await run(platform([], () => null).execute, { criteria: { list: [1] } })).toMatchObject({
    status: 'failed',
    errors: [{ type: 'CriteriaError' }],
  });
});

test("over the whole platform: what is stored is used again, what no rule makes is unresolved with the artifact component's reason", async () => {
  await using server = await workflowServer(`workflow:
  triggers: [{name: all, type: manual, action: {type: resolve, entity_type: Sample, criteria: {label: "{entity.label}"}}}]
`);
  const put = (id: string, label: string) =>
    server.rest('POST', '/api/v1/metadata/ingest', {
      body: { entity_type: 'Sample', data: { id, label, n: 1 } },
    });
  await put('there', 'a');
  await put('lost', 'b');
  expect((await server.rest('DELETE', '/api/v1/metadata/entities/lost')).status).toBeLessThan(300);
  const all = await settledRun(
    server,
    (await server.rest('POST', '/api/v1/workflow/triggers/all/run')).body.run_id,
  );
  expect(all).toMatchObject({
    status: 'partial_success',
    records_fetched: 2,
    records_skipped: 1,
    records_failed: 1,
    unresolved: [{ entity_id: 'lost', reason: expect.stringMatching(/^not_found/) }],
  });
  const one = await server.rest('POST', '/api/v1/workflow/runs', {
    body: { action: { type: 'resolve', entity_type: 'Sample', criteria: { label: 'none' } } },
  });
  expect(await settledRun(server, one.body.run_id)).toMatchObject({
    status: 'partial_success',
    records_failed: 1,
    unresolved: [{ entity_id: 'Sample label=none', reason: expect.stringMatching(/^not_found/) }],
  });
});
