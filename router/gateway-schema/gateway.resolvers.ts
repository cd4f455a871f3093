// Resolvers of the gateway's own functions.
import { DomainError } from '../../platform/errors.ts';
import type { OperationContext } from '../../platform/operation-context.ts';
import type { ApiKeys, KeyWithSecret } from '../api-keys/api-keys.service.ts';
import type { AuditRecords } from '../edge/audit/audit-records.service.ts';
import type { Health } from '../health/health.ts';
import type { Sync } from '../sync/sync.service.ts';
import type { ConsistencyScan, SyncEvent } from '../sync/sync-event.ts';
import type { Resolvers } from './generated/resolvers.ts';

export interface GatewayContext extends OperationContext {
  readonly keys: ApiKeys;
  readonly sync: Sync;
  readonly health: Health;
  readonly audit: AuditRecords;
}

const withSecret = ({ secret, ...key }: KeyWithSecret) => ({ key, secret });
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

export const gatewayResolvers = {
  Query: {
    me: (_, __, { caller }) => ({
      actor: caller.actor,
      roles: caller.roles,
      projects: caller.projects === '*' ? null : caller.projects,
    }),
    apiKeys: async (_, { all, user, ...page }, { keys, caller }) => {
      const { items, nextCursor } = await keys.list(
        { all: all ?? undefined, user: user ?? undefined, ...page },
        caller,
      );
      return { keys: items, nextCursor };
    },
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
    health: async (_, __, { health }) => {
      const { components, checked_at: checkedAt, ...report } = await health.report();
      return {
        ...report,
        checkedAt,
        components: Object.entries(components).map(([name, { latency_ms: latencyMs, ...seen }]) => ({
          name,
          latencyMs,
          ...seen,
        })),
      };
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
    resolveSyncEvent: async (_, { id, note }, { sync, caller }) =>
      eventShown(await sync.resolve(id, note ?? undefined, caller)),
    startScan: async (_, __, { sync }) => scanShown(await sync.startScan()),
  },
} satisfies Resolvers<GatewayContext>;
