// Reads and registers schemas: entity types and their fields (docs/reference/metadata.md#schemas).
import type { CallOptions, WriteOptions } from './call-options.ts';
import type { Core } from './core.ts';
import { aboutSchemas } from './errors/absent-entity.ts';
import { SchemaError } from './errors/errors.ts';

export type FieldType =
  | 'string'
  | 'int'
  | 'float'
  | 'bool'
  | 'date'
  | 'datetime'
  | 'enum'
  | 'uri'
  | 'json'
  | 'ref'
  | 'text'
  | 'integer'
  | 'number'
  | 'double'
  | 'boolean'
  | 'timestamp'
  | 'object'
  | 'dict'
  | 'list'
  | 'reference';

export interface FieldDefinition {
  readonly name: string;
  readonly fieldType: FieldType;
  readonly required?: boolean;
  /** The field holds a list of this type. */
  readonly many?: boolean;
  /** Two entities may not have the same value. */
  readonly unique?: boolean;
  readonly description?: string;
  /** Whether full-text search includes a string field; default true. */
  readonly searchable?: boolean;
  /** Whether the field has a dedicated index for range filters and sorting. */
  readonly indexed?: boolean;
  readonly default?: unknown;
  /** The allowed values of an `enum`. */
  readonly values?: readonly string[];
  /** The target type of a `ref`. */
  readonly references?: string;
  /** For a `ref`: the target must exist and have the right type when the reference is written. */
  readonly mustExist?: boolean;
}

export interface RuleDefinition {
  readonly ruleId: string;
  /** CEL over `data` and `previous`. */
  readonly expression: string;
  readonly message?: string;
}

export interface SchemaDefinition {
  readonly name: string;
  readonly version: string;
  readonly fields: readonly FieldDefinition[];
  /** The parent type. This type inherits its fields, and queries for the parent include its entities. */
  readonly parent?: string;
  readonly rules?: readonly RuleDefinition[];
  readonly description?: string;
}

export interface SchemaField {
  readonly name: string;
  /** As declared; aliases are kept. */
  readonly fieldType: FieldType;
  readonly required: boolean;
  readonly many: boolean;
  readonly unique: boolean;
  readonly searchable: boolean;
  readonly indexed: boolean;
  readonly description: string | null;
  readonly default: unknown;
  readonly values: readonly string[] | null;
  readonly references: string | null;
  readonly mustExist: boolean;
}

export interface Schema {
  readonly name: string;
  readonly version: string;
  readonly parent: string | null;
  readonly description: string | null;
  /** Fields that this type declares. */
  readonly fields: readonly SchemaField[];
  /** Declared and inherited fields. */
  readonly allFields: readonly SchemaField[];
  readonly rules: readonly Required<RuleDefinition>[];
}

export interface SchemaReference {
  readonly field: string;
  readonly targetEntityType: string;
}

/** A reference without a target entity of the type that its field declares. */
export interface ReferenceFault {
  readonly entityId: string;
  readonly entityType: string;
  readonly field: string;
  readonly targetId: string;
  readonly targetEntityType: string;
  /** The caller can see no such entity, or the entity has another type. */
  readonly reason: 'MISSING' | 'OTHER_TYPE';
  readonly actualEntityType: string | null;
}
export interface ReferenceFaultPage {
  readonly items: readonly ReferenceFault[];
  /** The cursor of the next page; null at the end. */ readonly nextCursor: string | null;
}
export interface FaultOptions extends CallOptions {
  /** 1 to 1000; default 100. */ readonly limit?: number;
  readonly cursor?: string | null;
}

export interface Schemas {
  /**
   * Registers a schema or a new version of one. Registering the same definition again changes nothing.
   * @throws SchemaError, ForbiddenError unless the caller is an administrator
   */
  create(definition: SchemaDefinition, options?: WriteOptions): Promise<Schema>;
  /** Returns all schemas. */
  list(options?: CallOptions): Promise<readonly Schema[]>;
  /** @throws SchemaError where there is none */
  get(name: string, options?: CallOptions): Promise<Schema>;
  /**
   * Returns the reference fields of a type, including inherited ones. @throws SchemaError for an unknown type
   */
  references(entityType: string, options?: CallOptions): Promise<readonly SchemaReference[]>;
  /**
   * Returns a page of references of a type's entities whose target is missing or has another type.
   * @throws SchemaError for an unknown type
   */
  referenceFaults(entityType: string, options?: FaultOptions): Promise<ReferenceFaultPage>;
}

export interface SchemaOperations {
  readonly schemas: Schemas;
}

const FIELD =
  'name fieldType required many unique searchable indexed description default values references mustExist';
const SCHEMA = `name version parent description fields { ${FIELD} } allFields { ${FIELD} } rules { ruleId expression message }`;
const CREATE = `mutation CreateSchema($definition: JSON!, $context: ProvenanceContext) { schema: createSchema(definition: $definition, context: $context) { ${SCHEMA} } }`;
const LIST = `query ListSchemas { schemas { ${SCHEMA} } }`;
const GET = `query GetSchema($name: String!) { schema(name: $name) { ${SCHEMA} } }`;
const REFERENCES =
  'query References($entityType: String!) { references: schemaReferences(entityType: $entityType) { field targetEntityType } }';

const FAULTS = `query ReferenceFaults($entityType: String!, $limit: Int, $cursor: String) { faults: referenceFaults(entityType: $entityType, limit: $limit, cursor: $cursor) {
  items { entityId entityType field targetId targetEntityType reason actualEntityType } nextCursor } }`;

/** Converts a definition to the field names of the API. */
const written = ({ fields, rules, ...schema }: SchemaDefinition): Record<string, unknown> => ({
  ...schema,
  fields: fields.map(({ fieldType, mustExist, ...field }) => ({
    ...field,
    field_type: fieldType,
    ...(mustExist === undefined ? {} : { must_exist: mustExist }),
  })),
  ...(rules === undefined
    ? {}
    : { rules: rules.map(({ ruleId, ...rule }) => ({ ...rule, rule_id: ruleId })) }),
});

const absent = (name: string): SchemaError =>
  new SchemaError(`schema not found: ${name}`, { code: 'NOT_FOUND', details: { name } });

export const schemasOf = ({ transport }: Core): SchemaOperations => ({
  schemas: {
    async create(definition, { provenanceContext: context, ...options } = {}) {
      const { schema } = await transport.send<{ schema: Schema }>(
        { document: CREATE, safety: 'idempotent', explain: aboutSchemas },
        { definition: written(definition), context },
        options,
      );
      return schema;
    },
    list: async (options = {}) =>
      (await transport.send<{ schemas: readonly Schema[] }>({ document: LIST, safety: 'read' }, {}, options))
        .schemas,
    async get(name, options = {}) {
      const { schema } = await transport.send<{ schema: Schema | null }>(
        { document: GET, safety: 'read' },
        { name },
        options,
      );
      if (schema === null) throw absent(name);
      return schema;
    },
    async references(entityType, options = {}) {
      const { references } = await transport.send<{ references: SchemaReference[] | null }>(
        { document: REFERENCES, safety: 'read' },
        { entityType },
        options,
      );
      if (references === null) throw absent(entityType);
      return references;
    },
    async referenceFaults(entityType, { limit = 100, cursor = null, ...options } = {}) {
      const { faults } = await transport.send<{ faults: ReferenceFaultPage | null }>(
        { document: FAULTS, safety: 'read' },
        { entityType, limit, cursor },
        options,
      );
      if (faults === null) throw absent(entityType);
      return faults;
    },
  },
});
