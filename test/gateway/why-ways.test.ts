// docs/reference/metadata.md#why: twelve ways in which something comes about, each from what came about back to the request
// of the audit log, or to the tick, and forward again; in one process, and over processes of their own.
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { idsOf } from '../../platform/causal-links.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { addRule, addSchema, canRun, ended, GREET, GREETING } from '../artifact/production-testkit.ts';
import { eventually, settledRun } from '../workflow/workflow-server.ts';
import { askWhy, type Chain, ingestSample, keysOf, kindsOf, nodeOf, registerSample } from './why-testkit.ts';
import { type Deployment, oneProcess, processes, type Start } from './why-ways-testkit.ts';

const SECRET = 'hush-hush';
const INGEST = '/api/v1/metadata/ingest';
const ADAPTERS = ['cron', 'interval', 'hook', 'polled', 'emitting', 'chained'];

const configOf = (
  directory: string,
): string => `observability: {log_level: error, audit_log: {backend: postgres}}
workflow:
  triggers:
    - {name: cron, type: schedule, schedule: '* * * * * *', action: {type: ingest, adapter: cron}}
    - {name: interval, type: schedule, schedule: '*/2 * * * * *', action: {type: ingest, adapter: interval}}
    - {name: lab, type: webhook, path: hooks/lab, secret_env: HOOK_SECRET, action: {type: ingest, adapter: hook}}
    - {name: seen, type: metadata_poll, poll: {entity_type: Sample, filter: 'data.label == "watched"', interval_seconds: 1, lookback_seconds: 600}, action: {type: ingest, adapter: polled}}
    - {name: first, type: manual, action: {type: ingest, adapter: emitting}, on_success: emitted}
    - {name: second, type: internal_event, event: emitted, action: {type: ingest, adapter: chained}}
    - {name: greet, type: manual, action: {type: resolve, entity_type: Greeting, criteria: {sample: resolved}}}
  adapters:
${ADAPTERS.map((name) => `    - {name: ${name}, type: jsonl, entity_type: Sample, source: ${directory}/${name}.jsonl, map: {id: row.id, label: row.label}}`).join('\n')}
`;

/** What came about, and the request that did it; null where none did. */
interface Came {
  readonly subject: string;
  readonly request: string | null;
  /** What leads to it as well. */
  readonly also?: readonly string[];
}

interface Way {
  readonly name: string;
  /** Kinds of nodes between, the nearest first. */
  readonly through: readonly string[];
  readonly needsRunner?: boolean;
  readonly go: (at: Deployment, directory: string) => Promise<Came>;
}

const requestOf = ({ headers }: { readonly headers: Headers }): string => headers.get('x-request-id') ?? '';

async function delivered(at: Deployment, body: string): Promise<{ request: string; run: string }> {
  const signature = createHmac('sha256', SECRET).update(body).digest('hex');
  const answer = await at.rest('POST', '/api/v1/workflow/hooks/lab', {
    key: null,
    body,
    headers: { 'x-signature': `sha256=${signature}` },
  });
  expect(answer.body).toMatchObject({ status: 'accepted' });
  await settledRun(at, answer.body.run_id);
  return { request: requestOf(answer), run: answer.body.run_id };
}

async function firedBy(at: Deployment, trigger: string): Promise<string> {
  const answer = await at.rest('POST', `/api/v1/workflow/triggers/${trigger}/run`);
  expect((await settledRun(at, answer.body.run_id)).status).toBe('success');
  return requestOf(answer);
}

/** The file of the only greeting of a sample. */
async function fileOf(at: Deployment, sample: string): Promise<string> {
  const { body } = await at.rest(
    'GET',
    `/api/v1/metadata/entities?entity_type=Greeting&filter=${encodeURIComponent(`data.sample == "${sample}"`)}`,
  );
  return `file:sha256:${body.data.items[0].data.sha256}`;
}

const SETS = ['EVENT'];
const RUN = ['EVENT', 'RUN'];
const WAYS: readonly Way[] = [
  {
    name: 'REST',
    through: SETS,
    go: async (at) => ({
      subject: 'version:1:rest',
      request: await ingestSample(at, 'rest', { label: 'x' }),
    }),
  },
  {
    name: 'GraphQL',
    through: SETS,
    go: async (at) => ({
      subject: 'field:label:graphql',
      request: requestOf(
        await at.graphql(
          'mutation { ingestEntity(entityType: "Sample", id: "graphql", data: { label: "x" }) { id } }',
        ),
      ),
    }),
  },
  {
    name: 'bulk',
    through: SETS,
    go: async (at) => ({
      subject: 'version:1:bulk',
      request: requestOf(
        await at.rest('POST', `${INGEST}/bulk?entity_type=Sample`, {
          body: '{"id":"bulk","data":{"label":"x"}}\n',
          headers: { 'content-type': 'application/x-ndjson' },
        }),
      ),
    }),
  },
  {
    name: 'cron',
    through: [...RUN, 'TICK'],
    go: () => Promise.resolve({ subject: 'version:1:cron', request: null }),
  },
  {
    name: 'interval',
    through: [...RUN, 'TICK'],
    go: () => Promise.resolve({ subject: 'version:1:interval', request: null }),
  },
  {
    name: 'webhook',
    through: [...RUN, 'DELIVERY'],
    go: async (at) => ({ subject: 'version:1:hook', request: (await delivered(at, '{"a":1}')).request }),
  },
  {
    name: 'redelivery',
    through: [...RUN, 'DELIVERY'],
    async go(at, directory) {
      const { request, run } = await delivered(at, '{"a":2}');
      await writeFile(path.join(directory, 'hook.jsonl'), '{"id":"again","label":"x"}\n');
      const id = idsOf(keysOf(await askWhy(at, `run:${run}`, {}, at.key)), 'delivery')[0] ?? '';
      const again = await at.rest('POST', `/api/v1/workflow/deliveries/${id}/redeliver`);
      await settledRun(at, again.body.run_id);
      return { subject: 'version:1:again', request: requestOf(again), also: [`request:${request}`] };
    },
  },
  {
    name: 'poll',
    through: [...RUN, 'POLL', 'VERSION'],
    go: async (at) => ({
      subject: 'version:1:polled',
      request: await ingestSample(at, 'watched', { label: 'watched' }),
      also: ['version:1:watched'],
    }),
  },
  {
    name: 'event chain',
    through: [...RUN, 'INTERNAL_EVENT', 'RUN'],
    go: async (at) => ({ subject: 'version:1:chained', request: await firedBy(at, 'first') }),
  },
  {
    name: 'resolve',
    through: ['PRODUCTION', 'PLAN', 'RULE', 'DOCUMENT', 'RUN'],
    needsRunner: true,
    async go(at) {
      const request = await firedBy(at, 'greet');
      return { subject: await fileOf(at, 'resolved'), request };
    },
  },
  {
    name: 'produce',
    through: ['PRODUCTION', 'PLAN', 'RULE', 'DOCUMENT'],
    needsRunner: true,
    async go(at) {
      const resolved = await at.rest('GET', '/api/v1/artifact/resolve?entity_type=Greeting&sample=produced');
      const { plan_hash: plan } = resolved.body;
      const body = { entity_type: 'Greeting', criteria: { sample: 'produced' }, plan_hash: plan };
      const answer = await at.rest('POST', '/api/v1/artifact/produce', { body });
      await ended(at, answer.body.production_id);
      const also = [`plan:${plan}`, `request:${requestOf(resolved)}`];
      return { subject: await fileOf(at, 'produced'), request: requestOf(answer), also };
    },
  },
  {
    name: 'CLI',
    through: SETS,
    async go(at) {
      await ingestSample(at, 'cli', { label: 'x' });
      const command = ['cli/cairn.mjs', 'update', 'cli', 'label=y', '--url', at.url, '--key', at.key];
      await promisify(execFile)(process.execPath, command, { cwd: projectRoot });
      const { body } = await at.graphql(
        '{ entity(id: "cli") { history(limit: 10) { requestId timestamp } } }',
      );
      const { history } = body.data.entity as { history: { requestId: string; timestamp: string }[] };
      const last = history.toSorted((a, b) => (a.timestamp < b.timestamp ? 1 : -1))[0];
      return { subject: 'version:2:cli', request: last?.requestId ?? '' };
    },
  },
];

const MODES: readonly { readonly mode: string; readonly start: Start }[] = [
  { mode: 'in one process', start: oneProcess },
  { mode: 'over processes of their own, with three workers', start: processes },
];

describe.each(MODES)('$mode', ({ start }) => {
  let at: Deployment;
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-ways-'));
    for (const name of ADAPTERS)
      await writeFile(path.join(directory, `${name}.jsonl`), `{"id":"${name}","label":"x"}\n`);
    at = await start(configOf(directory), { HOOK_SECRET: SECRET });
    await registerSample(at);
    if (!canRun) return;
    await addSchema(at, GREETING);
    await addRule(at, 'greet', GREET, {
      produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
    });
  });
  afterAll(async () => {
    await at.close();
    await rm(directory, { recursive: true });
  });

  const why = (subject: string, direction: string): Promise<Chain | null> =>
    askWhy(at, subject, { direction, depth: 30 }, at.key);

  test.each(WAYS)(
    '$name: from what came about back to the request, and forward again',
    async ({ go, through, needsRunner = false }) => {
      if (needsRunner && !canRun) return;
      const { subject, request, also = [] } = await go(at, directory);
      const back = await eventually(
        () => why(subject, 'BACKWARD'),
        (chain) =>
          chain?.nodes.some((node) =>
            request === null ? node.kind === 'TICK' : node.key === `request:${request}` && node.at !== null,
          ) === true,
        60_000,
      );
      expect(kindsOf(back)).toEqual(expect.arrayContaining([...through]));
      expect(keysOf(back)).toEqual(expect.arrayContaining([...also]));
      expect(new Set(keysOf(back)).size).toBe(back?.nodes.length);
      const roots = [request === null ? nodeOf(back, 'TICK')?.key : `request:${request}`, ...also];
      for (const root of roots)
        expect([root, keysOf(await why(root ?? '', 'FORWARD'))]).toEqual([
          root,
          expect.arrayContaining(subject.startsWith('field:') ? ['version:1:graphql'] : [subject]),
        ]);
    },
    120_000,
  );
});
