// Request parsing that several of the artifact's rows share.
import { badRequest, invalid } from '../../platform/errors.ts';
import { unknownKey } from '../../platform/suggestions.ts';
import { objectBody } from '../route.ts';
import { unknownMember } from '../unheeded.ts';

/**
 * The body of a request whose members say how much is made: one that is mistyped must not make more.
 * @throws DomainError `invalid_request`, `validation_failed`
 */
export function bodyOf(
  sent: unknown,
  properties: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const body = objectBody(sent);
  const field = unknownMember(body, properties);
  if (field === undefined) return body;
  throw invalid(unknownKey(field, Object.keys(properties)), { field });
}

/** A text of the body. @throws DomainError `validation_failed` */
export const bodyText = (body: Record<string, unknown>, name: string): string => {
  const value = body[name];
  if (typeof value !== 'string') throw invalid(`${name} must be a string`);
  return value;
};

/** The same, null if it is absent. */
export function optionalText(body: Record<string, unknown>, name: string): string | null {
  return body[name] === undefined || body[name] === null ? null : bodyText(body, name);
}

/** Criteria of a query string: each field once. */
export const criteriaOf = (rest: Readonly<Record<string, readonly string[]>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(rest).map(([field, values]) => {
      const [value = ''] = values;
      if (values.length > 1) throw badRequest(`${field} is given more than once`);
      return [field, value];
    }),
  );

/** @throws DomainError `validation_failed` */
export function reuseOf(sent: unknown): string {
  if (sent !== 'any' && sent !== 'fresh') throw invalid('reuse must be any or fresh');
  return sent;
}

/**
 * `Prefer: reuse=fresh` (RFC 7240), where every query parameter is a field of the entity; any other value is ignored, as
 * preferences are.
 */
export const preferredReuse = (prefer: string | undefined): 'any' | 'fresh' =>
  /(?:^|[,;\s])reuse\s*=\s*"?fresh\b/i.test(prefer ?? '') ? 'fresh' : 'any';
