// Finds the credentials of a request, and identifies their owner.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { DomainError } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/identity.ts';

/** Verifies one kind of credential: API keys, access tokens. */
export interface Verifier {
  /** Whether a credential has the form of this kind; must be cheap and must not throw. */
  recognises(credential: string): boolean;
  /**
   * The credential of a request without credential headers, for kinds that are sent otherwise. `method` is
   * undefined where the request has been admitted before.
   */
  present?(headers: IncomingHttpHeaders, method: string | undefined): string | undefined;
  /**
   * The owner's identity; synchronous if it is cached, else a promise.
   * @throws DomainError `invalid_token`, `expired_token`, `revoked_token` (also as a rejection)
   */
  verify(credential: string): Identity | Promise<Identity>;
}

/**
 * `auth.mode` (docs/reference/gateway.md#authentication-modes): verifiers of every accepted kind, or the one
 * identity of all callers.
 */
export type Credentials = readonly Verifier[] | Identity;

/** The headers that carry credentials. */
export type PresentedHeaders = Pick<IncomingMessage['headers'], 'authorization'> & {
  readonly 'x-api-key'?: string | string[] | undefined;
};

/** The prefix of API keys, in either header. */
const KEY_PREFIX = 'sk_';
const BEARER = /^bearer +([^\s]+) *$/i;

const invalidToken = (message: string): DomainError => new DomainError('invalid_token', message);

/**
 * The credentials of a request: none, one or two.
 * @throws DomainError `invalid_token` for malformed headers
 */
function extractCredentials({ headers }: { readonly headers: PresentedHeaders }): readonly string[] {
  const { authorization } = headers;
  const apiKey = headers['x-api-key'];
  if (authorization === undefined && apiKey === undefined) return [];
  const found: string[] = [];
  if (authorization !== undefined) {
    const bearer = BEARER.exec(authorization)?.[1];
    if (bearer === undefined)
      throw invalidToken('the Authorization header is not of the form "Bearer <token>"');
    found.push(bearer);
  }
  if (apiKey !== undefined) {
    if (typeof apiKey !== 'string' || !apiKey.startsWith(KEY_PREFIX))
      throw invalidToken('the X-Api-Key header does not contain an API key');
    found.push(apiKey);
  }
  return found;
}

/**
 * The credentials of a request: those of its headers, otherwise one that is sent in another way.
 * @throws DomainError `invalid_token` for malformed headers
 */
export function credentialsOf(
  headers: IncomingHttpHeaders,
  method: string | undefined,
  verifiers: readonly Verifier[],
): readonly string[] {
  const found = extractCredentials({ headers });
  if (found.length > 0) return found;
  for (const verifier of verifiers) {
    const other = verifier.present?.(headers, method);
    if (other !== undefined) return [other];
  }
  return found;
}

/** @throws DomainError, see {@link Verifier.verify} */
export function verifyCredential(
  credential: string,
  verifiers: readonly Verifier[],
): Identity | Promise<Identity> {
  for (const verifier of verifiers) if (verifier.recognises(credential)) return verifier.verify(credential);
  throw invalidToken('the credential is malformed');
}

/**
 * With both credentials, both must be valid and belong to one actor
 * (docs/reference/gateway.md#sending-credentials). The first one's rights apply; undefined for none.
 */
export async function oneIdentity(pending: readonly Promise<Identity>[]): Promise<Identity | undefined> {
  const [first, ...others] = await Promise.all(pending).catch((refusal: unknown) => {
    if (pending.length === 1 || !(refusal instanceof DomainError) || refusal.status !== 401) throw refusal;
    throw new DomainError(
      'invalid_token',
      `one of the two credentials is not valid: ${refusal.message}`,
      {},
      { cause: refusal },
    );
  });
  if (others.some((other) => other.actor !== first?.actor))
    throw invalidToken('the two credentials name different actors');
  return first;
}

export const isEverybody = (credentials: Credentials): credentials is Identity => !Array.isArray(credentials);

/**
 * The identity of the credentials in headers; undefined for none. @throws DomainError, see {@link
 * Verifier.verify}
 */
export async function identityBy(
  headers: PresentedHeaders & IncomingHttpHeaders,
  credentials: Credentials,
): Promise<Identity | undefined> {
  if (isEverybody(credentials)) return credentials;
  return oneIdentity(
    credentialsOf(headers, undefined, credentials).map(async (credential) =>
      verifyCredential(credential, credentials),
    ),
  );
}
