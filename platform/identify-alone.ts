// Who calls a component that is served by itself: the gateway's identity where one stands before it, else the bearer (contract 2).
import type { IncomingMessage } from 'node:http';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { DomainError } from './errors.ts';
import { headerText } from './header-text.ts';
import { type Caller, isRole, type Projects, type Role } from './identity.ts';
import { readCaller } from './read-caller.ts';

export interface AloneIdentityOptions {
  readonly isTrusted: (address: string) => boolean;
  /** `auth.jwks_url`: bearers are verified against it; without it a well-formed one is taken as it is. */
  readonly jwksUrl?: string | undefined;
  readonly issuer?: string | undefined;
  readonly audience: string;
}

const BEARER = /^bearer +([\w.~+/=-]+) *$/i;
/** Without a gateway and without keys to verify by, whoever reaches the component works on it: local development. */
const LOCAL_ROLES: readonly Role[] = ['admin', 'service'];

function bearerOf({ headers }: IncomingMessage): string {
  if (headers.authorization === undefined) throw new DomainError('missing_token', 'Authorization: Bearer <token> is required');
  const token = BEARER.exec(headers.authorization)?.[1];
  if (token === undefined) throw new DomainError('invalid_token', 'the Authorization header is not of the form "Bearer <token>"');
  return token;
}

const actorHeader = ({ headers }: IncomingMessage): string => {
  const sent = headers['x-metadata-actor'];
  return typeof sent === 'string' && sent !== '' ? headerText(sent) : 'anonymous';
};

/** Says of every request who calls. @throws DomainError `missing_token`, `invalid_token`, `expired_token` */
export function identifyAlone({ isTrusted, jwksUrl, issuer, audience }: AloneIdentityOptions): (req: IncomingMessage, requestId: string, signal: AbortSignal) => Caller | Promise<Caller> {
  const keys = jwksUrl === undefined ? undefined : createRemoteJWKSet(new URL(jwksUrl));

  const verified = async (token: string): Promise<{ actor: string; roles: Role[]; projects: Projects }> => {
    if (!keys) throw new Error('no keys to verify by');
    try {
      const { payload } = await jwtVerify(token, keys, { audience, algorithms: ['ES256', 'EdDSA'], typ: 'at+jwt', requiredClaims: ['exp', 'sub', 'jti'], ...(issuer === undefined ? {} : { issuer }) });
      const { sub = '', roles, projects } = payload;
      const names = (value: unknown): string[] => (Array.isArray(value) ? value.filter((v) => typeof v === 'string') : []);
      return { actor: sub, roles: names(roles).filter(isRole), projects: projects === '*' || (Array.isArray(projects) && projects.includes('*')) ? '*' : names(projects) };
    } catch (cause) {
      if (cause instanceof errors.JWTExpired) throw new DomainError('expired_token', 'the token has expired', {}, { cause });
      if (cause instanceof errors.JOSEError) throw new DomainError('invalid_token', 'the token is not valid', {}, { cause });
      throw cause;
    }
  };

  return (req, requestId, signal) => {
    if (isTrusted(req.socket.remoteAddress ?? '') && req.headers['x-platform-actor'] !== undefined) return readCaller(req, { isTrusted }, signal);
    const token = bearerOf(req);
    if (!keys) return { actor: actorHeader(req), roles: LOCAL_ROLES, projects: '*', isSelfNamed: true, requestId, signal };
    return verified(token).then((identity) => ({ ...identity, requestId, signal }));
  };
}
