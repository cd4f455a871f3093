// Warnings about unknown query parameters and members of bodies, with suggestions.
import type { ComponentExtensions } from '../platform/component.ts';
import { DomainError } from '../platform/errors.ts';
import { isObject } from '../platform/json-object.ts';
import { meantName, unheededNames, unheededParameters } from '../platform/warnings.ts';
import { PRECONDITIONS, type RestRoute } from './route.ts';

type Rest = Readonly<Record<string, unknown>>;

/** A warning about an unknown field, with a suggestion from the row's parameters. */
function orParameter(row: RestRoute, rest: Rest, sentence: string): string {
  for (const name in rest) {
    const meant = sentence.endsWith(` field ${name}`) ? meantName(name, Object.keys(row.query)) : undefined;
    if (meant !== undefined) return `${sentence}; did you mean the parameter ${meant}?`;
  }
  return sentence;
}

/** The warnings of an answer. For rows that accept any field name, the component knows the fields. */
export const warningsOf = (
  row: RestRoute,
  rest: Rest,
  said: ComponentExtensions['warnings'] = [],
): string[] =>
  row.takesAny === true
    ? said.map((sentence) => orParameter(row, rest, sentence))
    : [...said, ...unheededParameters(Object.keys(rest), Object.keys(row.query))];

/** Warnings about members of a body; in other dialects than ours, others may have a meaning for their standard. */
export function unheededMembers(
  { bodySchema: { properties: known } = {}, passesWholeBody, dialect }: RestRoute,
  body: unknown,
): string[] {
  if (!isObject(known) || !isObject(body) || passesWholeBody === true || dialect !== undefined) return [];
  return unheededNames(
    Object.keys(body),
    Object.keys(known),
    (name) => `the member ${name} of the body is unknown here`,
  );
}

/** The first member of a body that is none of the properties; cut, where it was not mistyped. */
export const unknownMember = (
  body: Rest,
  properties: Readonly<Record<string, unknown>>,
): string | undefined =>
  Object.keys(body)
    .find((name) => !Object.hasOwn(properties, name))
    ?.slice(0, 100);

const NAMES = { 'if-match': 'If-Match', 'if-none-match': 'If-None-Match' } as const;

/**
 * Warnings about preconditions of a write that is made whether they hold or not
 * (docs/reference/api-conventions.md#if-match).
 */
export const unheededPreconditions = (
  { heeds = [] }: RestRoute,
  header: (name: string) => string | undefined,
): string[] =>
  PRECONDITIONS.filter((name) => {
    const sent = header(name);
    if (sent === undefined) return false;
    return !heeds.includes(name) || (name === 'if-none-match' && sent.trim() !== '*');
  }).map((name) => `${NAMES[name]} was not looked at: the write was made whatever it says`);

/** The error of a row that accepts any field name. */
export const orParameterMeant = (row: RestRoute, rest: Rest, error: DomainError): DomainError =>
  row.takesAny === true
    ? new DomainError(error.code, orParameter(row, rest, error.message), error.details)
    : error;
