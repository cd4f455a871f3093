// Query parameters that nothing heeds, and what was probably meant by them.
import type { ComponentExtensions } from '../platform/component.ts';
import { DomainError } from '../platform/errors.ts';
import { meantName, unheededParameters } from '../platform/warnings.ts';
import type { RestRoute } from './route.ts';

type Rest = Readonly<Record<string, unknown>>;

/** A sentence about a field that is none, with the parameter of the row that was probably meant. */
function orParameter(row: RestRoute, rest: Rest, sentence: string): string {
  for (const name in rest) {
    const meant = sentence.endsWith(` field ${name}`) ? meantName(name, Object.keys(row.query)) : undefined;
    if (meant !== undefined) return `${sentence}; did you mean the parameter ${meant}?`;
  }
  return sentence;
}

/**
 * What is to be said beside an answer. Of rows that take any name as a field's, their component says which
 * fields there are.
 */
export const warningsOf = (
  row: RestRoute,
  rest: Rest,
  said: ComponentExtensions['warnings'] = [],
): string[] =>
  row.takesAny === true
    ? said.map((sentence) => orParameter(row, rest, sentence))
    : [...said, ...unheededParameters(Object.keys(rest), Object.keys(row.query))];

/** The error of a row that takes any name as a field's. */
export const orParameterMeant = (row: RestRoute, rest: Rest, error: DomainError): DomainError =>
  row.takesAny === true
    ? new DomainError(error.code, orParameter(row, rest, error.message), error.details)
    : error;
