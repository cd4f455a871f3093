// OpenAPI 3.1 of a REST API, derived from its rows: parameters from the row, responses from the document
// against the API schema.
import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { PERMISSIONS, type Permission } from '../platform/permissions.ts';
import type { RestRoute } from './route.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

export interface OpenApiPart {
  readonly paths: Readonly<Record<string, Record<string, unknown>>>;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  JSON: {},
};

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  202: 'Accepted.',
  207: 'Some of it failed.',
  503: 'Unhealthy.',
};

const nullable = (schema: JsonSchema): JsonSchema => {
  if (Object.keys(schema).length === 0) return schema; // Anything, null included.
  return typeof schema['type'] === 'string' && schema['enum'] === undefined
    ? { ...schema, type: [schema['type'], 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
};

/**
 * The JSON schema of a selection: aliases become property names, so the document is the response's contract.
 */
function shape(type: GraphQLOutputType, selection: SelectionSetNode | undefined): JsonSchema {
  if (isNonNullType(type)) return bare(type.ofType, selection);
  return nullable(bare(type, selection));
}

function bare(type: GraphQLOutputType, selection: SelectionSetNode | undefined): JsonSchema {
  // graphql-js types ofType as any output
  if (isListType(type)) return { type: 'array', items: shape(type.ofType as GraphQLOutputType, selection) };
  const named = getNamedType(type);
  if (isEnumType(named)) return { type: 'string', enum: named.getValues().map((v) => v.name) };
  if (!isObjectType(named)) return SCALARS[named.name] ?? {};
  return objectShape(named, selection);
}

function objectShape(type: GraphQLObjectType, selection: SelectionSetNode | undefined): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const node of selection?.selections ?? []) {
    const field = node.kind === Kind.FIELD ? type.getFields()[node.name.value] : undefined;
    if (node.kind !== Kind.FIELD || !field) continue;
    const key = node.alias?.value ?? node.name.value;
    properties[key] = {
      ...shape(field.type, node.selectionSet),
      ...(field.description ? { description: field.description } : {}),
    };
    required.push(key);
  }
  return { type: 'object', properties, required };
}

const operationIn = (row: RestRoute, document: string): OperationDefinitionNode => {
  const operation = parse(document).definitions.find((d) => d.kind === Kind.OPERATION_DEFINITION);
  if (!operation) throw new Error(`${row.method} ${row.path}: its document has no operation`);
  return operation;
};

function payloadSchema(
  row: RestRoute,
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): JsonSchema {
  if (row.responseSchema) return row.responseSchema;
  const usual = pickedSchema(row, schema, operation);
  return row.expandedOperation
    ? { anyOf: [usual, pickedSchema(row, schema, operationIn(row, row.expandedOperation.operation))] }
    : usual;
}

function pickedSchema(row: RestRoute, schema: GraphQLSchema, operation: OperationDefinitionNode): JsonSchema {
  const root = operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  const node = operation.selectionSet.selections.find(
    (s) => s.kind === Kind.FIELD && (s.alias?.value ?? s.name.value) === row.pick,
  );
  const field = node?.kind === Kind.FIELD ? root?.getFields()[node.name.value] : undefined;
  if (node?.kind !== Kind.FIELD || !field)
    throw new Error(`${row.method} ${row.path}: its document has no root field ${row.pick}`);
  return bare(isNonNullType(field.type) ? field.type.ofType : field.type, node.selectionSet);
}

export interface OpenApiOptions {
  /**
   * `metadata`, …: prefixes every schema name and operationId
   * (docs/reference/gateway.md#openapi-description).
   */
  readonly component: string;
  readonly prefix: string;
  readonly rows: readonly RestRoute[];
  readonly schema: GraphQLSchema;
  readonly permissionOf: (document: string) => Permission;
  /** Wraps a payload's schema into the component's envelope. */
  readonly envelope: (payload: JsonSchema) => JsonSchema;
  readonly error: JsonSchema;
}

/** The part of the description that the rows make up. */
export function describeRows(options: OpenApiOptions): OpenApiPart {
  const { component, rows, schema } = options;
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas: Record<string, JsonSchema> = { [`${component}_Error`]: options.error };
  for (const dialect of new Set(rows.flatMap((row) => row.dialect ?? [])))
    schemas[`${component}_${dialect.name}_Error`] = dialect.error;
  const errorRef = (name: string): unknown => ({
    'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
  });
  const seen = new Map<string, number>();

  for (const row of rows) {
    const operation = operationIn(row, row.operation);
    const base = operation.name?.value ?? row.pick;
    const uses = (seen.get(base) ?? 0) + 1;
    seen.set(base, uses);
    const id = uses === 1 ? `${component}_${base}` : `${component}_${base}_${uses}`;
    schemas[`${id}_Response`] = (row.dialect?.wrap ?? options.envelope)(
      payloadSchema(row, schema, operation),
    );
    const grant = PERMISSIONS[options.permissionOf(row.operation)];
    const errors = errorRef(row.dialect ? `${component}_${row.dialect.name}_Error` : `${component}_Error`);
    const json = (name: string): unknown => ({
      'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
    });
    (paths[options.prefix + row.path] ??= {})[row.method.toLowerCase()] = {
      operationId: id,
      summary: row.summary,
      description:
        row.access === 'public'
          ? 'Needs no credential.'
          : `Needs role ${grant.minimum}${grant.service ? ' or service' : ''}.`,
      tags: [component],
      security: row.access === 'public' ? [] : [{ bearer: [] }, { apiKey: [] }],
      parameters: [
        ...[...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
          name,
          in: 'path',
          required: true,
          schema: { type: 'string' },
        })),
        ...Object.entries(row.query).map(([name, p]) => ({
          name,
          in: 'query',
          required: p.required,
          description: p.description,
          schema: p.schema,
        })),
      ],
      ...(row.body === undefined
        ? {}
        : {
            requestBody: {
              required: row.body === 'required',
              content: { 'application/json': { schema: row.bodySchema ?? { type: 'object' } } },
            },
          }),
      responses: {
        ...Object.fromEntries(
          [row.successStatus ?? 200, ...(row.otherStatuses ?? [])].map((status) => [
            String(status),
            { description: DESCRIPTIONS[status] ?? 'Success.', content: json(`${id}_Response`) },
          ]),
        ),
        '4XX': { description: 'Refused.', content: errors },
        '5XX': { description: 'Failed.', content: errors },
      },
    };
  }
  return { paths, schemas };
}

/** docs/reference/api-conventions.md#metadata-envelope, around a payload. */
export const metadataEnvelopeSchema = (payload: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['data', 'error', 'meta'],
  properties: {
    data: payload,
    error: { type: 'null' },
    meta: {
      type: 'object',
      required: ['schema_version', 'request_id'],
      properties: {
        schema_version: { type: 'string' },
        request_id: { type: 'string' },
        next_cursor: {
          type: ['string', 'null'],
          description: 'Of a list: send it back as `cursor` for what comes next; null where that was all.',
        },
        warnings: { type: 'array', items: { type: 'string' } },
      },
    },
  },
});

export const metadataErrorSchema: JsonSchema = {
  type: 'object',
  required: ['data', 'error', 'meta'],
  properties: {
    data: { type: 'null' },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'integer' }, message: { type: 'string' } },
    },
    meta: {
      type: 'object',
      required: ['schema_version', 'request_id'],
      properties: { schema_version: { type: 'string' }, request_id: { type: 'string' } },
    },
  },
};

/** docs/reference/api-conventions.md#gateway-error. */
export const gatewayErrorSchema: JsonSchema = {
  type: 'object',
  required: ['error', 'message', 'request_id', 'details'],
  properties: {
    error: { type: 'string' },
    message: { type: 'string' },
    request_id: { type: 'string', format: 'uuid' },
    details: { type: 'object' },
  },
};
