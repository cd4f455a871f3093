// Measurements of the past as a noun of the gateway's subgraph.
import { readSdl } from '../../platform/subgraph-module.ts';
import type { SystemMetrics } from '../system-metrics/system-metrics.service.ts';
import type { GatewayNoun } from './noun.ts';

interface SystemMetricsSlice {
  readonly systemMetrics: SystemMetrics;
}

export const systemMetrics: GatewayNoun<SystemMetricsSlice> = {
  typeDefs: readSdl('router/gateway-schema/system-metrics.graphql'),
  resolvers: {
    Query: {
      systemMetrics: async (_, { names, from, to, step }, { systemMetrics, caller }) => {
        const {
          times,
          series,
          processes,
          step: seconds,
        } = await systemMetrics.read(
          { names: names ?? null, from: from ?? null, to: to ?? null, step: step ?? null },
          caller,
        );
        return {
          step: seconds,
          times: [...times],
          processes: [...processes],
          series: series.map((one) => ({ ...one, values: [...one.values] })),
        };
      },
    },
  },
  permissions: { 'Query.systemMetrics': 'metrics:read' },
  services: ({ systemMetrics }) => ({ systemMetrics }),
};
