// Unpacks the arguments of resolution, and makes one call each.
import type { ArtifactContext } from '../context.ts';
import { type StoredEntity, uriOf } from './entities.ts';
import type { Resolution } from './resolution.service.ts';

interface ResolveArguments {
  readonly entityType: string;
  readonly criteria: unknown;
  readonly rule?: string | null;
  readonly parameters?: unknown;
}
interface CollectionArguments {
  readonly entityType: string;
  readonly partialSpec: unknown;
  readonly limit: number;
  readonly cursor?: string | null;
}

export const resolutionResolvers = {
  Query: {
    resolveArtifact: (
      _: unknown,
      { entityType, criteria, rule, parameters }: ResolveArguments,
      { requests }: ArtifactContext,
    ) => requests.resolve(entityType, criteria, rule ?? null, parameters),
    resolveAll: (
      _: unknown,
      { entityType, partialSpec, limit, cursor }: CollectionArguments,
      { resolution }: ArtifactContext,
    ) => resolution.collection(entityType, partialSpec, limit, cursor ?? null),
  },
  ArtifactResolution: {
    decision: ({ plan }: Resolution) => plan.decision,
    rule: ({ plan }: Resolution) => plan.rule,
  },
  ResolvedEntity: {
    uri: (entity: StoredEntity) => uriOf(entity),
    fields: (entity: StoredEntity) => entity.data,
  },
};
