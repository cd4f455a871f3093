// Decisions of the authorization endpoint (RFC 6749, 4.1; RFC 7636; RFC 9700;
// docs/reference/gateway.md#authorization-endpoint): PKCE with S256 always, exact redirect URIs, codes that
// live for a minute.
import { createHash } from 'node:crypto';
import { badRequest, type DomainError } from '../../platform/errors.ts';
import type { AuthorizationCodeStore } from './authorization-codes.store.ts';
import type { Client, Clients } from './clients.ts';
import type { Decider } from './device-codes.store.ts';
import { OAuthError } from './oauth-error.ts';
import { generate } from './opaque.ts';
import type { CodeExchange } from './tokens.service.ts';
import { type Parameters, required } from './parameters.ts';

/** Seconds. */
const LIFE = 60;
/** base64url of a SHA-256. */
const CHALLENGE = /^[\w-]{43}$/;
const VERIFIER = /^[\w.~-]{43,128}$/;
const MAX_STATE_LENGTH = 2048;

/** A valid request, to be confirmed by the user. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly state: string | undefined;
}

/** A fault that is reported to the client's redirect URI. */
export interface RefusedRequest {
  readonly redirect: string;
}

export interface Authorization {
  /**
   * The parsed request, or where its fault is sent.
   * @throws DomainError `invalid_request` without a trusted redirect URI
   */
  read(parameters: Parameters): AuthorizationRequest | RefusedRequest;
  /** The client's redirect URI with a code, or with `access_denied`. */
  decide(request: AuthorizationRequest, by: Decider, isApproved: boolean): Promise<string>;
}

export interface AuthorizationOptions {
  readonly store: AuthorizationCodeStore;
  readonly clients: Clients;
  readonly issuer: () => string;
}

/** The URI with additional parameters; existing ones stay (RFC 6749, 3.1.2). */
function withParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.append(name, value);
  return url.href;
}

/** Without a known client and one of its own redirect URIs the fault can only be shown to the user. */
function addressee(clients: Clients, parameters: Parameters): { client: Client; redirectUri: string } {
  const refuse = (message: string): DomainError => badRequest(message);
  const id = parameters.get('client_id');
  const client = id === undefined ? undefined : clients.find(id);
  if (client === undefined) throw refuse('client_id does not name a registered client');
  const redirectUri =
    parameters.get('redirect_uri') ?? (client.redirectUris.length === 1 ? client.redirectUris[0] : undefined);
  if (redirectUri === undefined || !client.redirectUris.includes(redirectUri))
    throw refuse('redirect_uri is not registered for the client');
  return { client, redirectUri };
}

/** The first other fault, with its code of RFC 6749, 4.1.2.1. */
function faultOf(
  client: Client,
  parameters: Parameters,
): readonly [code: string, description: string] | undefined {
  if (parameters.has('request') || parameters.has('request_uri'))
    return ['request_not_supported', 'request objects are not supported'];
  const type = parameters.get('response_type');
  if (type === undefined) return ['invalid_request', 'response_type is required'];
  if (type !== 'code') return ['unsupported_response_type', 'response_type must be code'];
  if (!client.grants.includes('authorization_code'))
    return ['unauthorized_client', 'the client may not use the grant authorization_code'];
  if ((parameters.get('response_mode') ?? 'query') !== 'query')
    return ['invalid_request', 'response_mode must be query'];
  if (parameters.get('code_challenge_method') !== 'S256')
    return ['invalid_request', 'code_challenge_method must be S256'];
  if (!CHALLENGE.test(parameters.get('code_challenge') ?? ''))
    return ['invalid_request', 'code_challenge must be the base64url SHA-256 of the verifier'];
  return undefined;
}

export function createAuthorization({ store, clients, issuer }: AuthorizationOptions): Authorization {
  return {
    read(parameters) {
      const { client, redirectUri } = addressee(clients, parameters);
      const state = parameters.get('state');
      if (state !== undefined && state.length > MAX_STATE_LENGTH)
        throw badRequest(`state is longer than ${MAX_STATE_LENGTH} characters`);
      const fault = faultOf(client, parameters);
      if (fault)
        return {
          redirect: withParameters(redirectUri, {
            error: fault[0],
            error_description: fault[1],
            state,
            iss: issuer(),
          }),
        };
      return { clientId: client.id, redirectUri, challenge: required(parameters, 'code_challenge'), state };
    },
    async decide({ clientId, redirectUri, challenge, state }, by, isApproved) {
      if (!isApproved)
        return withParameters(redirectUri, {
          error: 'access_denied',
          error_description: 'the user denied the request',
          state,
          iss: issuer(),
        });
      const { text, hash } = generate('ac_');
      await store.insert({ hash, clientId, redirectUri, challenge, lifeSeconds: LIFE }, by);
      return withParameters(redirectUri, { code: text, state, iss: issuer() });
    },
  };
}

/** The token request for a code. @throws OAuthError `invalid_request` */
export function readCodeExchange(parameters: Parameters, client: Client): CodeExchange {
  const verifier = required(parameters, 'code_verifier');
  if (!VERIFIER.test(verifier))
    throw new OAuthError('invalid_request', 'code_verifier must be 43 to 128 unreserved characters');
  const only = client.redirectUris.length === 1 ? client.redirectUris[0] : undefined;
  return {
    code: required(parameters, 'code'),
    redirectUri: parameters.get('redirect_uri') ?? only ?? required(parameters, 'redirect_uri'),
    challenge: createHash('sha256').update(verifier).digest('base64url'),
  };
}
