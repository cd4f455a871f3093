// The content of an access token, and its strict verification (docs/reference/gateway.md#access-tokens,
// docs/hazards.md#gateway-bypasses).
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { DomainError } from '../../platform/errors.ts';
import { type Identity, isRole, type Projects } from '../../platform/identity.ts';
import { credentialOfToken } from '../acting/credential.ts';
import { livesTooLong } from '../../platform/token-life.ts';
import { readHeader } from './canonical-jwt.ts';
import type { VerificationKey } from '../../platform/signing-keys/key-set.ts';
import { ACCESS_TOKEN_TYPE, type Keyring, VERIFIED_ALGORITHMS } from './signing-keys/keyring.ts';
import { isOneOf } from '../../platform/is-one-of.ts';

/** A genuine token: signed by this deployment, with its audience, and not expired. */
export interface AccessToken {
  readonly identity: Identity;
  readonly clientId: string;
  readonly jti: string;
  /** The family: all tokens of one sign-in. */
  readonly family: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

export interface TokenRealm {
  readonly keyring: Keyring;
  /** `iss`: known once the server listens. */
  readonly issuer: () => string;
  readonly audience: string;
  /** Maximum configured lifetime of a token: one with a longer lifetime is refused. */
  readonly longestSeconds: number;
}

const invalid = (message: string, cause?: unknown): DomainError =>
  new DomainError('invalid_token', message, {}, { cause });

const projectsOf = (claim: unknown): Projects | undefined => {
  if (claim === '*') return '*';
  return Array.isArray(claim) && claim.every((name): name is string => typeof name === 'string')
    ? claim
    : undefined;
};

function read(payload: JWTPayload, longestSeconds: number): AccessToken {
  const { sub, jti, exp, sid, client_id: clientId, roles, projects: projectsClaim } = payload;
  const projects = projectsOf(projectsClaim);
  if (
    typeof sub !== 'string' ||
    typeof jti !== 'string' ||
    jti === '' ||
    typeof exp !== 'number' ||
    typeof sid !== 'string' ||
    typeof clientId !== 'string' ||
    !Array.isArray(roles) ||
    !roles.every(isRole) ||
    projects === undefined
  )
    throw invalid('the access token lacks a claim');
  if (livesTooLong(payload, longestSeconds))
    throw invalid('the lifetime of the access token exceeds the maximum');
  return {
    identity: { actor: sub, roles, projects, credential: credentialOfToken(sid, jti), client: clientId },
    clientId,
    jti,
    family: sid,
    expiresAt: exp,
  };
}

export async function signAccessToken(
  { keyring, issuer, audience }: TokenRealm,
  token: AccessToken,
  issuedAt: number,
): Promise<string> {
  const {
    identity: { actor, roles, projects },
    clientId,
    jti,
    family,
    expiresAt,
  } = token;
  const signed = await keyring.sign(
    {
      iss: issuer(),
      aud: audience,
      sub: actor,
      client_id: clientId,
      iat: issuedAt,
      exp: expiresAt,
      jti,
      sid: family,
      roles,
      projects,
    },
    ACCESS_TOKEN_TYPE,
  );
  if (signed === undefined) throw new Error('there is no signing key');
  return signed;
}

async function keyFor(keyring: Keyring, kid: string, algorithm: string): Promise<VerificationKey> {
  const key = await Promise.resolve(keyring.verificationKey(kid)).catch((cause: unknown) => {
    throw new DomainError(
      'component_unavailable',
      'the store of signing keys does not answer',
      { component: 'gateway', upstream_status: null },
      { cause },
    );
  });
  // A key is only valid for its own algorithm, whatever the token's header says.
  if (key?.algorithm !== algorithm) throw invalid('the access token is signed by an unknown key');
  return key;
}

/**
 * The token, if it is genuine; {@link Revocations} decides whether it has been revoked.
 * @throws DomainError `invalid_token`, `expired_token`, `component_unavailable`
 */
export async function readAccessToken(
  { keyring, issuer, audience, longestSeconds }: TokenRealm,
  text: string,
): Promise<AccessToken> {
  const header = readHeader(text);
  if (header === undefined) throw invalid('the access token is malformed');
  if (header.typ !== ACCESS_TOKEN_TYPE) throw invalid('the token is not an access token');
  if (!isOneOf(VERIFIED_ALGORITHMS, header.alg))
    throw invalid('the access token is signed by an algorithm that is not accepted');
  const { key } = await keyFor(keyring, header.kid, header.alg);
  try {
    const { payload } = await jwtVerify(text, key, {
      algorithms: [header.alg],
      typ: ACCESS_TOKEN_TYPE,
      issuer: issuer(),
      audience,
      requiredClaims: ['exp', 'iat', 'sub', 'jti', 'client_id'],
    });
    return read(payload, longestSeconds);
  } catch (cause) {
    if (cause instanceof errors.JWTExpired)
      throw new DomainError('expired_token', 'the access token has expired', {}, { cause });
    if (cause instanceof errors.JOSEError) throw invalid('the access token is not valid', cause);
    throw cause;
  }
}
