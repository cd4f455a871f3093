// Resolvers of expansion; entities of one operation are expanded together.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { EntityExpandedArgs, Resolvers } from '../generated/resolvers.ts';
import type { ExpandSlice, ExpandSource } from './expand.service.ts';

export type ExpandContext = OperationContext & ExpandSlice;

const expanded = (
  source: ExpandSource,
  { paths }: EntityExpandedArgs,
  { expandedOf }: ExpandContext,
): Promise<unknown> => expandedOf(source, paths);

export const expandResolvers = {
  Entity: { expanded },
  SearchHit: { expanded },
  Schema: { expandedFields: ({ name }, { paths }, { expandedFieldsOf }) => expandedFieldsOf(name, paths) },
} satisfies Resolvers<ExpandContext>;
