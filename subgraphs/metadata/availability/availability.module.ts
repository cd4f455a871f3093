// Availability as a noun of the metadata subgraph.
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { type AvailabilityContext, availabilityResolvers } from './availability.resolvers.ts';
import { AvailabilityService, type AvailabilitySlice } from './availability.service.ts';

export const availability: MetadataNoun<AvailabilitySlice, AvailabilityContext> = {
  typeDefs: readSdl('subgraphs/metadata/availability/availability.graphql'),
  resolvers: availabilityResolvers,
  permissions: {
    'Mutation.deleteEntity': 'metadata:retire',
    'Mutation.setAvailability': 'metadata:retire',
    'Mutation.setAvailabilityBulk': 'metadata:retire',
  },
  services: ({ catalogue, door, log }) => ({
    availability: new AvailabilityService({
      catalogue,
      write: (one) => door.write(one),
      writeAll: (writes) => door.writeAll(writes),
      onFault: (err) => {
        log.error({ err }, 'the availability of an entity could not be changed');
      },
    }),
  }),
};
