import { GraphQLError } from 'graphql';

/**
 * Whether GraphQL itself complains about what the client sent: before anything ran, so without a place in the answer, or
 * about an argument that a variable left null. Its cause is then an error of GraphQL's own, or none.
 */
export function isRequestFault(error: GraphQLError): boolean {
  const cause: unknown = error.originalError;
  const own = cause === undefined || cause === null || cause instanceof GraphQLError;
  return own && (error.path === undefined || error.message.startsWith('Argument "'));
}
