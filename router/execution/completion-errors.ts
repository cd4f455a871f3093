// Messages about component values that the API schema does not allow.
import type { ComponentError } from '../../platform/component.ts';
import { DomainError } from '../../platform/errors.ts';

type Place = readonly (string | number)[];

const errorAt = (path: Place, { message, extensions }: DomainError): ComponentError => ({
  message,
  path,
  extensions,
});

/**
 * Components report their own failures; what remains is a reference to an object that its owner does not
 * have.
 */
export const notFoundAt = (path: Place): ComponentError =>
  errorAt(path, new DomainError('not_found', `not found: ${path.join('.')}`));

/** A value or type of a component that clients may not see. */
export const hiddenAt = (path: Place): ComponentError =>
  errorAt(path, new DomainError('internal_error', `not in the API schema: ${path.join('.')}`));
