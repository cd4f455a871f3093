// Availability in GraphQL: unpack, one call, map.
import { authorOf, type MetadataContext } from '../metadata-context.ts';

interface DeleteArgs {
  id: string;
  entityType?: string | null;
  ifVersion?: number | null;
  ifVersionIn?: readonly number[] | null;
  reason?: string | null;
  context?: string | null;
  bypassValidation?: boolean | null;
}
interface SetArgs {
  id: string;
  isAvailable: boolean;
  reason?: string | null;
  context?: string | null;
}
interface BulkArgs {
  entityType: string;
  entityIds: string[];
  available: boolean;
  reason?: string | null;
  context?: string | null;
}

export const availabilityResolvers = {
  Mutation: {
    deleteEntity: async (
      _: unknown,
      { id, entityType, ifVersion, ifVersionIn, reason, context, bypassValidation }: DeleteArgs,
      { availability, caller, extensions }: MetadataContext,
    ) => {
      const request = {
        id,
        entityType: entityType ?? null,
        ifVersion: ifVersionIn ?? ifVersion ?? null,
        reason: reason ?? null,
      };
      const written = await availability.remove(request, authorOf(caller, context ?? null, bypassValidation));
      extensions.entityVersion = written.version;
      return written;
    },
    setAvailability: async (
      _: unknown,
      { id, isAvailable, reason, context }: SetArgs,
      { availability, caller, extensions }: MetadataContext,
    ) => {
      const written = await availability.set(
        id,
        isAvailable,
        reason ?? null,
        authorOf(caller, context ?? null),
      );
      extensions.entityVersion = written.version;
      return written;
    },
    setAvailabilityBulk: (
      _: unknown,
      { entityType, entityIds, available, reason, context }: BulkArgs,
      { availability, caller }: MetadataContext,
    ) =>
      availability.setMany(
        entityType,
        entityIds,
        available,
        reason ?? null,
        authorOf(caller, context ?? null),
      ),
  },
};
