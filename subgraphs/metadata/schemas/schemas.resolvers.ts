// Schemas in GraphQL: unpack, one call, map.
import { badRequest } from '../../../platform/errors.ts';
import { authorOf, type MetadataContext } from '../metadata-context.ts';
import type { EntityType } from './entity-type.ts';
import type { FieldDefinition } from './field.ts';

/** The type's name as it was declared: aliases are echoed as sent (contract 2). */
const declaredType = (type: EntityType, field: FieldDefinition): string => {
  const sent = (type.definition.sent['fields'] as readonly Record<string, unknown>[]).find((f) => f['name'] === field.name); // readFields has checked the shape
  return typeof sent?.['field_type'] === 'string' ? sent['field_type'] : field.type;
};

const view = (type: EntityType) => ({
  ...type.definition,
  fields: type.definition.fields.map((f) => ({ ...f, fieldType: declaredType(type, f), values: f.type === 'enum' ? f.values : null })),
  allFields: [...type.fields.values()].map((f) => ({ ...f, fieldType: declaredType(type, f), values: f.type === 'enum' ? f.values : null })),
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
      return type && [...type.fields.values()].filter((f) => f.type === 'ref').map((f) => ({ field: f.name, targetEntityType: f.references }));
    },
    schemaRevision: (_: unknown, __: unknown, { schemas }: MetadataContext) => schemas.revision(),
  },
  Mutation: {
    createSchema: async (_: unknown, { definition, context }: { definition: unknown; context?: string | null }, { schemas, caller, extensions }: MetadataContext) => {
      if (typeof definition !== 'object' || definition === null || Array.isArray(definition)) throw badRequest('the definition must be an object');
      const type = await schemas.register(definition as Record<string, unknown>, authorOf(caller, context ?? null));
      extensions.schemaVersion = schemas.revision();
      return view(type);
    },
  },
};
