// A process whose heap is small takes in less, instead of being ended by V8 (docs/operations.md#what-one-process-takes-in).
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { scratchDirectory } from './testkit/scratch-space.ts';
import { startProcess } from './testkit/server-process.ts';

const MB = 1_000_000;

test('with 128 MB of heap, sixteen ingests of 0.9 MB and a hundred bodies of 9 MB end no process', async () => {
  const directory = scratchDirectory('small-heap');
  const config = path.join(directory, 'gateway.yaml');
  await writeFile(config, 'server: {lame_duck_seconds: 0}\n');
  const server = await startProcess({
    dataDir: path.join(directory, 'data'),
    env: { CAIRN_CONFIG: config, NODE_OPTIONS: '--max-old-space-size=128' },
  });
  try {
    const post = async (at: string, body: string): Promise<readonly [number, string | null]> => {
      const answer = await fetch(server.url + at, {
        method: 'POST',
        headers: { 'x-api-key': server.key, 'content-type': 'application/json' },
        body,
      });
      await answer.arrayBuffer();
      return [answer.status, answer.headers.get('retry-after')];
    };
    const schema = { name: 'Load', version: '1', fields: [{ name: 't', field_type: 'string' }] };
    expect(await post('/api/v1/metadata/schemas', JSON.stringify(schema))).toEqual([200, null]);
    const allowed = [
      [200, null],
      [408, null], // on a busy machine the client, which is this process, takes long to begin
      [429, '1'],
      [503, '1'],
    ];
    const ingest = (id: string): Promise<readonly [number, string | null]> =>
      post(
        '/api/v1/metadata/ingest',
        JSON.stringify({ entity_type: 'Load', id, data: { t: 'x'.repeat(0.9 * MB) } }),
      );
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 16 }, (_, i) => ingest(`l:${round}:${i}`)));
      expect(answers.filter(([status]) => status === 200).length).toBeGreaterThan(0);
      for (const answer of answers) expect(allowed).toContainEqual(answer);
    }
    const entities = Array.from({ length: 4500 }, (_, i) => ({
      entityType: 'Load',
      id: `b:${i}`,
      data: { t: 'x'.repeat(1900) },
    }));
    const query =
      'mutation Load($entities: [IngestedEntity!]!) { ingestEntities(entities: $entities) { __typename } }';
    const bulk = JSON.stringify({ query, variables: { entities } });
    const answers = await Promise.all(Array.from({ length: 100 }, () => post('/graphql', bulk)));
    for (const answer of answers) expect(allowed).toContainEqual(answer);
    const metrics = await (await fetch(`${server.url}/api/v1/gateway/metrics`)).text();
    const most = Number(/^cairn_body_bytes_max (\d+)$/m.exec(metrics)?.[1]);
    const heap = Number(/^cairn_heap_limit_bytes (\d+)$/m.exec(metrics)?.[1]);
    expect(most).toBe(Math.floor(heap / 8));
    expect(await ingest('afterwards')).toEqual([200, null]);
    expect(await server.end('SIGTERM')).toBe(0);
  } finally {
    await server.end('SIGKILL');
  }
}, 180_000);
