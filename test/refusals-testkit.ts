// What the tests of refusals share.
import { afterAll, beforeAll } from 'vitest';
import { type Answer, startServer, type TestServer } from './testkit/server.ts';

export interface Body {
  data?: unknown;
  error?: { code: number; message: string };
  meta: { warnings?: string[] };
  errors?: { extensions: { code: string } }[];
  extensions?: { warnings?: string[] };
}

export const bodyOf = ({ body }: Answer): Body => body as Body;

export let server: TestServer;

export const list = (query: Record<string, string>): Promise<Answer> =>
  server.rest('GET', `/api/v1/metadata/entities?${new URLSearchParams(query).toString()}`);

/** The key of a viewer. */
export let viewer: string;

/** Starts what the tests of a file share, and ends it after them. */
export function setUp(): void {
  beforeAll(async () => {
    server = await startServer();
    viewer = await server.newKey({ role: 'viewer', owner: 'user:somebody' });
    const field = (name: string) => ({ name, field_type: 'string' });
    await server.rest('POST', '/api/v1/metadata/schemas', {
      body: { name: 'Sample', version: '1', fields: [field('name'), field('tissue')] },
    });
    await server.rest('POST', '/api/v1/metadata/schemas', {
      body: { name: 'Biopsy', version: '1', parent: 'Sample', fields: [field('organ')] },
    });
    for (const id of ['a', 'a;b'])
      await server.rest('POST', '/api/v1/metadata/ingest', {
        body: { entity_type: 'Sample', id, data: { name: 'x' } },
      });
  }, 120_000);

  afterAll(() => server[Symbol.asyncDispose]());
}
