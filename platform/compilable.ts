// Which operations graphql-jit compiles right, and within bounds.
import {
  type DocumentNode,
  getNamedType,
  type GraphQLInputType,
  type GraphQLSchema,
  isAbstractType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  typeFromAST,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** Checks of values that the compiler may write for the variables of an operation: none of the built-in types needs fifty. */
const MAX_CHECKS = 500;

/**
 * Where a field is conditioned in one place and not in another, the compiler loses conditions inside: such
 * operations stay uncompiled.
 */
function hasConditions(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Directive: ({ name }) => {
      found ||= name.value === 'skip' || name.value === 'include';
    },
  });
  return found;
}

/** The compiler looks at all types that an interface may stand for, which may be thousands. */
function answersAbstract(schema: GraphQLSchema, document: DocumentNode): boolean {
  let found = false;
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: () => {
        found ||= isAbstractType(getNamedType(types.getType()));
      },
    }),
  );
  return found;
}

/**
 * The compiler writes the checks of a variable's type out in place, those of a list's items twice: of a type that
 * contains itself until its stack is full, which takes ten seconds.
 */
function takesManyChecks(schema: GraphQLSchema, document: DocumentNode): boolean {
  let left = MAX_CHECKS;
  const count = (type: GraphQLInputType): void => {
    if (left-- <= 0) return;
    if (isNonNullType(type)) count(type.ofType);
    else if (isListType(type)) for (const written of [type.ofType, type.ofType]) count(written);
    else if (isInputObjectType(type)) for (const field of Object.values(type.getFields())) count(field.type);
  };
  visit(document, {
    VariableDefinition: ({ type }) => {
      const taken = typeFromAST(schema, type);
      if (isInputType(taken)) count(taken);
    },
  });
  return left <= 0;
}

export const isCompilable = (schema: GraphQLSchema, document: DocumentNode): boolean =>
  !hasConditions(document) && !answersAbstract(schema, document) && !takesManyChecks(schema, document);
