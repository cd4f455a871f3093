// Fast coercion of the most common variables and arguments: strings and ids that are sent as strings, null or
// omitted. graphql-js coerces everything else.
import {
  type FieldNode,
  getArgumentValues,
  getVariableValues,
  type GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  isNonNullType,
  Kind,
  type VariableDefinitionNode,
} from 'graphql';

type Values = Readonly<Record<string, unknown>>;
export type Coerced =
  | { readonly coerced: Record<string, unknown>; readonly errors?: undefined }
  | { readonly coerced?: undefined; readonly errors: readonly GraphQLError[] };

interface Plain {
  readonly name: string;
  readonly isText: boolean;
  readonly isNullable: boolean;
}

/** Returns null where the definition has a default. */
function plainOf({ variable, type, defaultValue }: VariableDefinitionNode): Plain | null {
  const named = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
  const isText =
    named.kind === Kind.NAMED_TYPE && (named.name.value === 'ID' || named.name.value === 'String');
  return defaultValue === undefined
    ? { name: variable.name.value, isText, isNullable: type.kind !== Kind.NON_NULL_TYPE }
    : null;
}

/** Returns the same as `getVariableValues`. */
export function compileVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): (inputs: Values) => Coerced {
  const plain = definitions.map(plainOf);
  const coercePlain = (inputs: Values): Record<string, unknown> | null => {
    const coerced: Record<string, unknown> = {};
    for (const variable of plain) {
      if (variable === null) return null;
      const value = Object.hasOwn(inputs, variable.name) ? inputs[variable.name] : undefined;
      if (typeof value === 'string' && variable.isText) coerced[variable.name] = value;
      else if (value === null && variable.isNullable) coerced[variable.name] = null;
      else if (value !== undefined || !variable.isNullable) return null;
    }
    return coerced;
  };
  return (inputs) => {
    const coerced = coercePlain(inputs);
    return coerced === null ? getVariableValues(schema, definitions, inputs) : { coerced };
  };
}

/** Returns the same as `getArgumentValues`. @throws GraphQLError like it */
export function compileArguments(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (variables: Values) => Record<string, unknown> {
  const sent = new Map((node.arguments ?? []).map(({ name, value }) => [name.value, value]));
  const plain = field.args.map(({ name, type, defaultValue }) => {
    const value = sent.get(name);
    if (value !== undefined && value.kind !== Kind.VARIABLE) return null;
    return defaultValue === undefined
      ? { name, variable: value?.name.value, isNullable: !isNonNullType(type) }
      : null;
  });
  const plainArguments = (variables: Values): Record<string, unknown> | null => {
    const values: Record<string, unknown> = {};
    for (const argument of plain) {
      if (argument === null) return null;
      const { name, variable } = argument;
      const value = variable === undefined ? undefined : variables[variable];
      if (value === undefined || value === null) {
        if (!argument.isNullable) return null;
        if (value === undefined) continue;
      }
      values[name] = value;
    }
    return values;
  };
  return (variables) => plainArguments(variables) ?? getArgumentValues(field, node, variables);
}
