// Audit records as a noun of the gateway's subgraph.
import { readSdl } from '../../platform/subgraph-module.ts';
import type { AuditRecords } from '../edge/audit/audit-records.service.ts';
import type { GatewayNoun } from './noun.ts';

interface AuditSlice {
  readonly audit: AuditRecords;
}

export const audit: GatewayNoun<AuditSlice> = {
  typeDefs: readSdl('router/gateway-schema/audit.graphql'),
  resolvers: {
    Query: {
      auditRecords: async (_, { filter, limit, cursor }, { audit, caller }) => {
        const { items, nextCursor } = await audit.list(
          {
            filter: {
              actor: filter?.actor ?? null,
              requestId: filter?.requestId ?? null,
              method: filter?.method ?? null,
              pathPrefix: filter?.pathPrefix ?? null,
              minStatus: filter?.minStatus ?? null,
              maxStatus: filter?.maxStatus ?? null,
              action: filter?.action ?? null,
              since: filter?.since ?? null,
              until: filter?.until ?? null,
            },
            limit,
            cursor: cursor ?? null,
          },
          caller,
        );
        return { records: items, nextCursor };
      },
    },
  },
  permissions: { 'Query.auditRecords': 'audit:read' },
  services: ({ audit }) => ({ audit }),
};
