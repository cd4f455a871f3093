// Resolvers of schemas.
import { badRequest } from '../../../platform/errors.ts';
import type { OperationContext } from '../../../platform/operation-context.ts';
import { warnOnce } from '../../../platform/warnings.ts';
import { orMeant } from '../../../platform/suggestions.ts';
import { authorOf } from '../author-of.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { EntityType } from '../schema-model/entity-type.ts';
import { view } from './schema-view.ts';
import type { SchemaSlice } from './schemas.service.ts';
import { isObject } from '../../../platform/json-object.ts';

export type SchemaContext = OperationContext & SchemaSlice;

/** The type with the name; for an unknown name a suggestion is reported as a warning. */
export function typeSought(name: string, { schemas, extensions }: SchemaContext): EntityType | null {
  const type = schemas.get(name);
  const meant = type ? undefined : schemas.nearest(name);
  if (meant !== undefined) warnOnce(extensions, `unknown entity type: ${name}${orMeant(meant)}`);
  return type;
}

export const schemaResolvers = {
  Query: {
    schemas: (_, __, { schemas }) => schemas.list().map(view),
    schema: (_, { name }, context) => {
      const type = typeSought(name, context);
      return type && view(type);
    },
    schemaVersions: (_, { name }, { schemas }) => schemas.versions(name),
    checkSchema: (_, { definition }, { schemas, caller }) => {
      if (!isObject(definition)) throw badRequest('the definition must be an object');
      return schemas.check(definition, caller);
    },
    schemaReferences: (_, { entityType }, context) => {
      const type = typeSought(entityType, context);
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
