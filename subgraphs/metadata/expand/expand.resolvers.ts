// Expansion in GraphQL: unpack, one call; entities of one operation are expanded together.
import type { MetadataContext } from '../metadata-context.ts';
import type { ExpandSource } from './expand.service.ts';

const expanded = (
  source: ExpandSource,
  { paths }: { paths: string },
  { expandedOf }: MetadataContext,
): Promise<unknown> => expandedOf(source, paths);

export const expandResolvers = { Entity: { expanded }, SearchHit: { expanded } };
