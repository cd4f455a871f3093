// What a credential is, where requests carry it, and who can tell whose it is.
import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../platform/errors.ts';
import type { Identity } from '../../platform/identity.ts';

/** Checks one kind of credential: API keys, access tokens. */
export interface Verifier {
  /** Whether a credential looks like this kind; must be cheap and must not throw. */
  recognises(credential: string): boolean;
  /**
   * Whose it is; at once where that is known, else as a promise.
   * @throws DomainError `invalid_token`, `expired_token`, `revoked_token` (also as a rejection)
   */
  verify(credential: string): Identity | Promise<Identity>;
}

/** `auth.mode` (contract 1.4): verifiers of every kind that is accepted, or the one identity that everybody has. */
export type Credentials = readonly Verifier[] | Identity;

/** API keys begin with this, in whichever header they come. */
const KEY_PREFIX = 'sk_';
const BEARER = /^bearer +([^\s]+) *$/i;

const invalidToken = (message: string): DomainError => new DomainError('invalid_token', message);

/** The credentials a request carries, none, one or two. @throws DomainError `invalid_token` for headers that hold none */
export function extractCredentials({ headers }: IncomingMessage): readonly string[] {
  const { authorization } = headers;
  const apiKey = headers['x-api-key'];
  if (authorization === undefined && apiKey === undefined) return [];
  const found: string[] = [];
  if (authorization !== undefined) {
    const bearer = BEARER.exec(authorization)?.[1];
    if (bearer === undefined) throw invalidToken('the Authorization header is not of the form "Bearer <token>"');
    found.push(bearer);
  }
  if (apiKey !== undefined) {
    if (typeof apiKey !== 'string' || !apiKey.startsWith(KEY_PREFIX)) throw invalidToken('the X-Api-Key header holds no API key');
    found.push(apiKey);
  }
  return found;
}

/** @throws DomainError, see {@link Verifier.verify} */
export function verifyCredential(credential: string, verifiers: readonly Verifier[]): Identity | Promise<Identity> {
  for (const verifier of verifiers) if (verifier.recognises(credential)) return verifier.verify(credential);
  throw invalidToken('the credential is malformed');
}
