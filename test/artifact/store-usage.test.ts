// docs/reference/artifact.md#usage: what is in the store, by state and type, and what an eviction would take.
import { expect, test } from 'vitest';
import { startServer } from '../testkit/server.ts';
import { addFileEntity, putContent, SAMPLE_FILE } from './stored-files.ts';

const PART = '{ files bytes }';
const USAGE = `stored ${PART} evictable ${PART} uploaded ${PART} held ${PART} evicted ${PART} byType { entityType files bytes }`;

test('usage counts what is stored, and what an eviction with the same arguments takes', async () => {
  await using server = await startServer({ transport: 'in-process' });
  await server.rest('POST', '/api/v1/metadata/schemas', { body: SAMPLE_FILE });
  const usage = async (args = ''): Promise<Record<string, unknown>> => {
    const { body } = await server.graphql(`{ storeUsage${args} { ${USAGE} } }`);
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    return body.data.storeUsage as Record<string, unknown>;
  };
  const none = { files: 0, bytes: 0 };
  expect(await usage()).toEqual({
    stored: none,
    evictable: none,
    uploaded: none,
    held: none,
    evicted: none,
    byType: [],
  });
  const old = await putContent(server, 'old one');
  await putContent(server, 'new one!');
  await addFileEntity(server, { id: 'f:1', hex: old });
  await server.database.pool.query(
    `UPDATE artifact.stored_object SET last_used_at = now() - interval '9 days' WHERE hash = $1`,
    [`sha256:${old}`],
  );
  expect(await usage()).toMatchObject({
    stored: { files: 2, bytes: 15 },
    evictable: { files: 2, bytes: 15 },
    byType: [{ entityType: 'SampleFile', files: 1, bytes: 7 }],
  });
  expect(await usage('(olderThan: "7d")')).toMatchObject({ evictable: { files: 1, bytes: 7 } });
  expect(await usage('(entityType: "SampleFile")')).toMatchObject({ evictable: { files: 1, bytes: 7 } });
  const { body } = await server.graphql('mutation { evictFiles(olderThan: "7d") { evicted bytes } }');
  expect(body.data.evictFiles).toEqual({ evicted: 1, bytes: 7 });
  expect(await usage()).toMatchObject({
    stored: { files: 1, bytes: 8 },
    evicted: { files: 1, bytes: 7 },
    byType: [],
  });
  await expect(usage('(olderThan: "soon")')).rejects.toThrow(/older_than/);
  await expect(usage('(entityType: "None")')).rejects.toThrow(/None/);
});
