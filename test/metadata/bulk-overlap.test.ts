// docs/reference/metadata.md#bulk-ingest-over-rest: rows are read while those before them are written, one batch after
// the other.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { DEFAULT_LIMITS, type Limits } from '../../platform/config/limits-section.ts';
import { DomainError } from '../../platform/errors.ts';
import { Intake } from '../../platform/intake/intake.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { answeringBulk } from '../../rest-compat/bulk/answer-bulk.ts';
import type { BulkOptions, IngestVariables } from '../../rest-compat/bulk/ingest-batch.ts';
import { metadataEnvelope } from '../../rest-compat/envelopes.ts';
import type { RestRoute } from '../../rest-compat/route.ts';

const ROUTE = {
  operation: 'mutation',
  pick: 'done',
  query: {},
  variables: () => ({ table: {} }),
} as unknown as RestRoute; // what bulk ingest reads of its row

let server: http.Server | undefined;
afterEach(() => {
  server?.close();
});

/** Serves bulk ingest over a writer of batches. @returns its address */
async function served(
  write: (variables: IngestVariables) => Promise<void>,
  limits: Partial<Limits> = {},
): Promise<string> {
  const intake = new Intake({ limits: { ...DEFAULT_LIMITS, ...limits }, isTrusted: () => false });
  const run = async (variables: IngestVariables) => {
    await write(variables);
    const { entities } = variables;
    const results = entities.map(({ id }) => ({ id, version: 1 }));
    const changes = entities.map(() => 'CREATED');
    const done = { created: entities.length, updated: 0, unchanged: 0, changes, results, errors: [] };
    return { data: { done }, extensions: { schemaVersion: '1' } };
  };
  const answer = answeringBulk(
    {
      prepare: () => ({ run }),
      envelope: metadataEnvelope,
      refuse: (message: string) => new DomainError('invalid_request', message),
      extensions: () => Promise.resolve({ schemaVersion: '1' }),
    } as unknown as BulkOptions, // what bulk ingest asks of a component
    (ctx, thrown) => {
      ctx.res.writeHead(thrown instanceof DomainError ? thrown.status : 500).end('{}');
      return Promise.resolve();
    },
  );
  server = http.createServer((req, res) => {
    intake.expect(req, res);
    const caller = { actor: 'user:a', roles: ['admin'], projects: [], requestId: 'r' };
    void answer(ROUTE, {
      req,
      res,
      caller,
      search: '',
      requestId: 'r',
      ip: '127.0.0.1',
    } as unknown as RequestContext); // of these it knows
  });
  intake.guard(server);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
}

const row = (i: number): string => `${JSON.stringify({ entity_type: 'T', id: `e${i}`, data: { i } })}\n`;
const rows = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => row(from + i)).join('');

interface Told {
  readonly data: {
    readonly created: number;
    readonly failed: number;
    readonly outcomes: readonly { readonly row: number; readonly id?: string; readonly message?: string }[];
  };
}

async function post(url: string, body: string | ReadableStream): Promise<{ status: number; told: Told }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body,
    duplex: 'half',
  });
  return { status: response.status, told: (await response.json()) as Told };
}

test('rows are read while others are written, and written one batch after the other, in their order', async () => {
  const batches: string[] = [];
  let writing = 0;
  let isOpen = false;
  const url = await served(async ({ entities }) => {
    expect(++writing).toBe(1);
    batches.push(`${entities[0]?.id} ${entities.length}`);
    for (let waited = 0; batches.length === 1 && !isOpen && waited < 10_000; waited += 10) await sleep(10);
    writing--;
  });
  const body = new ReadableStream({
    async start(controller) {
      const text = new TextEncoder();
      controller.enqueue(text.encode(rows(0, 1400)));
      await sleep(100);
      isOpen = true; // the first batch is still being written
      controller.enqueue(text.encode(rows(1400, 1600)));
      controller.close();
    },
  });
  const { status, told } = await post(url, body);
  expect([status, told.data.created, told.data.failed]).toEqual([200, 1600, 0]);
  expect(batches).toEqual(['e0 500', 'e500 500', 'e1000 500', 'e1500 100']);
  expect(told.data.outcomes.map(({ id }) => id)).toEqual(Array.from({ length: 1600 }, (_, i) => `e${i}`));
});

test('what was read while a batch failed is not written, and the answer says from which row on', async () => {
  const batches: number[] = [];
  const url = await served(async ({ entities }) => {
    batches.push(entities.length);
    await sleep(200); // long enough for the rows after it to be read
    if (batches.length === 2)
      throw new DomainError('component_unavailable', 'the database is away', {
        component: 'metadata',
        upstream_status: null,
      });
  });
  const { status, told } = await post(url, rows(0, 1300));
  expect(batches).toEqual([500, 500]);
  expect([status, told.data.created]).toEqual([207, 500]);
  expect(told.data.outcomes).toHaveLength(1001);
  expect(told.data.outcomes[500]).toMatchObject({ row: 500, message: 'the database is away' });
  expect(told.data.outcomes.at(-1)).toMatchObject({
    row: 1000,
    message: 'the database is away; rows from here on were not written',
  });
});

test('where the first batch fails, the request does', async () => {
  const url = await served(async () => {
    await sleep(50);
    throw new DomainError('conflict', 'not now');
  });
  expect((await post(url, rows(0, 1300))).status).toBe(409);
});

test('outcomes that find no room end the request behind a batch, and what was written is told', async () => {
  let written = 0;
  const count = ({ entities }: IngestVariables) => {
    written += entities.length;
    return Promise.resolve();
  };
  const url = await served(count, { bodyBytesPerActor: 1_000_000 });
  const { status, told } = await post(url, rows(0, 40_000));
  expect(status).toBe(207);
  expect(written).toBeGreaterThan(0);
  expect(written).toBeLessThan(40_000);
  expect(told.data.created).toBe(written);
  const { outcomes } = told.data;
  expect(outcomes.slice(0, written).map(({ row }) => row)).toEqual(
    Array.from({ length: written }, (_, i) => i),
  );
  expect(outcomes.slice(0, written).every(({ message }) => message === undefined)).toBe(true);
  expect(outcomes.at(-1)).toMatchObject({
    row: outcomes.length - 1,
    code: 429,
    message: expect.stringContaining('rows from here on were not written') as string,
  });
});
