// Sync events and consistency scans as a noun of the gateway's subgraph.
import { DomainError } from '../../platform/errors.ts';
import { readSdl } from '../../platform/subgraph-module.ts';
import type { ConsistencyScan, SyncEvent } from '../sync/sync-event.ts';
import type { Sync } from '../sync/sync.service.ts';
import type { GatewayNoun } from './noun.ts';

interface SyncSlice {
  readonly sync: Sync;
}

const eventShown = (event: SyncEvent) => ({ ...event, resolved: event.resolvedAt !== null });
const scanShown = ({ id, ...scan }: ConsistencyScan) => ({ scanId: id, ...scan });

/** Null for undefined, as GraphQL requires. */
async function orNull<Value>(wanted: Promise<Value>): Promise<Value | null> {
  try {
    return await wanted;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return null;
    throw error;
  }
}

export const sync: GatewayNoun<SyncSlice> = {
  typeDefs: readSdl('router/gateway-schema/sync.graphql'),
  resolvers: {
    Query: {
      syncEvents: async (_, query, { sync }) => {
        const { items, nextCursor, total } = await sync.events(query);
        return { events: items.map(eventShown), nextCursor, total };
      },
      syncEvent: async (_, { id }, { sync }) => {
        const event = await orNull(sync.event(id));
        return event && eventShown(event);
      },
      latestScan: async (_, __, { sync }) => {
        const latest = await orNull(sync.latestScan());
        return latest && scanShown(latest);
      },
    },
    Mutation: {
      resolveSyncEvent: async (_, { id, note }, { sync, caller }) =>
        eventShown(await sync.resolve(id, note ?? undefined, caller)),
      startScan: async (_, __, { sync }) => scanShown(await sync.startScan()),
    },
  },
  permissions: {
    'Query.syncEvents': 'sync:manage',
    'Query.syncEvent': 'sync:manage',
    'Query.latestScan': 'sync:manage',
    'Mutation.resolveSyncEvent': 'sync:manage',
    'Mutation.startScan': 'sync:manage',
  },
  services: ({ sync }) => ({ sync }),
};
