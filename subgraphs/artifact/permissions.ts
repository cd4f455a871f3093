// What each root field of the artifact subgraph needs (contract 1.2).
import type { Permission } from '../../platform/permissions.ts';
import type { RootCoordinate } from '../../platform/subgraph.ts';

export const artifactPermissions: Readonly<Record<RootCoordinate, Permission>> = {
  'Query.rules': 'artifact:read',
  'Query.rule': 'artifact:read',
  'Query.production': 'artifact:read',
  'Query.productions': 'artifact:read',
  'Query.storedFile': 'artifact:read',
  'Query.workflowRunCrate': 'artifact:read',
  'Query.resolveArtifact': 'artifact:read',
  'Query.resolveAll': 'artifact:read',
  'Mutation.produceArtifact': 'artifact:produce',
  'Mutation.cancelProduction': 'artifact:produce',
  'Mutation.setReusable': 'artifact:produce',
  'Mutation.evictFiles': 'artifact:evict',
  'Mutation.verifyFiles': 'artifact:evict',
  // at least one's own; what a rule's scope needs beyond that, the service knows
  'Mutation.registerRule': 'rule:write:own',
  'Mutation.deprecateRule': 'rule:write:own',
};
