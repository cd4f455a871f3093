// Unpacks the stored files' arguments and makes one call each.
import type { ArtifactContext } from '../context.ts';

export const fileResolvers = {
  Query: {
    storedFile: (_: unknown, { hash }: { hash: string }, { files }: ArtifactContext) => files.get(hash),
  },
};
