// The component's own health and information (docs/reference/metadata.md#status).
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { REST_API_KINDS } from '../../rest-compat/rest-apis.ts';
import { metadataFace } from '../testkit/metadata-rest-api.ts';
import { freshMetadata } from '../testkit/metadata.ts';

const nobody = {
  actor: 'anonymous',
  roles: [],
  projects: [],
  requestId: '00000000-0000-4000-8000-000000000001',
} as const;

test("health and information need no credential, in the component's envelope", async () => {
  await using metadata = await freshMetadata();
  const rest = metadataFace(metadata.component);
  expect(await rest('GET', '/health', { caller: nobody })).toMatchObject({
    status: 200,
    body: {
      data: { status: 'healthy', service: 'metadata' },
      error: null,
      meta: { schema_version: '0', request_id: nobody.requestId },
    },
  });
  const { version } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  expect((await rest('GET', '/', { caller: nobody })).body.data).toEqual({
    service: 'metadata',
    version,
    docs: '/api/v1/docs',
  });
  await expect(rest('GET', '/entities', { caller: nobody })).rejects.toMatchObject({
    code: 'insufficient_role',
  });
});

test('health is 503 while the database does not answer', async () => {
  await using metadata = await freshMetadata();
  const rest = metadataFace(metadata.component);
  const { pool } = metadata.database;
  const query = pool.query.bind(pool);
  Object.assign(pool, { query: () => Promise.reject(new Error('gone')) });
  expect(await rest('GET', '/health', { caller: nobody })).toMatchObject({
    status: 503,
    body: { data: { status: 'unhealthy', service: 'metadata' } },
  });
  expect(await metadata.component.probe(AbortSignal.timeout(1000))).toBe(503);
  Object.assign(pool, { query });
  expect(await metadata.component.probe(AbortSignal.timeout(1000))).toBe(200);
});

test('no other endpoint is public', () => {
  expect(
    REST_API_KINDS.metadata.rows
      .filter((row) => row.access === 'public')
      .map((row) => `${row.method} ${row.path}`),
  ).toEqual([
    'GET /health',
    'GET /',
    'OPTIONS /ga4gh/drs/v1/objects/{object_id}',
    'OPTIONS /ga4gh/drs/v1/objects',
    'GET /ga4gh/drs/v1/service-info',
  ]);
});
