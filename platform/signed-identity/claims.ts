// What a signed identity says: who asks a component, as a token that the component can verify (docs/decisions/0059).
import type { JWTPayload } from 'jose';
import { DomainError } from '../errors.ts';
import { type Identity, isRole, type Projects } from '../identity.ts';

/** The `typ` of a signed identity: no access token, so neither is ever taken for the other. */
export const IDENTITY_TYPE = 'cairn-identity+jwt';
/** The header that carries it, beside those of spec 1 «Authentication» 8. */
export const IDENTITY_HEADER = 'x-platform-identity';
/** Its life, in seconds. */
export const IDENTITY_SECONDS = 60;
export const SIGNATURE_ALGORITHMS = ['ES256', 'EdDSA'];

/** `*` may be a project's name: all of them are no list. */
export const claimsOf = ({ actor, roles, projects, credential }: Identity): JWTPayload => ({
  sub: actor,
  roles,
  projects,
  ...(credential === undefined ? {} : { credential }),
});

const texts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** @throws DomainError `invalid_token` where a claim is missing */
export function identityOf({ sub, roles, projects, credential }: JWTPayload): Identity {
  if (typeof sub !== 'string' || !texts(roles) || (projects !== '*' && !texts(projects)))
    throw new DomainError('invalid_token', 'the signed identity lacks a claim');
  return {
    actor: sub,
    roles: roles.filter(isRole),
    projects: projects satisfies Projects,
    ...(typeof credential === 'string' ? { credential } : {}),
  };
}
