// Who sends a request as a noun of the gateway's subgraph.
import { readSdl } from '../../platform/subgraph-module.ts';
import type { GatewayNoun } from './noun.ts';

export const actors: GatewayNoun<object> = {
  typeDefs: readSdl('router/gateway-schema/actors.graphql'),
  resolvers: {
    Query: {
      me: (_, __, { caller }) => ({
        actor: caller.actor,
        roles: caller.roles,
        projects: caller.projects === '*' ? null : caller.projects,
      }),
    },
  },
  permissions: { 'Query.me': 'authenticated' },
  services: () => ({}),
};
