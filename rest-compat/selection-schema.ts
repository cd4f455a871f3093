// JSON schemas of selections: aliases become property names, so a row's document is its response's contract.
import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';

export type JsonSchema = Readonly<Record<string, unknown>>;

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  JSON: {},
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
  if (isNonNullType(type)) return selectionSchema(type.ofType, selection);
  return nullable(selectionSchema(type, selection));
}

/** The same of a value that is not null. */
export function selectionSchema(
  type: GraphQLOutputType,
  selection: SelectionSetNode | undefined,
): JsonSchema {
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
