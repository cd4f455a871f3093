// The configuration in force as a noun of the gateway's subgraph.
import { assertAllProjects } from '../../platform/permissions.ts';
import { readSdl } from '../../platform/subgraph-module.ts';
import type { GatewayNoun, ShownConfig } from './noun.ts';

interface ConfigurationSlice {
  readonly configuration: ShownConfig;
}

export const configuration: GatewayNoun<ConfigurationSlice> = {
  typeDefs: readSdl('router/gateway-schema/configuration.graphql'),
  resolvers: {
    Query: {
      configuration: (_, __, { configuration, caller }) => {
        assertAllProjects(caller, 'the configuration');
        return { file: configuration.file, settings: [...configuration.settings] };
      },
    },
  },
  permissions: { 'Query.configuration': 'configuration:read' },
  services: ({ configuration }) => ({ configuration }),
};
