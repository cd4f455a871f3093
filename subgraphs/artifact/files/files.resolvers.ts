// Unpacks the stored files' arguments and makes one call each.
import type { ArtifactContext } from '../context.ts';

interface EvictArguments {
  readonly hash?: string | null;
  readonly olderThan?: string | null;
  readonly entityType?: string | null;
  readonly all: boolean;
}

export const fileResolvers = {
  Mutation: {
    evictFiles: (
      _: unknown,
      { hash, olderThan, entityType, all }: EvictArguments,
      { files }: ArtifactContext,
    ) =>
      files.evict({ hash: hash ?? null, olderThan: olderThan ?? null, entityType: entityType ?? null, all }),
    verifyFiles: (
      _: unknown,
      { limit, after }: { limit: number; after?: string | null },
      { files }: ArtifactContext,
    ) => files.verify(limit, after ?? null),
  },
  Query: {
    storedFile: (_: unknown, { hash }: { hash: string }, { files }: ArtifactContext) => files.get(hash),
  },
};
