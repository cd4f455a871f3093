// Resolvers of availability.
import type { OperationContext } from '../../../platform/operation-context.ts';
import { authorOf } from '../author-of.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { AvailabilitySlice } from './availability.service.ts';

export type AvailabilityContext = OperationContext & AvailabilitySlice;

export const availabilityResolvers = {
  Mutation: {
    deleteEntity: async (
      _,
      { id, entityType, ifVersion, ifVersionIn, reason, context, bypassValidation },
      { availability, caller, extensions },
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
      _,
      { id, isAvailable, ifVersion, ifVersionIn, reason, context },
      { availability, caller, extensions },
    ) => {
      const written = await availability.set(
        { id, isAvailable, ifVersion: ifVersionIn ?? ifVersion ?? null, reason: reason ?? null },
        authorOf(caller, context ?? null),
      );
      extensions.entityVersion = written.version;
      return written;
    },
    setAvailabilityBulk: (
      _,
      { entityType, entityIds, available, reason, context },
      { availability, caller },
    ) =>
      availability.setMany(
        entityType,
        entityIds,
        available,
        reason ?? null,
        authorOf(caller, context ?? null),
      ),
  },
} satisfies Resolvers<AvailabilityContext>;
