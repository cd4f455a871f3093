// The error of a document that cannot become an operation, with GraphQL's messages for the GraphQL endpoint.
import type { GraphQLError } from 'graphql';
import { DomainError, graphqlCode } from '../../platform/errors.ts';

/** One error of a document, with its locations in the text. */
export interface DocumentFault {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** `invalid_request` with every error: a document that does not parse, is invalid, or names no operation. */
export class InvalidDocument extends DomainError {
  override name = 'InvalidDocument';
  readonly faults: readonly DocumentFault[];

  constructor(errors: readonly GraphQLError[]) {
    super('invalid_request', errors[0]?.message ?? 'the document is not valid');
    this.faults = errors.map(({ message, locations }) => ({
      message,
      ...(locations === undefined ? {} : { locations }),
      extensions: { code: graphqlCode('invalid_request') },
    }));
  }
}
