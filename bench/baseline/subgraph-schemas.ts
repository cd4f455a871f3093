// The two subgraphs of the stock federation: metadata and workflow, reduced to what is measured, with plain
// `pg` resolvers.
import { buildSubgraphSchema } from '@apollo/subgraph';
import DataLoader from 'dataloader';
import { GraphQLScalarType, type GraphQLSchema, parse } from 'graphql';
import type pg from 'pg';
import { type EntityRow, findEntity, listRuns, type RunRow } from './statements.ts';

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key"])';

export const METADATA = `${LINK}
scalar JSON
scalar DateTime
type Query { entity(id: ID!): Entity }
type Entity @key(fields: "id") {
  id: ID! entityType: String! data: JSON! version: Int! createdAt: DateTime! updatedAt: DateTime! isAvailable: Boolean!
}`;

export const WORKFLOW = `${LINK}
scalar DateTime
type Entity @key(fields: "id") { id: ID! runs(limit: Int! = 100): [Run!]! }
type Run { runId: ID! status: String! queuedAt: DateTime! recordsFetched: Int! }`;

const asItIs = (name: string): GraphQLScalarType =>
  new GraphQLScalarType({ name, serialize: (value) => value, parseValue: (value) => value });

export interface MetadataContext {
  readonly pool: pg.Pool;
}
export interface WorkflowContext {
  readonly runs: DataLoader<string, RunRow[]>;
}

// subgraphs.ts creates these contexts
const poolOf = (context: unknown): pg.Pool => (context as MetadataContext).pool;
const runsOf = (context: unknown): WorkflowContext['runs'] => (context as WorkflowContext).runs; // likewise

const Entity = {
  __resolveReference: ({ id }: { id: string }, context: unknown) => findEntity(poolOf(context), id),
  entityType: (row: EntityRow) => row.entity_type,
  createdAt: (row: EntityRow) => row.created_at,
  updatedAt: (row: EntityRow) => row.updated_at,
  isAvailable: (row: EntityRow) => row.is_available,
};

export const metadataSchema = (): GraphQLSchema =>
  buildSubgraphSchema({
    typeDefs: parse(METADATA),
    resolvers: {
      JSON: asItIs('JSON'),
      DateTime: asItIs('DateTime'),
      Query: {
        entity: (_: unknown, { id }: { id: string }, context: unknown) => findEntity(poolOf(context), id),
      },
      Entity,
    },
  });

export const workflowSchema = (): GraphQLSchema =>
  buildSubgraphSchema({
    typeDefs: parse(WORKFLOW),
    resolvers: {
      DateTime: asItIs('DateTime'),
      Entity: {
        __resolveReference: (reference: { id: string }) => reference,
        runs: async ({ id }: { id: string }, { limit }: { limit: number }, context: unknown) =>
          (await runsOf(context).load(id)).slice(0, limit),
      },
    },
  });

/** Creates a request's loader for runs: one statement for all its entities. */
export const runsLoader = (pool: pg.Pool): DataLoader<string, RunRow[]> =>
  new DataLoader(async (ids) => {
    const rows = await listRuns(pool, ids, 5);
    return ids.map((id) => rows.filter((row) => row.entity_id === id));
  });
