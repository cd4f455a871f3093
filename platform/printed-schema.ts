// A schema as text, of which the same schema can be made again without checking it.
import { type DefinitionNode, type GraphQLSchema, isTypeExtensionNode, Kind, print } from 'graphql';
import { graphQLJSSchemaToAST } from '@apollo/federation-internals';

/** A type that is only extended becomes one that is defined. */
export function defined(definitions: readonly DefinitionNode[]): DefinitionNode[] {
  const known = new Set(
    definitions.flatMap((one) => ('name' in one && !isTypeExtensionNode(one) ? [one.name?.value] : [])),
  );
  return definitions.map((one) => {
    if (!isTypeExtensionNode(one) || known.has(one.name.value)) return one;
    known.add(one.name.value);
    // an extension differs from a definition by its kind
    return { ...one, kind: one.kind.replace('Extension', 'Definition') } as DefinitionNode;
  });
}

/** With the directives that are applied, which graphql-js does not print. */
export const printedSchema = (schema: GraphQLSchema): string =>
  print({ kind: Kind.DOCUMENT, definitions: defined(graphQLJSSchemaToAST(schema).definitions) });
