// What the tests of bulk loads share.
import { afterAll, beforeAll } from 'vitest';
import { addSchema } from '../artifact/production-testkit.ts';
import { type Answer, startServer, type TestServer } from '../testkit/server.ts';

export const BULK = '/api/v1/metadata/ingest/bulk';

export const LINES = { 'content-type': 'application/x-ndjson' };

export const lines = (rows: readonly unknown[]): string =>
  rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n');

export let server: TestServer;

/** Starts what the tests of a transport share, and ends it after them. */
export function setUp(transport: 'in-process' | 'http'): void {
  beforeAll(async () => {
    server = await startServer({ transport });
    const field = (name: string, type: string, required = false) => ({ name, field_type: type, required });
    await addSchema(server, {
      name: 'Reading',
      version: '1',
      fields: [field('n', 'int', true), field('note', 'string'), field('project', 'string')],
    });
  });

  afterAll(() => server[Symbol.asyncDispose]());
}

export const post = (
  body: string,
  headers: Record<string, string> = LINES,
  key?: string,
  query = '',
): Promise<Answer> =>
  server.rest('POST', BULK + query, { body, headers, ...(key === undefined ? {} : { key }) });
