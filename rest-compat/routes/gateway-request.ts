// What several of the gateway's rows read of a request's body; what does not fit is 400
// (docs/reference/api-conventions.md#refused-parameters).
import { badRequest } from '../../platform/errors.ts';
import { objectBody } from '../route.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The members of a body; none where none was sent. @throws DomainError `invalid_request` */
export const optionalObject = (body: unknown): Fields => (body === undefined ? {} : objectBody(body));

/** A text; null where it is not given. What it may say is the operation's to decide. */
export function bodyText(body: Fields, name: string): string | null {
  const value = body[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw badRequest(`${name} must be a string`, { field: name });
  return value;
}

/** @throws DomainError `invalid_request` where it is absent */
export function requiredBodyText(body: Fields, name: string): string {
  const value = bodyText(body, name);
  if (value === null) throw badRequest(`${name} is required`, { field: name });
  return value;
}
