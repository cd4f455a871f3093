// Checks literals in a GraphQL document by the same rules as values in JSON
// (docs/reference/api-conventions.md#json).
import { type DocumentNode, visit } from 'graphql';
import { invalid } from './errors.ts';
import { findJsonFault } from './json-faults.ts';

/**
 * Only a document that matches this can contain a literal that cannot be stored exactly: escapes, long
 * digits, three-digit exponents.
 */
const SUSPICIOUS = /\\u|\d{16}|[eE][+-]?\d{3}/;

const check = (json: string): void => {
  const fault = findJsonFault(json);
  if (fault) throw invalid(`a literal of the document cannot be stored: ${fault.message}`);
};

/**
 * @throws DomainError `validation_failed` for a string with U+0000 or a lone surrogate, an integer beyond
 * ±(2^53−1), a number that overflows
 */
export function assertStorableLiterals(source: string, document: DocumentNode): void {
  if (!SUSPICIOUS.test(source)) return;
  visit(document, {
    StringValue: ({ value }) => {
      check(JSON.stringify(value));
    },
    IntValue: ({ value }) => {
      check(value);
    },
    FloatValue: ({ value }) => {
      check(value);
    },
  });
}
