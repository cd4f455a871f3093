// Schemas in GraphQL: unpack, one call, map.
import { badRequest } from '../../../platform/errors.ts';
import { authorOf, type MetadataContext } from '../metadata-context.ts';
import type { EntityType } from './entity-type.ts';
import type { FieldDefinition } from './field.ts';

const fieldView = (field: FieldDefinition) => ({
  ...field,
  fieldType: field.declaredType,
  values: field.type === 'enum' ? field.values : null,
});

const view = (type: EntityType) => ({
  ...type.definition,
  subtypes: type.selfAndSubtypes.filter((name) => name !== type.name),
  fields: type.definition.fields.map(fieldView),
  allFields: [...type.fields.values()].map(fieldView),
  definition: type.definition.sent,
});

export const schemaResolvers = {
  Query: {
    schemas: (_: unknown, __: unknown, { schemas }: MetadataContext) => schemas.list().map(view),
    schema: (_: unknown, { name }: { name: string }, { schemas }: MetadataContext) => {
      const type = schemas.get(name);
      return type && view(type);
    },
    schemaReferences: (_: unknown, { entityType }: { entityType: string }, { schemas }: MetadataContext) => {
      const type = schemas.get(entityType);
      return (
        type &&
        [...type.fields.values()]
          .filter((f) => f.type === 'ref')
          .map((f) => ({ field: f.name, targetEntityType: f.references }))
      );
    },
    schemaRevision: (_: unknown, __: unknown, { schemas }: MetadataContext) => schemas.revision(),
  },
  Mutation: {
    createSchema: async (
      _: unknown,
      { definition, context }: { definition: unknown; context?: string | null },
      { schemas, caller, extensions }: MetadataContext,
    ) => {
      if (typeof definition !== 'object' || definition === null || Array.isArray(definition))
        throw badRequest('the definition must be an object');
      const type = await schemas.register(
        definition as Record<string, unknown>,
        authorOf(caller, context ?? null),
      );
      extensions.schemaVersion = schemas.revision();
      return view(type);
    },
  },
};
