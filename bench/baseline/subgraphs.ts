// The subgraphs of the stock federation: one Apollo Server each, over HTTP.
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { createPool } from './statements.ts';
import {
  type MetadataContext,
  metadataSchema,
  runsLoader,
  type WorkflowContext,
  workflowSchema,
} from './subgraph-schemas.ts';

const pool = createPool();
const listen = (variable: string): { port: number; host: string } => ({
  port: Number(process.env[variable]),
  host: '127.0.0.1',
});

await startStandaloneServer(new ApolloServer<WorkflowContext>({ schema: workflowSchema() }), {
  listen: listen('WORKFLOW_PORT'),
  context: async () => ({ runs: runsLoader(pool) }),
});
await startStandaloneServer(new ApolloServer<MetadataContext>({ schema: metadataSchema() }), {
  listen: listen('METADATA_PORT'),
  context: async () => ({ pool }),
});
process.on('SIGTERM', () => process.exit(0));
