// The scalar of instants in the components' SDL.
import { GraphQLError, GraphQLScalarType } from 'graphql';

/**
 * Text only. Text that is no instant is for whoever reads the argument to refuse, by the same words and code on
 * every API.
 * @param read what text becomes
 */
export const dateTimeScalar = (
  read: (text: string) => string = (text) => text,
): GraphQLScalarType<string, unknown> =>
  new GraphQLScalarType<string, unknown>({
    name: 'DateTime',
    serialize: (value) => value,
    parseValue(value) {
      if (typeof value !== 'string')
        throw new GraphQLError(
          'DateTime must be ISO 8601 text with an offset, for example 2026-01-31T09:30:00.123456Z',
        );
      return read(value);
    },
  });
