// Replaces JSON literals in a GraphQL document by variables, so that a literal means the same as a variable
// with the same value (docs/reference/api-conventions.md#json-literals).
import {
  type ConstValueNode,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  GraphQLError,
  getVariableValues,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  type OperationDefinitionNode,
  parseType,
  print,
  separateOperations,
  typeFromAST,
  TypeInfo,
  type TypeNode,
  type ValueNode,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { MAX_JSON_DEPTH } from './json-shape.ts';

type Values = Readonly<Record<string, unknown>>;

export interface WithoutLiterals {
  /** The selected operation only, with variables in place of JSON literals. */
  readonly document: DocumentNode;
  readonly source: string;
  /**
   * Returns the values of all variables: those of the request and those of the replaced literals. Returns
   * errors where a variable that is used inside a literal is invalid or missing.
   */
  readonly fill: (
    inputs: Values,
  ) =>
    | { readonly variables: Values; readonly errors?: undefined }
    | { readonly variables?: undefined; readonly errors: readonly GraphQLError[] };
}

interface Lifted {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly value: ValueNode;
}
/**
 * Replaced literals by type and text. Equal literals share one variable, because GraphQL requires equal
 * arguments for a field that is selected twice.
 */
type AllLifted = Map<string, Lifted>;

const unwrapped = (type: GraphQLInputType): GraphQLInputType => (isNonNullType(type) ? type.ofType : type);

/** Calls `map` for each value of one of our scalars and replaces the value by the result. */
function mapScalars(
  value: ValueNode,
  type: GraphQLInputType,
  map: (value: ValueNode, type: GraphQLInputType) => ValueNode,
): ValueNode {
  if (value.kind === Kind.VARIABLE || value.kind === Kind.NULL) return value;
  const nullable = unwrapped(type);
  if (isListType(nullable)) {
    return value.kind === Kind.LIST
      ? { ...value, values: value.values.map((item) => mapScalars(item, nullable.ofType, map)) }
      : mapScalars(value, nullable.ofType, map);
  }
  if (isInputObjectType(nullable)) {
    if (value.kind !== Kind.OBJECT) return value; // validation has rejected it
    const known = nullable.getFields();
    return {
      ...value,
      fields: value.fields.map((field) => {
        const inner = known[field.name.value];
        return inner ? { ...field, value: mapScalars(field.value, inner.type, map) } : field;
      }),
    };
  }
  return isScalarType(nullable) && !isSpecifiedScalarType(nullable) ? map(value, type) : value;
}

/** @throws GraphQLError for words without quotes, and for JSON that is nested too deeply */
function assertJson(value: ValueNode, depth = 1): void {
  if (depth > MAX_JSON_DEPTH)
    throw new GraphQLError(`the JSON is nested deeper than ${MAX_JSON_DEPTH} levels`);
  if (value.kind === Kind.ENUM)
    throw new GraphQLError(`${value.value} is not valid JSON: put text in quotes`, { nodes: value });
  if (value.kind === Kind.LIST) for (const item of value.values) assertJson(item, depth + 1);
  if (value.kind === Kind.OBJECT) for (const field of value.fields) assertJson(field.value, depth + 1);
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce<number>((most, item) => Math.max(most, depthOf(item)), 0);
}

function variablesIn(node: ValueNode | ConstValueNode, found: Set<string>): void {
  visit(node, {
    Variable: ({ name }) => {
      found.add(name.value);
    },
  });
}

/** Returns the value that JSON.parse would return. @throws GraphQLError for a variable that has no value */
function jsonOf(value: ValueNode, variables: Values): unknown {
  switch (value.kind) {
    case Kind.NULL:
      return null;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(value.value);
    case Kind.STRING:
    case Kind.BOOLEAN:
      return value.value;
    case Kind.LIST:
      return value.values.map((item) => jsonOf(item, variables));
    case Kind.OBJECT: {
      const object: Record<string, unknown> = {};
      for (const field of value.fields)
        Object.defineProperty(object, field.name.value, {
          value: jsonOf(field.value, variables),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      return object;
    }
    case Kind.VARIABLE: {
      const { value: name } = value.name;
      if (!Object.hasOwn(variables, name) || variables[name] === undefined)
        throw new GraphQLError(`the variable $${name} is used in a JSON literal but has no value`, {
          nodes: value,
        });
      return variables[name];
    }
    case Kind.ENUM:
      throw new GraphQLError(`${value.value} is not valid JSON: put text in quotes`, { nodes: value });
    default:
      return value satisfies never;
  }
}

const operationIn = (document: DocumentNode): OperationDefinitionNode | undefined =>
  document.definitions.find((d) => d.kind === Kind.OPERATION_DEFINITION);

/**
 * Replaces JSON literals of the operation by variables and collects them in `lifted`.
 * @throws GraphQLError as {@link assertJson}
 */
function lift(
  schema: GraphQLSchema,
  document: DocumentNode,
  taken: ReadonlySet<string>,
  lifted: AllLifted,
): DocumentNode {
  const info = new TypeInfo(schema);
  const nameOf = (): string => {
    let name = `json_${lifted.size}`;
    while (taken.has(name)) name = `_${name}`;
    return name;
  };
  return visit(
    document,
    visitWithTypeInfo(info, {
      VariableDefinition({ defaultValue, type }) {
        // typeFromAST accepts any type node, and validation has checked that this is an input type
        const input = typeFromAST(schema, type as never) as GraphQLInputType | undefined;
        if (defaultValue && input)
          mapScalars(defaultValue, input, (value) => {
            assertJson(value);
            return value;
          });
        return false;
      },
      Argument(node) {
        const type = info.getInputType();
        if (!type) return undefined;
        const value = mapScalars(node.value, type, (json, position) => {
          assertJson(json);
          if (json.kind !== Kind.OBJECT && json.kind !== Kind.LIST) return json;
          const text = `${String(position)} ${print(json)}`;
          const name = lifted.get(text)?.name ?? nameOf();
          lifted.set(text, { name, type: position, value: json });
          return { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } };
        });
        return { ...node, value };
      },
    }),
  );
}

/**
 * Returns the operation without JSON literals; null where it has none.
 * @param document valid in the schema
 * @throws GraphQLError for words without quotes in JSON, also in defaults of variables
 */
export function withoutJsonLiterals(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): WithoutLiterals | null {
  const alone = separateOperations(document)[operationName ?? operationIn(document)?.name?.value ?? ''];
  const operation = alone && operationIn(alone);
  if (!operation) return null;
  const definitions = operation.variableDefinitions ?? [];
  const found: AllLifted = new Map();
  const without = lift(schema, alone, new Set(definitions.map(({ variable }) => variable.name.value)), found);
  const lifted = [...found.values()];
  if (lifted.length === 0) return null;

  const inside = new Set<string>();
  for (const { value } of lifted) variablesIn(value, inside);
  const outside = new Set<string>();
  visit(without, {
    VariableDefinition: () => false,
    Variable: ({ name }) => {
      outside.add(name.value);
    },
  });
  const made = lifted.map(({ name, type }): VariableDefinitionNode => ({
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } },
    type: parseType(String(type)) satisfies TypeNode,
  }));
  const kept = definitions.filter(({ variable }) => outside.has(variable.name.value));
  const rewritten = visit(without, {
    OperationDefinition: (node) => ({ ...node, variableDefinitions: [...kept, ...made] }),
  });
  const used = definitions.filter(({ variable }) => inside.has(variable.name.value));
  return {
    document: rewritten,
    source: print(rewritten),
    fill: (inputs) => filled(schema, used, lifted, inputs),
  };
}

function filled(
  schema: GraphQLSchema,
  used: readonly VariableDefinitionNode[],
  lifted: readonly Lifted[],
  inputs: Values,
): ReturnType<WithoutLiterals['fill']> {
  const { coerced, errors } = getVariableValues(schema, used, inputs);
  if (errors) return { errors };
  try {
    const written = Object.fromEntries(lifted.map(({ name, value }) => [name, jsonOf(value, coerced)]));
    if (used.length > 0 && Object.values(written).some((value) => depthOf(value) > MAX_JSON_DEPTH))
      return { errors: [new GraphQLError(`the JSON is nested deeper than ${MAX_JSON_DEPTH} levels`)] };
    return { variables: { ...inputs, ...written } };
  } catch (thrown) {
    if (thrown instanceof GraphQLError) return { errors: [thrown] };
    throw thrown;
  }
}
