// Tells clients with a secret whether a token is valid, and what it says (RFC 7662;
// docs/reference/gateway.md#introspection-endpoint).
import { DomainError } from '../../platform/errors.ts';
import { readAccessToken, type TokenRealm } from './access-token.ts';
import type { Client } from './clients.ts';
import { hashOf } from './opaque.ts';
import type { Revocations } from './revocations.ts';
import type { TokenStore } from './tokens.store.ts';

export interface Introspection {
  /**
   * The members of RFC 7662 with `roles` and `projects`; only `active: false` for what is not valid, or is
   * not for this client to know: whoever holds an access token can read it, a refresh token is its client's.
   * @throws DomainError `component_unavailable`
   */
  of(token: string, client: Client): Promise<Readonly<Record<string, unknown>>>;
}

export interface IntrospectionOptions {
  readonly realm: TokenRealm;
  readonly revocations: Revocations;
  readonly store: Pick<TokenStore, 'findRefreshToken'>;
  readonly familySeconds: number;
}

const INACTIVE = { active: false };

export function createIntrospection({
  realm,
  revocations,
  store,
  familySeconds,
}: IntrospectionOptions): Introspection {
  const ofRefreshToken = async (text: string, { id }: Client): Promise<Record<string, unknown>> => {
    const token = await store.findRefreshToken(hashOf(text), familySeconds);
    if (token?.clientId !== id || token.ended || token.expired) return INACTIVE;
    return { active: true, client_id: id, sub: token.actor, username: token.actor, iss: realm.issuer() };
  };
  const ofAccessToken = async (text: string): Promise<Record<string, unknown>> => {
    const token = await readAccessToken(realm, text).catch((refusal: unknown) => {
      if (refusal instanceof DomainError && refusal.status === 401) return undefined;
      throw refusal;
    });
    if (token === undefined || (await revocations.hold(token.jti, token.family))) return INACTIVE;
    const { actor, roles, projects } = token.identity;
    return {
      active: true,
      token_type: 'Bearer',
      iss: realm.issuer(),
      aud: realm.audience,
      sub: actor,
      username: actor,
      client_id: token.clientId,
      exp: token.expiresAt,
      jti: token.jti,
      roles,
      projects,
    };
  };
  return {
    of: (token, client) => (token.startsWith('rt_') ? ofRefreshToken(token, client) : ofAccessToken(token)),
  };
}
