// Defines the claims of a signed identity: a token that tells a component who the caller is and that the
// component can verify (docs/decisions/0059).
import type { JWTPayload } from 'jose';
import { isActingCause } from '../causal-links.ts';
import { DomainError } from '../errors.ts';
import { type Identity, isRole, type Projects } from '../identity.ts';

/**
 * The `typ` of a signed identity. It differs from that of access tokens, so that neither is accepted as the
 * other.
 */
export const IDENTITY_TYPE = 'cairn-identity+jwt';
/** The header of a signed identity, beside those of docs/reference/gateway.md#identity-headers. */
export const IDENTITY_HEADER = 'x-platform-identity';
/** Lifetime in seconds. */
export const IDENTITY_SECONDS = 60;
export const SIGNATURE_ALGORITHMS = ['ES256', 'EdDSA'];

/** `*` may be a project's name, so "all projects" is a string and not a list. */
export const claimsOf = ({ actor, roles, projects, credential, cause, isExact }: Identity): JWTPayload => ({
  sub: actor,
  roles,
  projects,
  ...(credential === undefined ? {} : { credential }),
  ...(cause === undefined ? {} : { cause }),
  ...(isExact === true ? { exact: true } : {}),
});

const texts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** @throws DomainError `invalid_token` where a claim is missing */
export function identityOfClaims({ sub, roles, projects, credential, cause, exact }: JWTPayload): Identity {
  if (typeof sub !== 'string' || !texts(roles) || (projects !== '*' && !texts(projects)))
    throw new DomainError('invalid_token', 'the signed identity lacks a claim');
  return {
    actor: sub,
    roles: roles.filter(isRole),
    projects: projects satisfies Projects,
    ...(typeof credential === 'string' ? { credential } : {}),
    ...(isActingCause(cause) ? { cause } : {}),
    ...(exact === true ? { isExact: true } : {}),
  };
}
