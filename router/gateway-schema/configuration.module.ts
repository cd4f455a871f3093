// The configuration in force as a noun of the gateway's subgraph.
import type { Config } from '../../platform/config/load-config.ts';
import { assertAllProjects } from '../../platform/permissions.ts';
import { readSdl } from '../../platform/subgraph-module.ts';
import type { GatewayNoun } from './noun.ts';

/** What of the configuration is shown. */
export type ShownConfig = Pick<Config, 'file' | 'settings'>;

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
