// What the tests of typed reads share.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';

export let server: TestServer;

/** Registers a schema, and waits until the graph has the change: over HTTP, that takes a moment. */
export async function define(body: object): Promise<void> {
  const read = async (): Promise<string> =>
    (await server.graphql('{ __schema { types { name fields { name } } } }')).text;
  const before = await read();
  expect(
    (await server.rest('POST', '/api/v1/metadata/schemas', { body: { version: '1', ...body } })).text,
  ).toContain('"created"');
  for (let i = 0; i < 200 && (await read()) === before; i++) await sleep(50);
}

export const ingest = async (entity_type: string, id: string, data: object): Promise<void> => {
  expect(
    (await server.rest('POST', '/api/v1/metadata/ingest', { body: { entity_type, id, data } })).status,
  ).toBe(200);
};

export async function typed<T>(
  selection: string,
  variables: Record<string, unknown> = {},
  key?: string,
  head = '',
): Promise<T> {
  const { body } = await server.graphql(
    `query T${head} { typed { ${selection} } }`,
    variables,
    key === undefined ? {} : { key },
  );
  if (body.errors) throw new Error(`${body.errors[0].extensions.code}: ${body.errors[0].message}`);
  return body.data.typed as T;
}

/** Starts what the tests of a file share, and ends it after them. */
export function setUp(): void {
  beforeAll(async () => {
    server = await startServer();
    await define({
      name: 'Donor',
      description: 'Who "gave".\nTwo lines.',
      fields: [
        { name: 'label', field_type: 'string' },
        { name: 'project', field_type: 'string' },
      ],
    });
    await define({
      name: 'Sample',
      fields: [
        { name: 'donor', field_type: 'ref', references: 'Donor' },
        { name: 'relatives', field_type: 'ref', references: 'Sample', many: true },
        { name: 'age', field_type: 'int', required: true },
        { name: 'depth', field_type: 'float' },
        { name: 'tissue', field_type: 'enum', values: ['liver', 'skin'] },
        { name: 'tags', field_type: 'string', many: true },
        { name: 'fresh', field_type: 'bool' },
        { name: 'extra', field_type: 'json' },
        { name: 'drawn', field_type: 'date' },
        { name: 'Ph-Wert', field_type: 'float' },
        { name: 'id_type', field_type: 'string' },
        { name: 'project', field_type: 'string' },
        { name: 'for', field_type: 'string' },
      ],
    });
    await define({ name: 'Biopsy', parent: 'Sample', fields: [{ name: 'needle', field_type: 'string' }] });
    for (let i = 0; i < 3; i++)
      await ingest('Donor', `d${i}`, { label: `Donor ${i}`, ...(i === 2 ? { project: 'alpha' } : {}) });
    for (let i = 0; i < 12; i++) {
      await ingest(i % 4 === 3 ? 'Biopsy' : 'Sample', `s${String(i).padStart(2, '0')}`, {
        donor: `d${i % 4}`,
        age: 20 + i,
        depth: i / 2,
        tissue: i % 2 ? 'liver' : 'skin',
        tags: [`t${i % 3}`, 'all'],
        fresh: i % 3 === 0,
        extra: { deep: [i] },
        drawn: `2024-01-${String(10 + i)}`,
        'Ph-Wert': 7 + i / 10,
        relatives: i > 0 ? [`s${String(i - 1).padStart(2, '0')}`, 'd0', 'nobody'] : [],
        for: 'x',
        ...(i === 11 ? { project: 'alpha' } : {}),
        ...(i === 5 ? { id_type: 'here' } : {}),
      });
    }
  });

  afterAll(() => server[Symbol.asyncDispose]());
}
