// Every REST row against independently written GraphQL: two identical worlds get the same requests, one by
// REST, one by GraphQL, by twelve credentials. Compared are status and code, the value, the events that were
// written, and the runs that were begun.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import http from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STATUS_BY_CODE } from '../../platform/errors.ts';
import { GATEWAY_API, REST_API_KINDS } from '../../rest-compat/rest-apis.ts';
import type { Case } from './partner-case.ts';
import { partnersOf } from './partners.ts';
import { rule, CREDENTIALS, plain } from './differential-testkit.ts';
import { type World, seed, settled } from './world.ts';

const PARTNERS = partnersOf(rule);

let directory: string;

let rest: World;

let graphql: World;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-differential-'));
  await writeFile(path.join(directory, 'sheet.csv'), 'id\nd1\nd2\n');
  [rest, graphql] = [await seed(directory), await seed(directory)];
});

afterAll(async () => {
  await Promise.all([rest, graphql].map(({ server }) => server[Symbol.asyncDispose]()));
  await rm(directory, { recursive: true, force: true });
});

interface Told {
  readonly status: number;
  readonly code: string | null;
  readonly value: unknown;
}

const STATUSES: Readonly<Record<string, number>> = STATUS_BY_CODE;

/** Like fetch, but with a Host of its own. */
function request(
  world: World,
  credential: number,
  method: string,
  target: string,
  one: Pick<Case, 'body' | 'headers'>,
): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
  const key = world.keys[credential] ?? null;
  const sent = one.body === undefined || typeof one.body === 'string' ? one.body : JSON.stringify(one.body);
  const headers = {
    ...(key === null
      ? {}
      : typeof key === 'string'
        ? { 'x-api-key': key }
        : { authorization: `Bearer ${key.bearer}` }),
    ...(sent === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
    ...one.headers,
  };
  return new Promise((resolve, reject) => {
    http
      .request(world.server.url + target, { method, headers }, (response) => {
        let text = '';
        response
          .on('data', (chunk: Buffer) => {
            text += chunk.toString();
          })
          .on('error', reject);
        response.on('end', () => {
          const isLines = response.headers['content-type']?.startsWith('application/x-ndjson') === true;
          const json = isLines ? `[${text.trimEnd().replaceAll('\n', ',')}]` : text;
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(json === '' ? 'null' : json) });
        });
      })
      .on('error', reject)
      .end(sent);
  });
}

async function byRest(component: string, method: string, one: Case, credential: number): Promise<Told> {
  const { status, body } = await request(rest, credential, method, `/api/v1/${component}${one.path}`, one);
  const isEnveloped = component === 'metadata' && 'meta' in body;
  if (status >= 400) return { status, code: typeof body.error === 'string' ? body.error : null, value: null };
  const payload = isEnveloped ? body.data : body;
  return {
    status: status < 300 ? 200 : status,
    code: null,
    value: plain((one.told as ((p: unknown) => unknown) | undefined)?.(payload) ?? payload, rest.names),
  };
}

async function byGraphql(one: Case, credential: number): Promise<Told> {
  const { host: _, ...headers } = Object.fromEntries(
    Object.entries(one.headers ?? {}).filter(([name]) => name === 'x-project'),
  );
  const { body } = await request(graphql, credential, 'POST', '/graphql', {
    headers,
    body: { query: one.document, variables: one.variables ?? {} },
  });
  const code = String(body.error ?? body.errors?.[0]?.extensions?.code ?? '').toLowerCase();
  if (code !== '') return { status: STATUSES[code] ?? 0, code, value: null };
  const payload = one.payload
    ? (one.payload as (data: unknown) => unknown)(body.data)
    : Object.values(body.data as object)[0];
  if (payload === null && !/^\s*mutation[^{]*\{\s*setReusable/.test(one.document))
    return { status: 404, code: 'not_found', value: null };
  return { status: 200, code: null, value: plain(payload, graphql.names) };
}

/** How many events and runs a world has. */
interface Extent {
  readonly events: number;
  readonly runs: number;
}

async function extentOf({ server }: World): Promise<Extent> {
  const { rows } = await server.database.pool.query<Extent>(
    `SELECT (SELECT count(*)::int FROM metadata.provenance) AS events, (SELECT count(*)::int FROM workflow.run) AS runs`,
  );
  return rows[0] ?? { events: 0, runs: 0 };
}

/** What a world's events and runs after these tell. */
async function effects(
  { server, names }: World,
  after: Extent,
): Promise<{ readonly told: unknown } & Extent> {
  const { rows: events } = await server.database.pool.query<Record<string, unknown>>(
    `SELECT event_type, entity_id, entity_type, actor, context, payload FROM metadata.provenance ORDER BY position OFFSET ${after.events}`,
  );
  const { rows: runs } = await server.database.pool.query<Record<string, unknown>>(
    `SELECT trigger_name, trigger_type, adapter, action FROM workflow.run ORDER BY queued_at, id OFFSET ${after.runs}`,
  );
  return {
    told: plain({ events, runs }, names),
    events: after.events + events.length,
    runs: after.runs + runs.length,
  };
}

const APIS = { ...REST_API_KINDS, gateway: GATEWAY_API };

const rowsOf = (component: keyof typeof APIS) =>
  APIS[component].rows.map(({ method, path: template, access }) => ({
    component,
    row: `${method} ${template}`,
    method,
    isPublic: access === 'public',
  }));

const ROWS = (['metadata', 'workflow', 'artifact', 'gateway'] as const).flatMap(rowsOf);

test('every row has a partner, and every partner a row', () => {
  const partners = Object.entries(PARTNERS).flatMap(([component, rows]) =>
    Object.keys(rows).map((row) => `${component} ${row}`),
  );
  expect(partners.sort()).toEqual(ROWS.map(({ component, row }) => `${component} ${row}`).sort());
});

describe.each(ROWS.map((one) => [`${one.component} ${one.row}`, one] as const))(
  '%s',
  (_, { component, row, method, isPublic }) => {
    test('gives twelve credentials the same result as GraphQL, with the same effects', async () => {
      const partner = PARTNERS[component]?.[row];
      if (partner === undefined) throw new Error('it has no partner');
      let compared = 0;
      let [here, there] = [await extentOf(rest), await extentOf(graphql)];
      for (const [n, who] of CREDENTIALS.entries()) {
        const [mine, theirs] = [partner({ n, known: rest.known }), partner({ n, known: graphql.known })];
        for (const [i, one] of mine.entries()) {
          const other = theirs[i];
          if (other === undefined) throw new Error('the partner is not the same in both worlds');
          const [a, b] = [await byRest(component, method, one, n), await byGraphql(other, n)];
          const isOpen = isPublic && b.status === 401; // GraphQL always requires a credential
          if (isOpen) continue;
          const label = `${who}: ${one.path} ${JSON.stringify(one.body ?? '')}`;
          expect({ ...a, code: a.code ?? b.code }, label).toEqual(b);
          compared++;
          if (method === 'GET') continue;
          if (component === 'workflow')
            await Promise.all([rest, graphql].map(({ server }) => settled(server)));
          const [mineTell, theirsTell] = [await effects(rest, here), await effects(graphql, there)];
          expect(mineTell.told, `effects of ${label}`).toEqual(theirsTell.told);
          [here, there] = [mineTell, theirsTell];
        }
      }
      expect(compared).toBeGreaterThan(5);
    });
  },
);
