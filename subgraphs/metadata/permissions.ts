// Which permission each root field of metadata needs (the roles are in platform/permissions.ts).
import type { Permission } from '../../platform/permissions.ts';
import type { RootCoordinate } from '../../platform/subgraph.ts';

export const metadataPermissions: Readonly<Record<RootCoordinate, Permission>> = {
  'Query.entity': 'metadata:read',
  'Query.entities': 'metadata:read',
  'Query.schemas': 'metadata:read',
  'Query.schema': 'metadata:read',
  'Query.schemaReferences': 'metadata:read',
  'Query.schemaRevision': 'metadata:read',
  'Query.entityHistory': 'provenance:read',
  'Mutation.ingestEntity': 'metadata:write',
  'Mutation.updateEntity': 'metadata:write',
  'Mutation.createSchema': 'schema:write',
};
