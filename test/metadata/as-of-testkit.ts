// What the tests of reading the past share.
import { afterAll, beforeAll } from 'vitest';
import fc from 'fast-check';
import { admin, callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

export const CREATE = 'mutation($d: JSON!) { createSchema(definition: $d) { name } }';

export const INGEST =
  'mutation($t: String!, $id: ID, $d: JSON!) { ingestEntity(entityType: $t, id: $id, data: $d) { id createdAt updatedAt } }';

export const AVAILABILITY =
  'mutation($id: ID!, $a: Boolean!) { setAvailability(id: $id, isAvailable: $a, reason: "r") { isAvailable } }';

export const RELATE =
  'mutation($s: ID!, $t: ID!, $y: String!) { relate(sourceId: $s, targetId: $t, relationshipType: $y, metadata: {a: 1}) { id } }';

export const UNRELATE =
  'mutation($s: ID!, $t: ID!, $y: String!) { unrelate(sourceId: $s, targetId: $t, relationshipType: $y) { id } }';

export const REPLACE =
  'mutation($s: ID!, $t: ID!) { supersedeEntity(id: $s, replacementId: $t) { superseded { id } } }';

export const REGISTER =
  'mutation($id: ID!, $x: String!) { registerExternalId(entityId: $id, externalId: $x) { id } }';

export const SUPERSEDE =
  'mutation($id: ID!, $x: String!, $y: String!) { supersedeExternalId(entityId: $id, oldExternalId: $x, newExternalId: $y) { id } }';

const ENTITY = 'id entityType data version createdAt updatedAt isAvailable project';

const BELOW = `${ENTITY} history(limit: 1000) { id } externalIds(includeSuperseded: true) { externalId supersededAt supersededBy } relationships { id createdAt source { ${ENTITY} } target { ${ENTITY} } }`;

export const GET = `query($id: ID!, $at: DateTime) { entity(id: $id, asOf: $at) { ${ENTITY} } }`;

const DEEP = `query($id: ID!, $at: DateTime) { entity(id: $id, asOf: $at) { ${BELOW} } }`;

const EXPAND =
  'query($id: ID!, $at: DateTime) { entity(id: $id, asOf: $at) { id expanded(paths: "next.next.likes[],likes[].next,has[]") } }';

export const STATE = `query($id: ID!, $at: DateTime!) { entityAt(id: $id, at: $at) { ${ENTITY} } }`;

export const LIST = `query($t: String, $f: String, $q: String, $p: [FieldFilter!], $o: String, $u: Boolean, $n: Int, $c: String, $k: Int, $at: DateTime) {
  entities(entityType: $t, filter: $f, q: $q, fields: $p, orderBy: $o, includeUnavailable: $u, limit: $n, cursor: $c, offset: $k, asOf: $at) { items { ${ENTITY} } total nextCursor } }`;

export const SEARCH = `query($t: String!, $q: String!, $u: Boolean, $at: DateTime) { search(entityType: $t, q: $q, includeUnavailable: $u, asOf: $at) { ${ENTITY} score } }`;

export const RELATIONSHIPS =
  'query($id: ID!, $at: DateTime) { relationships(entityId: $id, asOf: $at) { id metadata createdAt createdBy } }';

const FIND = 'query($at: DateTime) { findRelationships(limit: 1000, asOf: $at) { items { id createdAt } } }';

const TRAVERSE =
  'query($id: ID!, $at: DateTime) { traverse(sourceId: $id, direction: BOTH, asOf: $at) { nodes { entityId depth path } } }';

const EXTERNAL =
  'query($id: ID!, $at: DateTime) { externalIds(entityId: $id, includeSuperseded: true, asOf: $at) { externalId createdAt supersededAt supersededBy } }';

const AGGREGATE = `query($t: String!, $g: [String!]!, $m: [String!]!, $f: String, $p: [FieldFilter!], $u: Boolean, $at: DateTime) {
  aggregate(entityType: $t, groupBy: $g, of: $m, filter: $f, fields: $p, includeUnavailable: $u, asOf: $at) { groups { key count measures } total } }`;

const EXPORT = `subscription($t: String!, $f: String, $o: String, $u: Boolean, $n: Int, $k: Int, $at: DateTime) {
  exportEntities(entityType: $t, filter: $f, orderBy: $o, includeUnavailable: $u, limit: $n, offset: $k, asOf: $at) { lines } }`;

const SUPERSEDED =
  'query($id: ID!, $at: DateTime) { supersededExternalIds(entityId: $id, asOf: $at) { externalId createdAt supersededAt supersededBy } }';

export interface Page {
  items: {
    id: string;
    data: Record<string, unknown>;
    updatedAt: string;
    createdAt: string;
    version: number;
  }[];
  total: number;
  nextCursor: string | null;
}

/** Every kind of read, by the entities' ids. */
export const READS: readonly { readonly document: string; readonly variables: Record<string, unknown> }[] = [
  { document: LIST, variables: {} },
  { document: LIST, variables: { t: 'Thing' } },
  { document: LIST, variables: { t: 'SubThing', u: true } },
  { document: LIST, variables: { t: 'Thing', n: 2, k: 1 } },
  { document: LIST, variables: { t: 'Thing', f: 'data.n == 1' } },
  { document: LIST, variables: { t: 'SubThing', f: 'data.n > 0 && data.word != "x"', u: true } },
  { document: LIST, variables: { f: 'data.n * 2.0 > 1.0' } },
  { document: LIST, variables: { f: '!is_available' } },
  { document: LIST, variables: { f: 'updated_at > created_at && version > 1' } },
  { document: LIST, variables: { t: 'Thing', p: [{ name: 'word', values: ['red', 'blue'] }] } },
  { document: LIST, variables: { t: 'Thing', p: [{ name: 'project', values: ['alpha'] }], o: '-data.n' } },
  ...['-created_at', 'updated_at', '-updated_at', 'id', '-id', 'data.n', '-data.word'].map((o) => ({
    document: LIST,
    variables: { t: 'Thing', o, u: true, n: 3 },
  })),
  { document: LIST, variables: { t: 'Thing', o: '-updated_at', f: 'data.word == "red"' } },
  ...['red', 'blu', 'green re', 'red blue'].map((q) => ({ document: SEARCH, variables: { t: 'Thing', q } })),
  { document: SEARCH, variables: { t: 'SubThing', q: 'red', u: true } },
  {
    document: LIST.replace('items { ', 'items { expanded(paths: "next.has[]") '),
    variables: { t: 'Thing', o: '-id' },
  },
  { document: FIND, variables: {} },
  ...[
    { g: [], m: ['n', 'word', 'created_at', 'updated_at', 'version'] },
    { g: ['word', 'project'], m: ['n'] },
    { g: ['is_available', 'entity_type'], m: ['id'] },
    { g: ['updated_at'], m: ['next'], u: true },
    { g: ['version'], m: ['n'], f: 'data.n > 0 && updated_at > created_at' },
    { g: ['n'], m: [], p: [{ name: 'word', values: ['red', 'blue'] }] },
  ].flatMap((one) =>
    ['Thing', 'SubThing'].map((t) => ({
      document: AGGREGATE,
      variables: { t, ...one },
    })),
  ),
  { document: EXPORT, variables: { t: 'Thing', o: '-updated_at' } },
  { document: EXPORT, variables: { t: 'SubThing', u: true } },
  { document: EXPORT, variables: { t: 'Thing', f: 'data.n * 2.0 > 1.0', n: 3, k: 1 } },
];

/** Those without an argument for it: as of the time of the whole operation. */
export const OF_OPERATION = [
  `query($id: ID!) { node(id: $id) { __typename id ... on Thing { n word next { id n } entity { ${BELOW} } } } }`,
  `query($id: ID!) { node(id: $id) { ... on SubThing { n } ... on Entity { ${BELOW} } } }`,
  `query($id: ID!) { drsObjects(ids: [$id, "md5:${'0'.repeat(32)}"], host: "h") { requested unresolved
    resolved { id size version createdTime updatedTime aliases checksums { type checksum } accessMethods { accessUrl { url } } } } }`,
  `query($id: ID!) { drsAccess(id: $id, accessId: "${'0'.repeat(64)}") { url } }`,
  `query($id: ID!) { drsAccesses(requests: [{id: $id, accessIds: ["${'0'.repeat(64)}"]}]) { requested unresolved resolved { objectId accessId url } } }`,
];

export const BY_ID = [GET, EXPAND, DEEP, RELATIONSHIPS, TRAVERSE, EXTERNAL, SUPERSEDED];

export const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];

const name = fc.constantFrom(...NAMES);

const data = fc.record(
  {
    n: fc.integer({ min: 0, max: 3 }),
    word: fc.constantFrom('red', 'blue', 'green red', 'green red blue'),
    project: fc.constantFrom('alpha', 'beta', null),
    next: name,
    size: fc.integer({ min: 0, max: 3 }),
    md5: fc.constantFrom('0', '1').map((digit) => digit.repeat(32)),
    uri: fc
      .constantFrom('0', '1')
      .map((digit) => `https://cairn.test/api/v1/artifact/files/sha256:${digit.repeat(64)}`),
  },
  { requiredKeys: [] },
);

export const step = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('write' as const), name, data, fc.boolean()) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('availability' as const), name, fc.boolean()) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constant('relate' as const), name, name, fc.constantFrom('likes', 'has')),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constant('unrelate' as const), name, name, fc.constantFrom('likes', 'has')),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constant('supersede' as const), name, name) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('identify' as const), name, fc.integer({ min: 0, max: 3 })) },
);

export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** What they could see then is what they see of then. */
export const CALLERS = [admin, callerWith('viewer', ['alpha'])];

export let metadata: FreshMetadata;

export const ask = async <T>(...args: Parameters<FreshMetadata['ask']>): Promise<T> =>
  (await metadata.ask(...args)) as T;

export const lastInstant = async (): Promise<string> => {
  const { rows } = await metadata.database.pool.query<{ at: string }>(
    `SELECT to_char(max(timestamp) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at FROM metadata.provenance`,
  );
  return rows[0]?.at ?? '';
};

/** Starts what the tests of a file share, and ends it after them. */
export function setUp(): void {
  beforeAll(async () => {
    metadata = await freshMetadata();
    await ask(CREATE, {
      d: {
        name: 'Thing',
        version: '1',
        fields: [
          { name: 'n', field_type: 'int' },
          { name: 'word', field_type: 'string' },
          { name: 'project', field_type: 'string' },
          { name: 'next', field_type: 'ref', references: 'Thing' },
          { name: 'size', field_type: 'int' },
          { name: 'md5', field_type: 'string' },
          { name: 'uri', field_type: 'string' },
        ],
      },
    });
    await ask(CREATE, { d: { name: 'SubThing', version: '1', parent: 'Thing', fields: [] } });
  });

  afterAll(() => metadata[Symbol.asyncDispose]());
}
