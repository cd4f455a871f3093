// Body parsing that several of the gateway's rows share; a wrong type is 400
// (docs/reference/api-conventions.md#refused-parameters).
import { badRequest } from '../../platform/errors.ts';
import { objectBody } from '../route.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The members of a body; none without a body. @throws DomainError `invalid_request` */
export const optionalObject = (body: unknown): Fields => (body === undefined ? {} : objectBody(body));

/** A text; null if it is absent. The operation validates its content. */
export function optionalBodyText(body: Fields, name: string): string | null {
  const value = body[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw badRequest(`${name} must be a string`, { field: name });
  return value;
}

/** @throws DomainError `invalid_request` if it is absent */
export function requiredBodyText(body: Fields, name: string): string {
  const value = optionalBodyText(body, name);
  if (value === null) throw badRequest(`${name} is required`, { field: name });
  return value;
}
