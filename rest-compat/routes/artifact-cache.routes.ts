// REST rows of the artifact store: eviction and verification (contract 4 «DELETE /cache»).
import { PAGE, text } from '../parameters.ts';
import { route, type Row } from '../route.ts';

const EVICT = `mutation EvictFiles($hash: ID, $olderThan: String, $entityType: String, $all: Boolean!) {
  evictFiles(hash: $hash, olderThan: $olderThan, entityType: $entityType, all: $all) { evicted bytes }
}`;

export const cacheRows: readonly Row[] = [
  route({
    method: 'DELETE',
    path: '/cache',
    summary: 'Takes files out of the artifact store, but for those that productions under way need or have made; entities that are backed by them stay, unavailable.',
    operation: EVICT,
    pick: 'evictFiles',
    query: { older_than: text('Only files that have not been used for this long: `30d`, `12h`, `90m`, `45s`.'), entity_type: text('Only files of entities of this type.') },
    variables: ({ query }) => ({ hash: null, olderThan: query.older_than, entityType: query.entity_type, all: false }),
  }),
  route({
    method: 'DELETE',
    path: '/cache/{hash}',
    summary: 'Takes one file out of the artifact store by its SHA-256, or all of them by `*`, but for those that productions under way need or have made; entities that are backed by them stay, unavailable.',
    operation: EVICT,
    pick: 'evictFiles',
    query: { older_than: text('Only files that have not been used for this long.'), entity_type: text('Only files of entities of this type.') },
    variables: ({ params, query }) => ({ hash: params.hash === '*' ? null : params.hash, olderThan: query.older_than, entityType: query.entity_type, all: params.hash === '*' }),
  }),
  route({
    method: 'POST',
    path: '/cache/verify',
    summary: 'Reads stored files through and compares them with their digests. Nothing is changed.',
    operation: 'mutation VerifyFiles($limit: Int!, $after: ID) { verifyFiles(limit: $limit, after: $after) { checked missing damaged last } }',
    pick: 'verifyFiles',
    query: { limit: PAGE.limit, after: text('`last` of an earlier verification: goes on behind it.') },
    variables: ({ query }) => ({ ...query }),
  }),
];
