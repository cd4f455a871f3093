// A process whose heap is small takes in less, instead of being ended by V8 (docs/operations.md#what-one-process-takes-in).
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { scratchDirectory } from './testkit/scratch-space.ts';
import { startProcess } from './testkit/server-process.ts';

const MB = 1_000_000;
const BODIES = 100;
/** Entities of one body. */
const ENTITIES = 4500;
const TEXT = 'x'.repeat(1900);

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

interface Loaded {
  readonly data: { readonly ingestEntities: { readonly created: number; readonly errors: unknown } };
  readonly errors?: unknown;
}

const ALLOWED = [
  [200, undefined],
  [408, undefined], // on a busy machine the client, which is this process, takes long to begin
  [429, '1'],
  [503, '1'],
];
function expectAllowed({ status, retryAfter, text }: Answer): void {
  expect(ALLOWED, text).toContainEqual([status, retryAfter]);
}

const QUERY =
  'mutation Load($entities: [IngestedEntity!]!) { ingestEntities(entities: $entities, allOrNothing: true) { created errors { code message } } }';

/** A hundred of them need not be in this process at once. Each has the same length. */
function* bulk(group: string): Generator<string> {
  yield `{"query": ${JSON.stringify(QUERY)}, "variables": {"entities": [`;
  for (let i = 0; i < ENTITIES; i++)
    yield `${i === 0 ? '' : ','}{"entityType":"Load","id":"${group}:${i}","data":{"g":"${group}","t":"${TEXT}"}}`;
  yield ']}}';
}
const groupOf = (number: number): string => `b${String(number).padStart(3, '0')}`;
const LENGTH = [...bulk(groupOf(0))].reduce((sum, part) => sum + part.length, 0);

test('with 128 MB of heap, sixteen ingests of 0.9 MB and a hundred bodies of 9 MB end no process, and lose nothing', async () => {
  const directory = scratchDirectory('small-heap');
  const config = path.join(directory, 'gateway.yaml');
  await writeFile(config, 'server: {lame_duck_seconds: 0}\n');
  const server = await startProcess({
    dataDir: path.join(directory, 'data'),
    env: { CAIRN_CONFIG: config, NODE_OPTIONS: '--max-old-space-size=128' },
  });
  try {
    const post = async (at: string, body: string | Readable, length?: number): Promise<Answer> => {
      const {
        statusCode,
        headers,
        body: answer,
      } = await request(server.url + at, {
        method: 'POST',
        headers: {
          'x-api-key': server.key,
          'content-type': 'application/json',
          ...(length === undefined ? {} : { 'content-length': String(length) }),
        },
        body,
      });
      const retryAfter = headers['retry-after']?.toString();
      return { status: statusCode, retryAfter, text: await answer.text() };
    };
    const fields = ['g', 't'].map((name) => ({ name, field_type: 'string' }));
    const schema = JSON.stringify({ name: 'Load', version: '1', fields });
    expect(await post('/api/v1/metadata/schemas', schema)).toMatchObject({ status: 200 });
    /** The groups whose writes were acknowledged, with how many entities. */
    const acknowledged = new Map<string, number>();
    const ingest = async (id: string): Promise<Answer> => {
      const data = { g: id, t: 'x'.repeat(0.9 * MB) };
      const body = JSON.stringify({ entity_type: 'Load', id, data });
      const answer = await post('/api/v1/metadata/ingest', body);
      if (answer.status === 200) acknowledged.set(id, 1);
      return answer;
    };
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 16 }, (_, i) => ingest(`l:${round}:${i}`)));
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
      answers.forEach(expectAllowed);
    }
    const answers = await Promise.all(
      Array.from({ length: BODIES }, (_, n) => post('/graphql', Readable.from(bulk(groupOf(n))), LENGTH)),
    );
    answers.forEach(expectAllowed);
    const taken = answers.flatMap(({ status, text }, n) => (status === 200 ? [{ n, text }] : []));
    for (const { n, text } of taken) {
      const { data, errors } = JSON.parse(text) as Loaded;
      expect(errors).toBeUndefined();
      if (data.ingestEntities.created === ENTITIES) acknowledged.set(groupOf(n), ENTITIES);
      // the process stood still while it wrote, again and again
      else expect(data.ingestEntities).toEqual({ created: 0, errors: [{ code: 503 }] });
    }
    expect([...acknowledged.values()]).toContain(ENTITIES);
    const metrics = await (await fetch(`${server.url}/api/v1/gateway/metrics`)).text();
    const most = Number(/^cairn_body_bytes_max (\d+)$/m.exec(metrics)?.[1]);
    const heap = Number(/^cairn_heap_limit_bytes (\d+)$/m.exec(metrics)?.[1]);
    expect(most).toBe(Math.floor(heap / 8));
    expect(await ingest('afterwards')).toMatchObject({ status: 200 });
    // with what its values take, it is larger than all that one caller may have under way
    const values = JSON.stringify({
      entity_type: 'Load',
      id: 'values',
      data: { t: Array(450_000).fill([1]) },
    });
    const refused = await post('/api/v1/metadata/ingest', values);
    expect(refused).toMatchObject({ status: 413, retryAfter: undefined });
    expect(refused.text).toContain(`${Math.floor(most / 2)} bytes`);

    const counted = await fetch(
      `${server.url}/api/v1/metadata/aggregate?entity_type=Load&group_by=g&limit=1000`,
      { headers: { 'x-api-key': server.key } },
    );
    const { data } = (await counted.json()) as {
      data: { groups: { key: { g: string }; count: number }[] };
    };
    // what was refused is not there, not even in part
    expect(new Map(data.groups.map(({ key, count }) => [key.g, count]))).toEqual(acknowledged);
    expect(await server.end('SIGTERM')).toBe(0);
  } finally {
    await server.end('SIGKILL');
  }
});
