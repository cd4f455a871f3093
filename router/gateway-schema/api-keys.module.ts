// API keys as a noun of the gateway's subgraph.
import { readSdl } from '../../platform/subgraph-module.ts';
import type { ApiKeys, KeyWithSecret } from '../api-keys/api-keys.service.ts';
import type { GatewayNoun } from './noun.ts';

interface KeySlice {
  readonly keys: ApiKeys;
}

const withSecret = ({ secret, ...key }: KeyWithSecret) => ({ key, secret });

export const apiKeys: GatewayNoun<KeySlice> = {
  typeDefs: readSdl('router/gateway-schema/api-keys.graphql'),
  resolvers: {
    Query: {
      apiKeys: async (_, { all, user, ...page }, { keys, caller }) => {
        const { items, nextCursor } = await keys.list(
          { all: all ?? undefined, user: user ?? undefined, ...page },
          caller,
        );
        return { keys: items, nextCursor };
      },
    },
    Mutation: {
      createApiKey: async (_, { input }, { keys, caller }) =>
        withSecret(
          await keys.create(
            {
              label: input.label,
              role: input.role,
              project: input.project ?? undefined,
              expires: input.expires ?? undefined,
              owner: input.owner ?? undefined,
            },
            caller,
          ),
        ),
      revokeApiKey: (_, { id, reason }, { keys, caller }) => keys.revoke(id, reason ?? undefined, caller),
      rotateApiKey: async (_, { id }, { keys, caller }) => {
        const { created, revoked } = await keys.rotate(id, caller);
        return { created: withSecret(created), revoked };
      },
    },
  },
  permissions: {
    'Query.apiKeys': 'api-keys:own',
    'Mutation.createApiKey': 'api-keys:own',
    'Mutation.revokeApiKey': 'api-keys:own',
    'Mutation.rotateApiKey': 'api-keys:own',
  },
  services: ({ keys }) => ({ keys }),
};
