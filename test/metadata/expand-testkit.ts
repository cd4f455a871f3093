// What the tests of expansion share.
import { afterAll, beforeAll, expect } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';

export const SCHEMAS = [
  {
    name: 'Donor',
    version: '1',
    fields: [
      { name: 'name', field_type: 'string' },
      { name: 'partner', field_type: 'ref', references: 'Donor' },
      { name: 'project', field_type: 'string' },
    ],
  },
  {
    name: 'Sample',
    version: '1',
    fields: [
      { name: 'donor', field_type: 'ref', references: 'Donor' },
      { name: 'parts', field_type: 'ref', references: 'Sample', many: true },
      { name: 'label', field_type: 'string' },
    ],
  },
  {
    name: 'SubSample',
    version: '1',
    parent: 'Sample',
    fields: [{ name: 'twin', field_type: 'ref', references: 'Sample' }],
  },
];

const ENTITIES: readonly (readonly [string, Record<string, unknown>])[] = [
  ['Donor', { id: 'd1', name: 'one', partner: 'd2' }],
  ['Donor', { id: 'd2', name: 'two', partner: 'd1' }],
  ['Donor', { id: 'hidden', name: 'h', project: 'beta' }],
  ['Sample', { id: 's1', donor: 'd1', parts: ['s2', 's3', 'nothing'] }],
  ['Sample', { id: 's2', donor: 'd2' }],
  ['Sample', { id: 's3', donor: 'nowhere', parts: [] }],
  ['SubSample', { id: 's4', donor: 'hidden', twin: 's1' }],
  ['Sample', { id: 's5', donor: null }],
];

const RELATIONS = [
  ['s1', 'd1', 'taken_from'],
  ['s1', 's2', 'derived_from'],
  ['s1', 's4', 'derived_from'],
  ['s2', 's1', 'derived_from'],
  ['s1', 'hidden', 'taken_from'],
  ['s3', 's3', 'derived_from'],
] as const;

export interface Shown {
  id: string;
  entity_type: string;
  data: Record<string, unknown>;
  expanded?: Expansion;
}

export type Expansion = Record<string, Shown | null | Shown[]>;

export let server: TestServer;

export const get = (path: string, key?: string) =>
  server.rest('GET', `/api/v1/metadata${path}`, key === undefined ? {} : { key });

export const idsOf = (shown: Expansion[string] | undefined): unknown =>
  Array.isArray(shown) ? shown.map((one) => one.id) : (shown?.id ?? shown);

/** Starts what the tests of a file share, and ends it after them. */
export function setUp(): void {
  beforeAll(async () => {
    server = await startServer({ config: 'metadata: {expand_limit: 4}' });
    for (const body of SCHEMAS)
      expect((await server.rest('POST', '/api/v1/metadata/schemas', { body })).status).toBe(200);
    for (const [entity_type, data] of ENTITIES)
      expect(
        (await server.rest('POST', '/api/v1/metadata/ingest', { body: { entity_type, data } })).status,
      ).toBe(200);
    for (const [source, target_entity_id, relationship_type] of RELATIONS) {
      expect(
        (
          await server.rest('POST', `/api/v1/metadata/entities/${source}/relationships`, {
            body: { target_entity_id, relationship_type },
          })
        ).status,
      ).toBe(200);
    }
  });

  afterAll(() => server[Symbol.asyncDispose]());
}
