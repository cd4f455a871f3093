// The health of the platform as a noun of the gateway's subgraph.
import { readSdl } from '../../platform/subgraph-module.ts';
import type { Health } from '../health/health.ts';
import type { GatewayNoun } from './noun.ts';

interface HealthSlice {
  readonly health: Health;
}

export const health: GatewayNoun<HealthSlice> = {
  typeDefs: readSdl('router/gateway-schema/health.graphql'),
  resolvers: {
    Query: {
      health: async (_, __, { health }) => {
        const { components, checked_at: checkedAt, problems = [], ...report } = await health.report();
        return {
          ...report,
          problems,
          checkedAt,
          components: Object.entries(components).map(
            ([name, { latency_ms: latencyMs, detail = null, ...seen }]) => ({
              name,
              latencyMs,
              detail,
              ...seen,
            }),
          ),
        };
      },
    },
  },
  permissions: { 'Query.health': 'authenticated' },
  services: ({ health }) => ({ health }),
};
