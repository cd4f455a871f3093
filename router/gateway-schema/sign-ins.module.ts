// Who can come in, and their sign-ins, as a noun of the gateway's subgraph.
import { readSdl } from '../../platform/subgraph-module.ts';
import type { SignIns } from '../users/sign-ins.service.ts';
import type { GatewayNoun } from './noun.ts';

interface SignInSlice {
  readonly signIns: SignIns;
}

export const signIns: GatewayNoun<SignInSlice> = {
  typeDefs: readSdl('router/gateway-schema/sign-ins.graphql'),
  resolvers: {
    Query: {
      knownActors: async (_, { limit, cursor }, { signIns, caller }) => {
        const { items, nextCursor } = await signIns.actors({ limit, cursor: cursor ?? null }, caller);
        return { actors: items, nextCursor };
      },
      authClients: (_, __, { signIns, caller }) => signIns.clients(caller),
      signIns: async (_, { actor, limit, cursor }, { signIns, caller }) => {
        const page = { actor: actor ?? null, limit, cursor: cursor ?? null };
        const { items, nextCursor } = await signIns.list(page, caller);
        return { signIns: items, nextCursor };
      },
    },
    Mutation: {
      endSignIn: (_, { id }, { signIns, caller }) => signIns.end(id, caller),
      signOutEverywhere: (_, { actor }, { signIns, caller }) => signIns.endAll(actor ?? null, caller),
    },
  },
  permissions: {
    'Query.knownActors': 'sign-ins:all',
    'Query.authClients': 'sign-ins:all',
    'Query.signIns': 'authenticated',
    'Mutation.endSignIn': 'authenticated',
    'Mutation.signOutEverywhere': 'authenticated',
  },
  services: ({ signIns }) => ({ signIns }),
};
