// Unpacks the arguments of crates, and makes one call each.
import type { ArtifactContext } from '../context.ts';

export const crateResolvers = {
  Query: {
    workflowRunCrate: (_: unknown, { entityId }: { entityId: string }, { crates }: ArtifactContext) =>
      crates.ofEntity(entityId),
  },
};
