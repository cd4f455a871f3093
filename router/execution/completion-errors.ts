// What is said of values that the components gave and the API schema does not let through.
import type { ComponentError } from '../../platform/component.ts';
import { DomainError } from '../../platform/errors.ts';

type Place = readonly (string | number)[];

const errorAt = (path: Place, { message, extensions }: DomainError): ComponentError => ({
  message,
  path,
  extensions,
});

/**
 * The components name their own failures; what is left is an object that one component refers to and its
 * owner does not know.
 */
export const notFoundAt = (path: Place): ComponentError =>
  errorAt(path, new DomainError('not_found', `not found: ${path.join('.')}`));

/** A value or type that a component has and clients may not see. */
export const hiddenAt = (path: Place): ComponentError =>
  errorAt(path, new DomainError('internal_error', `not in the API schema: ${path.join('.')}`));
