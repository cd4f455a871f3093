// docs/reference/metadata.md#why: what came about in another project is not there. The same things come about in two projects:
// what members of the first are told of theirs stays the same to the byte when the second has them, and of those of the
// second they are told what is told of what never was.
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addRule, addSchema, canRun, ended, GREETING, shell } from '../artifact/production-testkit.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { eventually, settledRun } from '../workflow/workflow-server.ts';
import { askWhy, type Chain, ingestSample, keysOf, registerSample } from './why-testkit.ts';

const SECRET = 'hush-hush';
const ROLES = ['viewer', 'analyst', 'project_lead', 'admin', 'service'] as const;
const PROJECTS = ['alpha', 'beta'] as const;
type Project = (typeof PROJECTS)[number];

const triggersOf = (project: Project): string => `
    - {name: hook-${project}, type: webhook, project: ${project}, path: hooks/${project}, secret_env: HOOK_SECRET, action: {type: ingest, adapter: sent-${project}}}
    - {name: seen-${project}, type: metadata_poll, project: ${project}, poll: {entity_type: Sample, filter: 'data.label == "watched"', interval_seconds: 1, lookback_seconds: 600}, action: {type: ingest, adapter: polled-${project}}}
    - {name: first-${project}, type: manual, project: ${project}, action: {type: ingest, adapter: emitting-${project}}, on_success: emitted-${project}}
    - {name: second-${project}, type: internal_event, project: ${project}, event: emitted-${project}, action: {type: ingest, adapter: chained-${project}}}`;
const SOURCES = ['sent', 'polled', 'emitting', 'chained'];
/** Of the same content in both projects: the file has one hash. */
const GREET = shell(
  'echo hello > out.txt',
  'sample: string\nproject: string',
  [
    'uri: {type: File, outputBinding: {glob: out.txt}}',
    "sample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
    "project: {type: string, outputBinding: {outputEval: '$(inputs.project)'}}",
  ].join('\n'),
);

let server: TestServer;
let directory: string;
let members: readonly { readonly role: string; readonly key: string }[];

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-hidden-'));
  const names = SOURCES.flatMap((source) =>
    PROJECTS.map((project) => ({ name: `${source}-${project}`, project })),
  );
  for (const { name, project } of names)
    await writeFile(path.join(directory, `${name}.jsonl`), `{"id":"${name}","project":"${project}"}\n`);
  server = await startServer({
    transport: 'in-process',
    env: { HOOK_SECRET: SECRET },
    config: `observability: {audit_log: {backend: postgres}}
workflow:
  triggers:${PROJECTS.map(triggersOf).join('')}
    - {name: clock, type: schedule, project: beta, schedule: '* * * * * *', action: {type: ingest, adapter: emitting-beta}}
  adapters:
${names.map(({ name }) => `    - {name: ${name}, type: jsonl, entity_type: Sample, source: ${directory}/${name}.jsonl, map: {id: row.id, project: row.project}}`).join('\n')}
`,
  });
  await registerSample(server);
  if (canRun) {
    await addSchema(server, GREETING);
    await addRule(server, 'greet', GREET, {
      produces: { entity_type: 'Greeting', match: { sample: '{sample}', project: '{project}' } },
    });
  }
  members = await Promise.all(
    ROLES.map(async (role) => ({ role, key: await server.newKey({ role, project: 'alpha' }) })),
  );
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const rest = (target: string, body?: unknown, key = server.key, method = 'POST') =>
  server.rest(method, `/api/v1/${target}`, { key, ...(body === undefined ? {} : { body }) });

/** Something of every kind comes about in the project; answers what it can be reached from. */
async function comesAbout(project: Project): Promise<readonly string[]> {
  const asked = await ingestSample(server, `asked-${project}`, { label: 'watched', project });
  const body = `{"to":"${project}"}`;
  const signature = createHmac('sha256', SECRET).update(body).digest('hex');
  const sent = await server.rest('POST', `/api/v1/workflow/hooks/${project}`, {
    key: null,
    body,
    headers: { 'x-signature': `sha256=${signature}` },
  });
  await settledRun(server, sent.body.run_id);
  const fired = await rest(`workflow/triggers/first-${project}/run`);
  const made = canRun
    ? await rest('artifact/produce', { entity_type: 'Greeting', criteria: { sample: 's', project } })
    : null;
  if (made) expect((await ended(server, made.body.production_id)).status).toBe('completed');
  for (const id of [`chained-${project}`, `polled-${project}`])
    await eventually(
      () => why(`version:1:${id}`),
      (chain) => chain !== null,
    );
  const requests = [sent, fired, ...(made ? [made] : [])].map(
    ({ headers }) => headers.get('x-request-id') ?? '',
  );
  return [asked, ...requests].map((request) => `request:${request}`);
}

const why = (subject: string, direction = 'FORWARD'): Promise<Chain | null> =>
  askWhy(server, subject, { direction, depth: 20 }, server.key);

/** Everything that is reached in either direction. */
async function around(roots: readonly string[]): Promise<readonly string[]> {
  const forward = (await Promise.all(roots.map((root) => why(root)))).flatMap(keysOf);
  const back = (await Promise.all(forward.map((key) => why(key, 'BACKWARD')))).flatMap(keysOf);
  return [...new Set([...forward, ...back])];
}

/** All pages, as they are answered. */
async function pagesOf(subject: string, direction: string, key: string): Promise<readonly string[]> {
  const pages: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = new URLSearchParams({
      subject,
      direction,
      limit: '3',
      depth: '20',
      ...(cursor && { cursor }),
    });
    const { status, body } = await rest(`gateway/why?${query.toString()}`, undefined, key, 'GET');
    const { request_id: _, ...told } = body as { request_id?: string; next_cursor?: string | null };
    pages.push(`${status} ${JSON.stringify(told)}`);
    cursor = told.next_cursor ?? null;
  }
  return pages;
}

async function answers(subjects: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const { role, key } of members)
    for (const subject of subjects)
      for (const direction of ['backward', 'forward'])
        found.set(`${role} ${direction} ${subject}`, await pagesOf(subject, direction, key));
  return found;
}

/** A name of the same kind and form that nothing has. */
const absent = (key: string): string =>
  key
    .replace(
      /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/,
      '00000000-0000-4000-8000-000000000000',
    )
    .replace(/[\da-f]{64}/, '0'.repeat(64))
    .replace(/\d{4}-\d\d-\d\dT/, '2001-01-01T')
    .replace(/beta/g, 'none');

test('what comes about in another project changes nothing of what members of one are told, and is as if it were not', async () => {
  const own = await around(await comesAbout('alpha'));
  const kinds = new Set(own.map((key) => key.split(':')[0]));
  for (const kind of ['request', 'event', 'version', 'run', 'poll', 'delivery', 'internal_event'])
    expect(kinds).toContain(kind);
  if (canRun)
    for (const kind of ['production', 'plan', 'rule', 'document', 'file']) expect(kinds).toContain(kind);
  const before = await answers(own);
  // all of them see their own, but audit records and requests as subjects
  for (const { role } of members)
    for (const key of own.filter((one) => !one.startsWith('request:')))
      expect([role, key, before.get(`${role} backward ${key}`)?.[0]?.slice(0, 3)]).toEqual([
        role,
        key,
        '200',
      ]);

  const roots = await comesAbout('beta');
  const clock = await eventually(
    () => why('version:1:emitting-beta', 'BACKWARD'),
    (chain) => chain !== null,
  );
  const others = [...new Set([...(await around(roots)), ...keysOf(clock)])].filter(
    (key) => !own.includes(key),
  );
  for (const kind of ['run', 'poll', 'delivery', 'internal_event'])
    expect(others.some((key) => key.startsWith(`${kind}:`))).toBe(true);

  const after = await answers(own);
  for (const [asked, told] of before) expect([asked, after.get(asked)]).toEqual([asked, told]);

  for (const { role, key } of members)
    for (const hidden of others)
      for (const direction of ['backward', 'forward'])
        expect([role, hidden, await pagesOf(hidden, direction, key)]).toEqual([
          role,
          hidden,
          await pagesOf(absent(hidden), direction, key),
        ]);
}, 600_000);
