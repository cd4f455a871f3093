// REST rows of the artifact store: usage, eviction and verification (docs/reference/artifact.md#eviction).
import { PAGE, text } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';

const EVICT = `mutation EvictFiles($hash: ID, $olderThan: String, $entityType: String, $all: Boolean!) {
  evictFiles(hash: $hash, olderThan: $olderThan, entityType: $entityType, all: $all) { evicted bytes left { hash size reason held_by: heldBy shared_with: sharedWith } left_total: leftTotal }
}`;

interface Evicted {
  readonly evicted: number;
  readonly bytes: number;
  readonly left: readonly unknown[];
  readonly left_total: number;
}

/** The kept files are listed if there are any. */
const withLeft = ({ evicted, bytes, left, left_total: total }: Evicted): Record<string, unknown> => ({
  evicted,
  bytes,
  ...(total === 0 ? {} : { left, left_total: total }),
});

const EVICTED_SCHEMA = {
  type: 'object',
  required: ['evicted', 'bytes'],
  properties: {
    evicted: { type: 'integer' },
    bytes: { type: 'number' },
    left_total: { type: 'integer' },
    left: {
      type: 'array',
      description:
        'Files that were selected but not evicted, at most the first 1000, each with the reason. Absent if there are none.',
      items: {
        type: 'object',
        properties: {
          hash: { type: 'string' },
          size: { type: 'number' },
          reason: { type: 'string' },
          held_by: { type: 'array', items: { type: 'string' } },
          shared_with: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
};

const PART = 'files bytes';

export const cacheRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/cache',
    summary: 'Counts what is in the artifact store, and what an eviction with these parameters would take.',
    operation: `query StoreUsage($olderThan: String, $entityType: String) {
      storeUsage(olderThan: $olderThan, entityType: $entityType) {
        stored { ${PART} } evictable { ${PART} } uploaded { ${PART} } held { ${PART} } evicted { ${PART} }
        by_type: byType { entity_type: entityType ${PART} }
      }
    }`,
    pick: 'storeUsage',
    query: {
      older_than: text('Evicting files that have not been used for this long: `30d`, `12h`, `90m`, `45s`.'),
      entity_type: text('Evicting files of entities of this type.'),
    },
    variables: ({ query }) => ({ olderThan: query.older_than, entityType: query.entity_type }),
  }),
  route({
    method: 'DELETE',
    path: '/cache',
    summary:
      'Removes files from the artifact store, except files that running productions need or have made. Entities that refer to removed files remain and become unavailable.',
    operation: EVICT,
    pick: 'evictFiles',
    shape: withLeft,
    responseSchema: EVICTED_SCHEMA,
    query: {
      older_than: text('Only files that have not been used for this long: `30d`, `12h`, `90m`, `45s`.'),
      entity_type: text('Only files of entities of this type.'),
    },
    variables: ({ query }) => ({
      hash: null,
      olderThan: query.older_than,
      entityType: query.entity_type,
      all: false,
    }),
  }),
  route({
    method: 'DELETE',
    path: '/cache/{hash}',
    summary:
      'Removes one file from the artifact store by its SHA-256, or all files with `*`, except files that running productions need or have made. Entities that refer to removed files remain and become unavailable.',
    operation: EVICT,
    pick: 'evictFiles',
    shape: withLeft,
    responseSchema: EVICTED_SCHEMA,
    query: {
      older_than: text('Only files that have not been used for this long.'),
      entity_type: text('Only files of entities of this type.'),
    },
    variables: ({ params, query }) => ({
      hash: params.hash === '*' ? null : params.hash,
      olderThan: query.older_than,
      entityType: query.entity_type,
      all: params.hash === '*',
    }),
  }),
  route({
    method: 'POST',
    path: '/cache/verify',
    summary: 'Reads stored files and compares them with their hashes. Changes nothing.',
    operation:
      'mutation VerifyFiles($limit: Int!, $after: ID) { verifyFiles(limit: $limit, after: $after) { checked missing damaged last } }',
    pick: 'verifyFiles',
    query: {
      limit: PAGE.limit,
      after: text('`last` of an earlier verification, to continue after that file.'),
    },
    variables: ({ query }) => ({ ...query }),
  }),
];
