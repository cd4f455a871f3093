// What the tests of typed writes share.
import { afterAll, beforeAll, expect } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';

export let server: TestServer;

export async function ask<T>(
  source: string,
  variables: Record<string, unknown> = {},
  key?: string,
): Promise<{ data: T; errors?: { message: string; path?: unknown[]; extensions: { code: string } }[] }> {
  const { body } = await server.graphql(source, variables, key === undefined ? {} : { key });
  return body as { data: T };
}

export async function told<T>(
  source: string,
  variables: Record<string, unknown> = {},
  key?: string,
): Promise<T> {
  const { data, errors } = await ask<T>(source, variables, key);
  if (errors?.[0]) throw new Error(`${errors[0].extensions.code}: ${errors[0].message}`);
  return data;
}

const settled = async (): Promise<void> => {
  for (let i = 0; i < 100; i++) {
    const { errors } = await ask('{ typed { puddleList { totalCount } specimenList { totalCount } } }');
    if (!errors) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

/** Starts what the tests of a file share, and ends it after them. */
export function setUp(): void {
  beforeAll(async () => {
    server = await startServer();
    const schemas = [
      {
        name: 'Puddle',
        description: 'Where specimens are from.',
        fields: [
          { name: 'label', field_type: 'string', required: true },
          { name: 'project', field_type: 'string' },
        ],
      },
      {
        name: 'Specimen',
        fields: [
          { name: 'puddle', field_type: 'ref', references: 'Puddle', required: true },
          { name: 'also', field_type: 'ref', references: 'Puddle', many: true },
          { name: 'state', field_type: 'enum', values: ['fresh', 'dried'], required: true, default: 'fresh' },
          { name: 'legs', field_type: 'int' },
          { name: 'mass mg', field_type: 'float' },
          { name: 'found', field_type: 'date' },
          { name: 'alive', field_type: 'bool' },
          { name: 'notes', field_type: 'json' },
          { name: 'count', field_type: 'int' },
          { name: 'project', field_type: 'string' },
        ],
      },
      { name: 'Beetle', parent: 'Specimen', fields: [{ name: 'horns', field_type: 'int' }] },
      { name: 'Empty', fields: [] },
    ];
    for (const schema of schemas)
      expect(
        (await server.rest('POST', '/api/v1/metadata/schemas', { body: { version: '1', ...schema } })).status,
      ).toBeLessThan(300);
    await settled();
  });

  afterAll(() => server[Symbol.asyncDispose]());
}
