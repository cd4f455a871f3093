// Backups as a noun of the gateway's subgraph.
import { readSdl } from '../../platform/subgraph-module.ts';
import type { Backups } from '../backups/backups.service.ts';
import type { GatewayNoun } from './noun.ts';

interface BackupsSlice {
  readonly backups: Backups;
}

export const backups: GatewayNoun<BackupsSlice> = {
  typeDefs: readSdl('router/gateway-schema/backups.graphql'),
  resolvers: {
    Query: {
      backups: async (_, { limit, cursor }, { backups, caller }) => {
        const { items, archive, ...page } = await backups.list({ limit, cursor: cursor ?? null }, caller);
        return {
          ...page,
          backups: items,
          archive: archive && {
            status: archive.status,
            archivedUntil: archive.archived_until,
            position: archive.position === null ? null : String(archive.position),
            reason: archive.reason ?? null,
          },
        };
      },
    },
  },
  permissions: { 'Query.backups': 'backups:read' },
  services: ({ backups }) => ({ backups }),
};
