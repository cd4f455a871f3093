// Generates a valid document and valid variables for any root field of a schema, to test who may run every
// operation.
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';

const SCALARS: Readonly<Record<string, unknown>> = {
  String: 'x',
  ID: 'x',
  Int: 1,
  Float: 1,
  Boolean: false,
  DateTime: '2026-01-01T00:00:00Z',
};

function valueOf(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return valueOf(type.ofType);
  if (isListType(type)) return [valueOf(type.ofType)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    return Object.fromEntries(
      Object.values(type.getFields())
        .filter((field) => isNonNullType(field.type) && field.defaultValue === undefined)
        .map((field) => [field.name, valueOf(field.type)]),
    );
  }
  return SCALARS[type.name] ?? {};
}

const named = (type: GraphQLOutputType): GraphQLOutputType =>
  isNonNullType(type) || isListType(type) ? named(type.ofType) : type;

const isRequired = ({ type, defaultValue }: GraphQLArgument): boolean =>
  isNonNullType(type) && defaultValue === undefined;

export interface AnyOperation {
  readonly source: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The field with its required arguments, and a minimal selection. */
export function anyOperation(
  kind: 'query' | 'mutation' | 'subscription',
  field: GraphQLField<unknown, unknown>,
): AnyOperation {
  const required = field.args.filter(isRequired);
  const declared =
    required.length === 0
      ? ''
      : `(${required.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ')})`;
  const passed =
    required.length === 0 ? '' : `(${required.map(({ name }) => `${name}: $${name}`).join(', ')})`;
  const answer = named(field.type);
  const selection =
    isObjectType(answer) || isInterfaceType(answer) || isUnionType(answer) ? ' { __typename }' : '';
  return {
    source: `${kind} Any${declared} { ${field.name}${passed}${selection} }`,
    variables: Object.fromEntries(required.map(({ name, type }) => [name, valueOf(type)])),
  };
}
