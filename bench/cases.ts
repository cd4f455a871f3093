// Defines the benchmark cases: the requests to both sides, the baselines that Cairn is compared with, and how
// their responses are compared.
import type { LoadRequest } from './load.ts';
import { dataOf, entityId, TYPES } from './seed.ts';

export const SERVERS = [
  'cairn',
  'cairn-apart',
  'hand-written',
  'stock-apollo',
  'without-edge',
  'http-proxy-middleware',
  'nginx',
] as const;
export type ServerName = (typeof SERVERS)[number];

/** What is measured: one process, or the router with metadata and workflow as processes of their own. */
export type Subject = 'cairn' | 'cairn-apart';

export interface Comparison {
  readonly with: Exclude<ServerName, Subject>;
  /** The baseline's requests, where they differ from Cairn's. */
  readonly requests?: readonly LoadRequest[];
  /** The target ratio; null where there is none. */
  readonly target: number | null;
}

export interface Case {
  readonly name: string;
  readonly what: string;
  /** Measured instead of `cairn`. */
  readonly subject?: Subject;
  readonly clients?: number;
  /** Sent with every request, to both sides. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly requests: readonly LoadRequest[];
  /** The first comparison determines the case's ratio. */
  readonly comparisons: readonly [Comparison, ...Comparison[]];
  /** Returns the part of a response that must be equal on both sides. */
  readonly essence: (body: unknown) => unknown;
}

/** What clients of GraphQL send as they come (Apollo Client 4, urql 6; Relay has none of its own: graphql-request's). */
const CLIENT_ACCEPTS = [
  ['apollo-client', 'application/graphql-response+json,application/json;q=0.9'],
  [
    'urql',
    'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
  ],
  ['relay', 'application/graphql-response+json; charset=utf-8, application/json; charset=utf-8'],
] as const;

const PREFIX = '/api/v1/metadata';
const REQUESTS = 1000;
/**
 * Cairn caches about 35,000 of these entities (docs/decisions/0040-entities-are-kept.md); a script of wrk
 * takes at most 65,536 requests.
 */
const MORE_THAN_ARE_KEPT = 60_000;
/** A prime, so that consecutive requests do not read neighbouring rows. */
const STRIDE = 7919;
/** Entities per bulk ingest call, and the number of distinct calls that are sent in turn. */
const BATCH = 1000;
const BATCHES = 20;
const BULK_INGEST =
  'mutation Ingest($entities: [IngestedEntity!]!) { ingestEntities(entities: $entities) { created updated unchanged results { id version } errors { index code message } } }';

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}; // an object, as checked in this line
/** Returns the payload: Cairn wraps it in an envelope, the baseline does not. */
const payload = (body: unknown): Fields => fields('meta' in fields(body) ? fields(body)['data'] : body);

/** Returns the data of a GraphQL response without extensions, which differ between servers. */
const data = (body: unknown): unknown => fields(body)['data'];

const POINT_FIELDS = 'id entityType data version createdAt updatedAt isAvailable';
const POINT = `query Point($id: ID!) { entity(id: $id) { ${POINT_FIELDS} } }`;
const TWO_SUBGRAPHS = `query EntityWithRuns($id: ID!) { entity(id: $id) { ${POINT_FIELDS} runs(limit: 5) { runId status queuedAt recordsFetched } } }`;

/** Generates the same sequence of numbers in every run, so that all contenders get the same requests. */
function numbersBelow(limit: number): () => number {
  let state = 20_261_121;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const at =
  (path: string) =>
  (request: LoadRequest): LoadRequest => ({ ...request, path });

const ingestEssence = (body: unknown): unknown => {
  const { entity_type, data: kept, version, is_available } = payload(body);
  return { entity_type, kept, version, is_available };
};

const bulkIngests = (): LoadRequest[] =>
  Array.from({ length: BATCHES }, (_, batch): LoadRequest => ({
    method: 'POST',
    path: '/graphql',
    body: JSON.stringify({
      query: BULK_INGEST,
      variables: {
        entities: Array.from({ length: BATCH }, (__, i) => ({
          entityType: TYPES[i % TYPES.length],
          data: dataOf(batch * BATCH + i),
        })),
      },
    }),
  }));

/** The i-th request to make about 100 entities of a type available, or not. */
const bulkAvailability =
  (entities: number) =>
  (n: number, i: number): LoadRequest => {
    const type = n % TYPES.length;
    const members = Math.max(1, Math.floor(entities / TYPES.length));
    const ids = Array.from({ length: Math.min(100, members) }, (_, k) =>
      entityId(((n + k * 17) % members) * TYPES.length + type),
    );
    return {
      method: 'POST',
      path: `${PREFIX}/entities/${TYPES[type]}/bulk-availability`,
      body: JSON.stringify({ entity_ids: [...new Set(ids)], available: i % 2 === 1, reason: 'bench' }),
    };
  };

type Some = (make: (n: number, i: number) => LoadRequest) => LoadRequest[];

const restPoint = (n: number): LoadRequest => ({
  method: 'GET',
  path: `${PREFIX}/entities/${entityId(n)}`,
});

const restCases = (entities: number, restPoints: readonly LoadRequest[], some: Some): readonly Case[] => [
  {
    name: 'rest-point',
    what: 'GET one entity',
    requests: restPoints,
    comparisons: [{ with: 'hand-written', target: 2 }],
    essence: payload,
  },
  {
    name: 'rest-point-100',
    what: 'GET one entity, 100 clients',
    clients: 100,
    requests: restPoints,
    comparisons: [{ with: 'hand-written', target: 2 }],
    essence: payload,
  },
  {
    name: 'rest-cold',
    what: 'GET one entity, each once before any again',
    requests: Array.from({ length: Math.min(entities, MORE_THAN_ARE_KEPT) }, (_, i) =>
      restPoint((i * STRIDE) % entities),
    ),
    comparisons: [{ with: 'hand-written', target: null }],
    essence: payload,
  },
  {
    name: 'rest-list',
    what: 'GET 100 entities of a type, and the total',
    requests: some((n) => ({
      method: 'GET',
      path: `${PREFIX}/entities?entity_type=${TYPES[n % TYPES.length]}&limit=100`,
    })),
    comparisons: [{ with: 'hand-written', target: 2.5 }],
    essence: (body) => {
      const { items, total, limit, offset } = payload(body);
      return { items, total, limit, offset };
    },
  },
];

const graphqlCases = (points: readonly LoadRequest[], pairs: readonly LoadRequest[]): readonly Case[] => [
  {
    name: 'graphql-point',
    what: 'one entity by GraphQL, federated',
    requests: points,
    comparisons: [
      { with: 'stock-apollo', target: 6, requests: points.map(at('/')) },
      { with: 'hand-written', target: 0.8, requests: points.map(at('/point')) },
    ],
    essence: data,
  },
  ...CLIENT_ACCEPTS.map(([client, accept]): Case => ({
    name: `graphql-point-${client}`,
    what: `the same with the Accept header of ${client}`,
    headers: { accept },
    requests: points,
    comparisons: [{ with: 'stock-apollo', target: 6, requests: points.map(at('/')) }],
    essence: data,
  })),
  {
    name: 'graphql-two-subgraphs',
    what: 'one entity of metadata with its runs of workflow',
    requests: pairs,
    comparisons: [
      { with: 'stock-apollo', target: 6, requests: pairs.map(at('/')) },
      { with: 'hand-written', target: 0.4, requests: pairs.map(at('/pair')) },
    ],
    essence: data,
  },
];

const writeCases = (
  entities: number,
  ingests: readonly LoadRequest[],
  batches: readonly LoadRequest[],
  some: Some,
): readonly Case[] => [
  {
    name: 'ingest-16',
    what: 'POST one new entity, 16 clients',
    clients: 16,
    requests: ingests,
    comparisons: [{ with: 'hand-written', target: 2 }],
    essence: ingestEssence,
  },
  {
    name: 'ingest-64',
    what: 'POST one new entity, 64 clients',
    clients: 64,
    requests: ingests,
    comparisons: [{ with: 'hand-written', target: 2 }],
    essence: ingestEssence,
  },
  {
    name: 'bulk',
    what: 'availability of 100 entities in one request',
    clients: 4,
    requests: some(bulkAvailability(entities)),
    comparisons: [{ with: 'hand-written', target: null }],
    essence: (body) => {
      const { updated, errors } = payload(body);
      return { updated, errors };
    },
  },
  {
    name: 'bulk-ingest',
    what: `ingest ${BATCH} new entities in one call, each with its event`,
    clients: 4,
    requests: batches,
    comparisons: [{ with: 'hand-written', target: 0.5, requests: batches.map(at('/copy')) }],
    essence: (body) => {
      const { results, ...counts } = fields(fields(data(body))['ingestEntities']);
      // the document selects a list of objects
      return { ...counts, results: (results as readonly Fields[]).map(({ version }) => version) };
    }, // the type that the query selects
  },
];

export function createCases(entities: number): readonly Case[] {
  const next = numbersBelow(entities);
  const some: Some = (make) => Array.from({ length: REQUESTS }, (_, i) => make(next(), i));
  const graphql = (query: string): LoadRequest[] =>
    some((n) => ({
      method: 'POST',
      path: '/graphql',
      body: JSON.stringify({ query, variables: { id: entityId(n) } }),
    }));
  const ingests = some((n) => ({
    method: 'POST',
    path: `${PREFIX}/ingest`,
    body: JSON.stringify({ entity_type: TYPES[n % TYPES.length], data: dataOf(n) }),
  }));
  const points = graphql(POINT);
  const restPoints = some(restPoint);
  const pairs = graphql(TWO_SUBGRAPHS);
  return [
    ...restCases(entities, restPoints, some),
    ...graphqlCases(points, pairs),
    ...writeCases(entities, ingests, bulkIngests(), some),
  ];
}
