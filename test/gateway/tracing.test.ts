// OpenTelemetry traces: from the edge to SQL, one trace across processes, and no overhead if it is off.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from 'graphql-ws';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { projectRoot } from '../../platform/project-root.ts';
import { collector } from '../testkit/otlp-collector.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { waitFor } from '../testkit/wait-for.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const config = (url: string, more = ''): string => `observability: {tracing: {otlp_url: "${url}"${more}}}\n`;
const SAMPLE = { name: 'Sample', version: '1.0.0', fields: [{ name: 'name', field_type: 'string' }] };

test('a request is one trace, from the edge to SQL, below the traceparent that came with it', async () => {
  await using otlp = await collector();
  await using server = await startServer({ config: config(otlp.url), transport: 'in-process' });
  await server.rest('POST', '/api/v1/metadata/schemas', { body: SAMPLE });
  await server.rest('POST', '/api/v1/metadata/ingest', {
    body: { entity_type: 'Sample', id: 's1', data: { name: 'not in any span' } },
  });
  const answer = await server.rest('GET', '/api/v1/metadata/entities/s1?expand=x', {
    headers: { traceparent: `00-${TRACE}-${PARENT}-01` },
  });
  await waitFor(() => {
    expect(otlp.of(TRACE).length).toBeGreaterThanOrEqual(3);
  });
  const spans = otlp.of(TRACE);
  const root = spans.find(({ parentSpanId }) => parentSpanId === PARENT);
  expect(root).toMatchObject({
    service: 'cairn',
    name: 'GET /api/v1/metadata/entities/{entity_id}',
    kind: 2,
    attributes: {
      'http.request.method': 'GET',
      'http.route': '/api/v1/metadata/entities/{entity_id}',
      'url.path': '/api/v1/metadata/entities/s1',
      'cairn.request_id': answer.headers.get('x-request-id'),
    },
  });
  const operation = spans.find(({ attributes }) => attributes['cairn.component'] === 'metadata');
  expect(operation?.parentSpanId).toBe(root?.spanId);
  const statements = spans.filter(({ attributes }) => attributes['db.system.name'] === 'postgresql');
  expect(statements.length).toBeGreaterThan(0);
  for (const { parentSpanId, kind, attributes } of statements) {
    expect([root?.spanId, operation?.spanId]).toContain(parentSpanId);
    expect(kind).toBe(3);
    expect(attributes['db.query.text']).toMatch(/\w/);
  }
  expect(JSON.stringify(otlp.spans)).not.toMatch(/not in any span|sk_/); // neither values nor credentials
});

test('writes and GraphQL are traced as well, with their failures', async () => {
  await using otlp = await collector();
  await using server = await startServer({ config: config(otlp.url), transport: 'in-process' });
  await server.rest('POST', '/api/v1/metadata/schemas', { body: SAMPLE });
  await server.graphql(
    'mutation Add { ingestEntity(entityType: "Sample", data: {name: "x"}) { id } }',
    {},
    { headers: { traceparent: `00-${TRACE}-${PARENT}-01` } },
  );
  await server.graphql('mutation Wrong { ingestEntity(entityType: "None", data: {}) { id } }');
  await waitFor(() => {
    expect(otlp.spans.map(({ name }) => name)).toContain('metadata Wrong');
  });
  const [added] = otlp.of(TRACE).filter(({ name }) => name === 'metadata Add');
  expect(added).toMatchObject({
    attributes: { 'graphql.operation.type': 'mutation', 'graphql.operation.name': 'Add' },
    status: {},
  });
  expect(otlp.of(TRACE).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['POST /graphql', 'BEGIN', 'COMMIT']),
  );
  expect(otlp.spans.find(({ name }) => name === 'metadata Wrong')?.status.code).toBe(2);
});

/**
 * Runs operations over one WebSocket with this trace context; returns the first message of each, or its
 * refusal.
 */
async function overWebSocket(server: TestServer, operations: readonly string[]): Promise<unknown[]> {
  const headers = { 'x-api-key': server.key, traceparent: `00-${TRACE}-${PARENT}-01` };
  class Traced extends WebSocket {
    constructor(url: string, protocols: string) {
      super(url, protocols, { headers });
    }
  }
  const client = createClient({
    url: `${server.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: Traced,
    retryAttempts: 0,
  });
  const answers: unknown[] = [];
  for (const query of operations) {
    try {
      for await (const { data } of client.iterate({ query })) {
        answers.push(data);
        break;
      }
    } catch (refusal) {
      answers.push(refusal);
    }
  }
  await client.dispose();
  return answers;
}

test('every operation over a WebSocket is a span, below the traceparent that the connection came with', async () => {
  await using otlp = await collector();
  await using server = await startServer({ config: config(otlp.url), transport: 'in-process' });
  await server.rest('POST', '/api/v1/metadata/schemas', { body: SAMPLE });
  const [added, refused, first] = await overWebSocket(server, [
    'mutation Add { ingestEntity(entityType: "Sample", data: {name: "x"}) { id } }',
    'query Wrong { nothing }',
    'subscription Feed { provenanceEvents(after: "start") { token } }',
  ]);
  expect([added, refused, first]).toMatchObject([
    { ingestEntity: { id: expect.any(String) as unknown } },
    [{ extensions: { code: 'INVALID_REQUEST' } }],
    { provenanceEvents: { token: expect.any(String) as unknown } },
  ]);
  const operations = () => otlp.of(TRACE).filter(({ name }) => name === 'WS /graphql');
  await waitFor(() => {
    expect(operations()).toHaveLength(3);
  });
  for (const { parentSpanId, kind, attributes } of operations()) {
    expect([parentSpanId, kind]).toEqual([PARENT, 2]);
    expect(attributes).toMatchObject({
      'http.route': '/graphql',
      'cairn.request_id': expect.stringMatching(/^[\da-f-]{36}$/) as unknown,
    });
  }
  const statuses = operations().map(({ attributes }) => [
    attributes['graphql.operation.name'],
    Number(attributes['http.response.status_code']),
  ]);
  expect(statuses).toEqual(
    expect.arrayContaining([
      ['Add', 200],
      ['Feed', 200],
    ]),
  );
  expect(statuses.map(([, status]) => status)).toContain(400);
  const add = operations().find(({ attributes }) => attributes['graphql.operation.name'] === 'Add');
  await waitFor(() => {
    expect(otlp.of(TRACE).find(({ name }) => name === 'metadata Add')?.parentSpanId).toBe(add?.spanId);
  });
});

test('the trace continues in a component in another process', async () => {
  await using otlp = await collector();
  await using server = await startServer({ config: config(otlp.url), transport: 'http' });
  await server.rest('GET', '/api/v1/metadata/entities', {
    headers: { traceparent: `00-${TRACE}-${PARENT}-01` },
  });
  const asked = () =>
    otlp
      .of(TRACE)
      .find(({ service, attributes }) => service === 'cairn' && attributes['cairn.component'] === 'metadata');
  const answering = () =>
    otlp.of(TRACE).find(({ service, kind }) => service === 'cairn-metadata' && kind === 2);
  await waitFor(() => {
    // each process sends its own spans, possibly an inner one before its parents
    expect(
      otlp
        .of(TRACE)
        .some(
          ({ service, attributes }) =>
            service === 'cairn-metadata' && attributes['db.system.name'] === 'postgresql',
        ),
    ).toBe(true);
    expect(otlp.of(TRACE).some(({ parentSpanId }) => parentSpanId === PARENT)).toBe(true);
    expect([asked(), answering()]).not.toContain(undefined);
  });
  expect(asked()?.kind).toBe(3);
  expect(answering()?.parentSpanId).toBe(asked()?.spanId);
});

test('sample_ratio says how many begin a trace; a traceparent says for itself', async () => {
  await using otlp = await collector();
  await using server = await startServer({
    config: config(otlp.url, ', sample_ratio: 0'),
    transport: 'in-process',
  });
  const get = (traceparent?: string) =>
    server.rest('GET', '/api/v1/metadata/schemas', {
      headers: traceparent === undefined ? {} : { traceparent },
    });
  for (let i = 0; i < 5; i++) await get();
  await get(`00-${'a'.repeat(32)}-${PARENT}-00`);
  await get(`00-${TRACE}-${PARENT}-01`);
  await waitFor(() => {
    expect(otlp.of(TRACE).length).toBeGreaterThan(0);
  });
  expect(otlp.spans.every(({ traceId }) => traceId === TRACE)).toBe(true);
});

test(
  'a collector that refuses, or is not there, neither fails a request nor keeps the server from ending',
  { timeout: 120_000 },
  async () => {
    await using refusing = await collector(400);
    for (const url of [refusing.url, 'http://127.0.0.1:9/v1/traces']) {
      const server = await startServer({ config: config(url), transport: 'in-process' });
      expect((await server.rest('GET', '/api/v1/metadata/schemas')).status).toBe(200);
      const started = performance.now();
      await server[Symbol.asyncDispose]();
      expect(performance.now() - started).toBeLessThan(9000);
    }
  },
);

test('without a configured collector no tracing package is loaded', () => {
  const folders = ['platform', 'router', 'subgraphs', 'rest-compat', 'cli', 'portal', 'standalone'];
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => path.join(folder, name)),
  );
  expect(files.length).toBeGreaterThan(200);
  const importing = files.filter((file) =>
    /^import (?!type)[^;]*'@opentelemetry\//m.test(readFileSync(path.join(projectRoot, file), 'utf8')),
  );
  expect(importing).toEqual([]);
  const using = files.filter((file) =>
    readFileSync(path.join(projectRoot, file), 'utf8').includes("import('@opentelemetry/"),
  );
  expect(using).toEqual(['platform/tracing/open-telemetry.ts']);
});
