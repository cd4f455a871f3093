// What the tests of uploads over HTTP share.
import { afterAll, beforeAll, expect } from 'vitest';
import { type Answer, startServer, type TestServer } from '../testkit/server.ts';
import { addSchema } from './production-testkit.ts';
import { field } from './schema-field.ts';
import { SAMPLE_FILE } from './stored-files.ts';

export const UPLOADS = '/api/v1/artifact/uploads';

export const FILES = '/api/v1/artifact/files';

export const PART = 'application/offset+octet-stream';

export let server: TestServer;

/** Keys of a viewer, and of an analyst of another project. */
export let viewer: string;
export let other: string;

/** Starts what the tests of a transport share, and ends it after them. */
export function setUp(transport: 'in-process' | 'http'): void {
  beforeAll(async () => {
    server = await startServer({ transport });
    await addSchema(server, {
      ...SAMPLE_FILE,
      fields: [...SAMPLE_FILE.fields, field('bams', 'uri', { many: true })],
    });
    viewer = await server.newKey({ role: 'viewer', owner: 'user:viewer' });
    other = await server.newKey({ role: 'analyst', project: 'p2', owner: 'user:other' });
  });

  afterAll(() => server[Symbol.asyncDispose]());
}

export const entity = async (id: string, data: Record<string, unknown> = {}): Promise<void> => {
  const body = { id, entity_type: 'SampleFile', data };
  expect((await server.rest('POST', '/api/v1/metadata/ingest', { body })).status).toBeLessThan(300);
};

export const create = async (headers: Record<string, string>): Promise<Answer> =>
  server.rest('POST', UPLOADS, { headers: { 'tus-resumable': '1.0.0', ...headers } });

export const begun = async (length: number, metadata?: string): Promise<string> => {
  const { headers, status } = await create({
    'upload-length': String(length),
    ...(metadata === undefined ? {} : { 'upload-metadata': metadata }),
  });
  expect(status).toBe(201);
  return headers.get('location') ?? '';
};

export const patch = (
  to: string,
  offset: number,
  body: Buffer | string,
  headers: Record<string, string> = {},
  key?: string,
): Promise<Answer> =>
  server.rest('PATCH', to, {
    body,
    headers: {
      'content-type': PART,
      'upload-offset': String(offset),
      'tus-resumable': '1.0.0',
      ...headers,
    },
    ...(key === undefined ? {} : { key }),
  });

export const put = (to: string, body: string): Promise<Answer> =>
  server.rest('PUT', to, { body, headers: { 'content-type': 'text/plain' } });

export const offsetOf = async (to: string): Promise<number> =>
  Number((await server.rest('HEAD', to)).headers.get('upload-offset'));

export const download = (hex: string, key: string | null = server.key): Promise<Answer> =>
  server.rest('GET', `${FILES}/${hex}`, { key });
