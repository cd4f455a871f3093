// The scalars of metadata's SDL.
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { GraphQLJSON } from 'graphql-scalars';
import { dateTimeScalar } from '../../platform/date-time-scalar.ts';
import { DomainError } from '../../platform/errors.ts';
import { canonicalInstant } from '../../platform/instant.ts';
import { parseJson } from '../../platform/json.ts';

const literal = (node: ValueNode, variables?: Record<string, unknown> | null): unknown =>
  valueFromASTUntyped(node, variables);

export const JsonScalar = GraphQLJSON;

export const DateTimeScalar = dateTimeScalar((text) => canonicalInstant(text) ?? text);

/** Its value is always JSON text: text is passed on verbatim, other values are serialised as JSON. */
export const ContextScalar = new GraphQLScalarType<string, unknown>({
  name: 'ProvenanceContext',
  serialize: (v) => v,
  parseValue: contextOf,
  parseLiteral: (node, variables) =>
    contextOf(node.kind === Kind.STRING ? node.value : literal(node, variables)),
});

function contextOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  try {
    parseJson(text, 'the provenance context');
  } catch (fault) {
    throw fault instanceof DomainError
      ? new GraphQLError(`the provenance context cannot be stored: ${fault.message}`)
      : fault;
  }
  return text;
}
