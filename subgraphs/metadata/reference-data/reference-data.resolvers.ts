// Reference data in GraphQL: unpack, one call.
import { authorOf, type MetadataContext } from '../metadata-context.ts';
import type { SentEntity } from './reference-data.service.ts';

interface InstallArgs {
  loader: string;
  version: string;
  entities: SentEntity[];
  context?: string | null;
}

export const referenceDataResolvers = {
  Mutation: {
    installReferenceData: (
      _: unknown,
      { loader, version, entities, context }: InstallArgs,
      { referenceData, caller }: MetadataContext,
    ) => referenceData.install(loader, version, entities, authorOf(caller, context ?? null)),
  },
};
