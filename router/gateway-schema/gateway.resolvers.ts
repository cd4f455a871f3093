// The gateway's own functions in GraphQL: unpack, one call, map.
import { DomainError } from '../../platform/errors.ts';
import type { Role } from '../../platform/identity.ts';
import type { OperationContext } from '../../platform/subgraph.ts';
import type { ApiKeys, KeyWithSecret } from '../api-keys/api-keys.service.ts';
import type { Health } from '../health/health.ts';
import type { Sync } from '../sync/sync.service.ts';
import type { ConsistencyScan, EventStatus, SyncEvent } from '../sync/sync.store.ts';

export interface GatewayContext extends OperationContext {
  readonly keys: ApiKeys;
  readonly sync: Sync;
  readonly health: Health;
}

interface PageArguments {
  limit: number;
  offset: number;
  cursor?: string | null;
}
interface KeyInput {
  label: string;
  role: Role;
  project?: string | null;
  expires?: string | null;
  owner?: string | null;
}

const withSecret = ({ secret, ...key }: KeyWithSecret) => ({ key, secret });
const eventShown = (event: SyncEvent) => ({ ...event, resolved: event.resolvedAt !== null });
const scanShown = ({ id, ...scan }: ConsistencyScan) => ({ scanId: id, ...scan });

/** Null in place of what is not there, as GraphQL has it. */
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
    me: (_: unknown, __: unknown, { caller }: GatewayContext) => ({
      actor: caller.actor,
      roles: caller.roles,
      projects: caller.projects === '*' ? null : caller.projects,
    }),
    apiKeys: async (
      _: unknown,
      { all, user, ...page }: PageArguments & { all?: boolean | null; user?: string | null },
      { keys, caller }: GatewayContext,
    ) => {
      const { items, nextCursor } = await keys.list(
        { all: all ?? undefined, user: user ?? undefined, ...page },
        caller,
      );
      return { keys: items, nextCursor };
    },
    syncEvents: async (
      _: unknown,
      query: PageArguments & { status: EventStatus },
      { sync }: GatewayContext,
    ) => {
      const { items, nextCursor, total } = await sync.events(query);
      return { events: items.map(eventShown), nextCursor, total };
    },
    syncEvent: async (_: unknown, { id }: { id: string }, { sync }: GatewayContext) => {
      const event = await orNull(sync.event(id));
      return event && eventShown(event);
    },
    latestScan: async (_: unknown, __: unknown, { sync }: GatewayContext) => {
      const latest = await orNull(sync.latestScan());
      return latest && scanShown(latest);
    },
    health: async (_: unknown, __: unknown, { health }: GatewayContext) => {
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
    createApiKey: async (_: unknown, { input }: { input: KeyInput }, { keys, caller }: GatewayContext) =>
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
    revokeApiKey: (
      _: unknown,
      { id, reason }: { id: string; reason?: string | null },
      { keys, caller }: GatewayContext,
    ) => keys.revoke(id, reason ?? undefined, caller),
    rotateApiKey: async (_: unknown, { id }: { id: string }, { keys, caller }: GatewayContext) => {
      const { created, revoked } = await keys.rotate(id, caller);
      return { created: withSecret(created), revoked };
    },
    resolveSyncEvent: async (
      _: unknown,
      { id, note }: { id: string; note?: string | null },
      { sync, caller }: GatewayContext,
    ) => eventShown(await sync.resolve(id, note ?? undefined, caller)),
    startScan: async (_: unknown, __: unknown, { sync }: GatewayContext) => scanShown(await sync.startScan()),
  },
};
