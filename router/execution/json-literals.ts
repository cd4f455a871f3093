// Operations with JSON literals in their documents: the literals are replaced by variables before preparing.
import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';
import type { ComponentResult } from '../../platform/component.ts';
import { badRequest, graphqlCode } from '../../platform/errors.ts';
import { type WithoutLiterals, withoutJsonLiterals } from '../../platform/json-literals.ts';
import { InvalidDocument } from './invalid-document.ts';
import type { Pieces } from './pieces.ts';
import type { RouterOperation } from './prepare-operation.ts';

/** @throws InvalidDocument for JSON that is none, and what `make` throws */
export function* preparedWithoutJson(
  schema: GraphQLSchema,
  source: string,
  document: DocumentNode,
  operationName: string | undefined,
  make: (source: string, document: DocumentNode) => Pieces<RouterOperation>,
): Pieces<RouterOperation> {
  const without = lifted(schema, document, operationName);
  return without === null
    ? yield* make(source, document)
    : filling(yield* make(without.source, without.document), without);
}

function lifted(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): WithoutLiterals | null {
  try {
    return withoutJsonLiterals(schema, document, operationName);
  } catch (thrown) {
    throw thrown instanceof GraphQLError ? new InvalidDocument([thrown]) : thrown;
  }
}

function filling(operation: RouterOperation, { fill }: WithoutLiterals): RouterOperation {
  const { subscribe } = operation;
  return {
    ...operation,
    namedProjects: (inputs) => operation.namedProjects(fill(inputs).variables ?? inputs),
    run(inputs, caller): Promise<ComponentResult> {
      const { variables, errors } = fill(inputs);
      if (variables) return operation.run(variables, caller);
      return Promise.resolve({
        errors: errors.map(({ message }) => ({
          message,
          extensions: { code: graphqlCode('invalid_request') },
        })),
      });
    },
    ...(subscribe && {
      subscribe: async (inputs, caller) => {
        const { variables, errors } = fill(inputs);
        if (variables) return subscribe(variables, caller);
        throw badRequest(errors[0]?.message ?? 'the variables do not match the operation');
      },
    }),
  };
}
