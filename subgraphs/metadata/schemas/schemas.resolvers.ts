// Resolvers of schemas.
import { badRequest } from '../../../platform/errors.ts';
import type { OperationContext } from '../../../platform/operation-context.ts';
import { warnOnce } from '../../../platform/warnings.ts';
import { orMeant } from '../../../platform/suggestions.ts';
import { authorOf } from '../author-of.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { TimeSlice } from '../reading/timeline.ts';
import type { EntityType } from '../schema-model/entity-type.ts';
import { view } from './schema-view.ts';
import type { SchemaSlice } from './schemas.service.ts';
import { isObject } from '../../../platform/json-object.ts';

export type SchemaContext = OperationContext & SchemaSlice & TimeSlice;

/** The type with the name, as it was at the operation's instant; for an unknown name a suggestion is reported as a warning. */
export async function typeSought(
  name: string,
  { schemas, timeline, extensions }: SchemaContext,
): Promise<EntityType | null> {
  const catalogue = await schemas.at(await timeline.moment(null));
  const type = catalogue.get(name) ?? null;
  const meant = type ? undefined : catalogue.suggestions.for(name);
  if (meant !== undefined) warnOnce(extensions, `unknown entity type: ${name}${orMeant(meant)}`);
  return type;
}

export const schemaResolvers = {
  Query: {
    schemas: async (_, __, { schemas, timeline }) =>
      [...(await schemas.at(await timeline.moment(null))).types()].map(view),
    schema: async (_, { name }, context) => {
      const type = await typeSought(name, context);
      return type && view(type);
    },
    schemaVersions: async (_, { name }, { schemas, timeline }) =>
      schemas.versions(name, await timeline.moment(null)),
    checkSchema: (_, { definition }, { schemas, caller }) => {
      if (!isObject(definition)) throw badRequest('the definition must be an object');
      return schemas.check(definition, caller);
    },
    schemaReferences: async (_, { entityType }, context) => {
      const type = await typeSought(entityType, context);
      return (
        type &&
        [...type.fields.values()].flatMap(({ name: field, references }) =>
          references === null ? [] : [{ field, targetEntityType: references }],
        )
      );
    },
    schemaRevision: (_, __, { schemas }) => schemas.revision(),
  },
  Mutation: {
    createSchema: async (_, { definition, context }, { schemas, caller, extensions }) => {
      if (!isObject(definition)) throw badRequest('the definition must be an object');
      const type = await schemas.register(definition, authorOf(caller, context ?? null));
      extensions.schemaVersion = schemas.revision();
      return view(type);
    },
  },
} satisfies Resolvers<SchemaContext>;
