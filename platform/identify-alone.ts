// Identifies the caller of a component that is served on its own: by the gateway's identity if the request
// has one, else by the bearer token (docs/reference/gateway.md#component-by-itself).
import type { IncomingMessage } from 'node:http';
import { errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { DomainError } from './errors.ts';
import { headerText } from './header-text.ts';
import { type Caller, isRole, type Projects, type Role } from './identity.ts';
import { isLocalRequest } from './is-local-request.ts';
import { type CallerReader, isFromGateway, readCaller } from './read-caller.ts';
import { livesTooLong } from './token-life.ts';
import { SIGNATURE_ALGORITHMS } from './signed-identity/claims.ts';

export interface AloneIdentityOptions {
  /** Reads the gateway's identity. */
  readonly reader: CallerReader;
  /**
   * The keys that verify bearer tokens. Where absent, a bearer token of a local request is accepted without
   * verification (local development), and requests from elsewhere are rejected.
   */
  readonly keys?: JWTVerifyGetKey | undefined;
  readonly issuer?: string | undefined;
  readonly audience: string;
  /** Maximum lifetime of a token, in seconds. */
  readonly longestSeconds: number;
}

const BEARER = /^bearer +([\w.~+/=-]+) *$/i;
/**
 * The roles of local callers where neither a gateway nor verification keys are configured (local
 * development).
 */
const LOCAL_ROLES: readonly Role[] = ['admin', 'service'];

function bearerOf({ headers }: IncomingMessage): string {
  if (headers.authorization === undefined)
    throw new DomainError('missing_token', 'Authorization: Bearer <token> is required');
  const token = BEARER.exec(headers.authorization)?.[1];
  if (token === undefined)
    throw new DomainError('invalid_token', 'the Authorization header is not of the form "Bearer <token>"');
  return token;
}

const actorHeader = ({ headers }: IncomingMessage): string => {
  const sent = headers['x-metadata-actor'];
  return typeof sent === 'string' && sent !== '' ? headerText(sent) : 'anonymous';
};

/**
 * Returns a function that identifies the caller of a request.
 * @throws DomainError `missing_token`, `invalid_token`, `expired_token`, and as {@link readCaller} does
 */
export function identifyAlone({
  reader,
  keys,
  issuer,
  audience,
  longestSeconds,
}: AloneIdentityOptions): (
  req: IncomingMessage,
  requestId: string,
  signal: AbortSignal,
) => Caller | Promise<Caller> {
  const verified = async (
    token: string,
    verificationKeys: JWTVerifyGetKey,
  ): Promise<{ actor: string; roles: Role[]; projects: Projects }> => {
    try {
      const { payload } = await jwtVerify(token, verificationKeys, {
        audience,
        algorithms: SIGNATURE_ALGORITHMS,
        typ: 'at+jwt',
        requiredClaims: ['exp', 'sub', 'jti'],
        ...(issuer === undefined ? {} : { issuer }),
      });
      if (livesTooLong(payload, longestSeconds))
        throw new DomainError('invalid_token', 'the lifetime of the token exceeds the maximum');
      const { sub = '', roles, projects } = payload;
      const names = (value: unknown): string[] =>
        Array.isArray(value) ? value.filter((v) => typeof v === 'string') : [];
      return {
        actor: sub,
        roles: names(roles).filter(isRole),
        projects:
          projects === '*' || (Array.isArray(projects) && projects.includes('*')) ? '*' : names(projects),
      };
    } catch (cause) {
      if (cause instanceof errors.JWTExpired)
        throw new DomainError('expired_token', 'the token has expired', {}, { cause });
      if (cause instanceof errors.JOSEError)
        throw new DomainError('invalid_token', 'the token is invalid', {}, { cause });
      throw cause;
    }
  };

  return (req, requestId, signal) => {
    if (isFromGateway(req, reader)) return readCaller(req, reader, signal);
    const token = bearerOf(req);
    if (keys) return verified(token, keys).then((identity) => ({ ...identity, requestId, signal }));
    if (!isLocalRequest(req))
      throw new DomainError(
        'invalid_token',
        'this component has no keys to verify tokens, so it accepts them only from its own machine: set auth.jwks_url',
      );
    return {
      actor: actorHeader(req),
      roles: LOCAL_ROLES,
      projects: '*',
      isSelfNamed: true,
      requestId,
      signal,
    };
  };
}
