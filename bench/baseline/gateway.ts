// The router of the stock federation: Apollo Server with Apollo Gateway, set up as its documentation says.
import { composeServices } from '@apollo/composition';
import { ApolloGateway } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { parse } from 'graphql';
import { METADATA, WORKFLOW } from './subgraph-schemas.ts';

const url = (variable: string): string => `http://127.0.0.1:${process.env[variable]}/`;
const { supergraphSdl, errors } = composeServices([
  { name: 'metadata', url: url('METADATA_PORT'), typeDefs: parse(METADATA) },
  { name: 'workflow', url: url('WORKFLOW_PORT'), typeDefs: parse(WORKFLOW) },
]);
if (supergraphSdl === undefined) throw new Error(`the subgraphs do not compose: ${errors?.join('; ')}`);
await startStandaloneServer(new ApolloServer({ gateway: new ApolloGateway({ supergraphSdl }) }), {
  listen: { port: Number(process.env['PORT']), host: '127.0.0.1' },
});
process.on('SIGTERM', () => process.exit(0));
