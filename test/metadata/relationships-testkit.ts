// What the tests of relationships share.
import { afterAll, beforeAll } from 'vitest';
import { metadataFace, type MetadataFace } from '../testkit/metadata-rest-api.ts';
import { callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

const TRAVERSE = `query($s: ID!, $t: String, $d: Int, $dir: RelationshipDirection, $l: Int) {
  traverse(sourceId: $s, relationshipType: $t, maxDepth: $d, direction: $dir, limit: $l) { isComplete nodes { entityId depth path relationship { id } entity { id } } } }`;

export interface Traversal {
  isComplete: boolean;
  nodes: {
    entityId: string;
    depth: number;
    path: string[];
    relationship: { id: string };
    entity: { id: string };
  }[];
}

export let metadata: FreshMetadata;

export let rest: MetadataFace;

export const make = async (...ids: string[]) => {
  for (const id of ids) await rest('POST', '/ingest', { body: { entity_type: 'Thing', data: { id } } });
};

export const relate = (source: string, target: string, type: string, more: object = {}) =>
  rest('POST', `/entities/${encodeURIComponent(source)}/relationships`, {
    body: { target_entity_id: target, relationship_type: type, ...more },
  });

export const traverse = (variables: object, caller = callerWith('viewer')) =>
  metadata.ask(TRAVERSE, { d: 10, ...variables }, caller) as Promise<Traversal>;

/** Starts what the tests of a file share, and ends it after them. */
export function setUp(): void {
  beforeAll(async () => {
    metadata = await freshMetadata();
    rest = metadataFace(metadata.component);
    await rest('POST', '/schemas', {
      body: {
        name: 'Thing',
        version: '1',
        fields: [
          { name: 'project', field_type: 'string' },
          { name: 'label', field_type: 'string' },
        ],
      },
    });
  });

  afterAll(() => metadata[Symbol.asyncDispose]());
}
