// Issues and ends tokens (docs/reference/gateway.md#token-endpoints).
import { randomUUID } from 'node:crypto';
import type { Caller } from '../../platform/identity.ts';
import { allows } from '../../platform/permissions.ts';
import { hasNoNul } from '../../platform/queryable.ts';
import { DomainError } from '../../platform/errors.ts';
import { type AccessToken, readAccessToken, signAccessToken, type TokenRealm } from './access-token.ts';
import { assertGrant, type Client, type Clients } from './clients.ts';
import { OAuthError, refusedToken } from './oauth-error.ts';
import { generate, hashOf, type Opaque } from './opaque.ts';
import type { Granted, NewTokens, RefreshStanding, TokenStore } from './tokens.store.ts';

/** docs/reference/gateway.md#token-endpoints. */
export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token?: string;
}

export interface CodeExchange {
  readonly code: string;
  readonly redirectUri: string;
  readonly challenge: string;
}

export interface Tokens {
  /** For the client itself. @throws OAuthError `unauthorized_client` */
  forClient(client: Client): Promise<TokenAnswer>;
  /** For an approved device code; undefined if it cannot be redeemed now. */
  forDevice(client: Client, deviceCode: string): Promise<TokenAnswer | undefined>;
  /** @throws OAuthError `invalid_grant`; a code that is used twice ends its tokens */
  forCode(client: Client, ctx: CodeExchange): Promise<TokenAnswer>;
  /**
   * `mayOmitClient`: a confidential client need not authenticate.
   * @throws DomainError `invalid_token`, `expired_token`, `revoked_token`, OAuthError
   */
  refresh(refreshToken: string, client: Client | undefined, mayOmitClient: boolean): Promise<TokenAnswer>;
  /**
   * Whether there was a token to revoke: the holder may revoke a whole token, only administrators a bare
   * `jti`.
   */
  revoke(token: string, caller: Caller): Promise<boolean>;
}

export interface TokensOptions {
  readonly store: TokenStore;
  readonly realm: TokenRealm;
  readonly clients: Clients;
  /** Called for every family or token that is revoked here; resolves when all processes know. */
  readonly spread: (id: string) => Promise<void>;
  readonly accessSeconds: number;
  readonly serviceSeconds: number;
  readonly refreshSeconds: number;
  /** Maximum age of a family, however often it is refreshed. */
  readonly familySeconds: number;
}

interface Prepared {
  readonly issuedAt: number;
  readonly refresh: Opaque;
  readonly record: NewTokens;
}

const isService = (actor: string): boolean => actor.startsWith('service:');
const MAX_JTI_LENGTH = 200;

const revoked = (): DomainError =>
  refusedToken('revoked_token', 'the refresh token has been rotated or revoked; sign in again');

class TokenService implements Tokens {
  readonly #options: TokensOptions;

  constructor(options: TokensOptions) {
    this.#options = options;
  }

  async forClient(client: Client): Promise<TokenAnswer> {
    assertGrant(client, 'client_credentials');
    // docs/reference/gateway.md#token-endpoint: every answer contains a refresh token, including this
    // grant's.
    const prepared = this.#prepare(this.#options.serviceSeconds, client.until, true);
    const to = { clientId: client.id, actor: client.actor, roles: client.roles, projects: client.projects };
    await this.#options.store.openForClient(prepared.record, to);
    return this.#answer(prepared, prepared.record.family, to);
  }

  async forDevice(client: Client, deviceCode: string): Promise<TokenAnswer | undefined> {
    const prepared = this.#forUser(client);
    const to = await this.#options.store.openForDevice(prepared.record, {
      hash: hashOf(deviceCode),
      clientId: client.id,
    });
    return to === undefined ? undefined : this.#answer(prepared, prepared.record.family, to);
  }

  async forCode(client: Client, { code, redirectUri, challenge }: CodeExchange): Promise<TokenAnswer> {
    const { store, spread } = this.#options;
    const prepared = this.#forUser(client);
    const hash = hashOf(code);
    const to = await store.openForCode(prepared.record, {
      hash,
      clientId: client.id,
      redirectUri,
      challenge,
    });
    if (to !== undefined) return this.#answer(prepared, prepared.record.family, to);
    const family = await store.revokeByCode(hash);
    if (family !== undefined) await spread(family);
    throw new OAuthError(
      'invalid_grant',
      'the code is unknown, used, expired, or was issued for another client, redirect_uri or code_challenge',
    );
  }

  async refresh(
    refreshToken: string,
    client: Client | undefined,
    mayOmitClient: boolean,
  ): Promise<TokenAnswer> {
    const { store, accessSeconds, serviceSeconds, refreshSeconds, familySeconds } = this.#options;
    const spentHash = hashOf(refreshToken);
    const standing = async (): Promise<RefreshStanding> =>
      this.#assertStands(await store.findRefreshToken(spentHash, familySeconds), client, mayOmitClient);
    const token = await standing();
    const prepared = this.#prepare(
      isService(token.actor) ? serviceSeconds : accessSeconds,
      token.until,
      true,
    );
    const { jti, accessExpires } = prepared.record;
    const to = await store.rotate({
      spentHash,
      jti,
      accessExpires,
      refreshHash: prepared.refresh.hash,
      refreshSeconds,
      familySeconds,
      rights: this.#rightsOf(token),
    });
    if (to !== undefined) return this.#answer(prepared, to.family, to);
    // A concurrent request used this token, or it ended meanwhile: the refusal follows from its current
    // state.
    await standing();
    throw revoked();
  }

  async revoke(token: string, caller: Caller): Promise<boolean> {
    const { store, spread } = this.#options;
    if (token.startsWith('rt_')) {
      const family = await store.revokeByRefreshToken(hashOf(token));
      if (family !== undefined) await spread(family);
      return family !== undefined;
    }
    if (token.includes('.')) return this.#revokeWhole(token);
    if (
      !allows(caller, 'tokens:manage') ||
      token.length > MAX_JTI_LENGTH ||
      !hasNoNul(token) ||
      !(await store.revokeJti(token))
    )
      return false;
    await spread(token);
    return true;
  }

  #prepare(seconds: number, until: number, withRefresh: boolean): Prepared {
    const { refreshSeconds, familySeconds } = this.#options;
    const issuedAt = Math.floor(Date.now() / 1000);
    const refresh = generate('rt_');
    return {
      issuedAt,
      refresh,
      record: {
        family: randomUUID(),
        jti: randomUUID(),
        accessExpires: Math.min(issuedAt + seconds, Math.floor(until)),
        refreshHash: withRefresh ? refresh.hash : null,
        refreshSeconds,
        familySeconds,
      },
    };
  }

  #forUser(client: Client): Prepared {
    return this.#prepare(this.#options.accessSeconds, Infinity, client.grants.includes('refresh_token'));
  }

  async #answer(
    { issuedAt, refresh, record }: Prepared,
    family: string,
    { actor, roles, projects, clientId }: Granted,
  ): Promise<TokenAnswer> {
    // An administrator is in every project (docs/reference/gateway.md#projects).
    const token: AccessToken = {
      identity: { actor, roles, projects: roles.includes('admin') ? '*' : projects },
      clientId,
      jti: record.jti,
      family,
      expiresAt: record.accessExpires,
    };
    return {
      access_token: await signAccessToken(this.#options.realm, token, issuedAt),
      token_type: 'Bearer',
      expires_in: record.accessExpires - issuedAt,
      ...(record.refreshHash === null ? {} : { refresh_token: refresh.text }),
    };
  }

  /**
   * A client's current rights for the tokens it holds for itself; null for users' tokens and for API keys,
   * whose rows have them.
   */
  #rightsOf({ actor, clientId }: RefreshStanding): Pick<Client, 'roles' | 'projects'> | null {
    const client = this.#options.clients.find(clientId);
    return client !== undefined && client.actor === actor ? client : null;
  }

  /** The reason to refuse a refresh; reuse of a token ends its whole family (RFC 9700, 4.14.2). */
  async #assertStands(
    token: RefreshStanding | undefined,
    client: Client | undefined,
    mayOmitClient: boolean,
  ): Promise<RefreshStanding> {
    if (token === undefined) throw refusedToken('invalid_token', 'the refresh token is unknown');
    if (client !== undefined && client.id !== token.clientId)
      throw new OAuthError('invalid_grant', 'the refresh token was issued to another client');
    const holder = client ?? this.#options.clients.find(token.clientId);
    const isKey = token.clientId.startsWith('key_');
    if (client === undefined && !mayOmitClient && (isKey || holder?.isConfidential === true))
      throw new OAuthError('invalid_client', 'the client must authenticate');
    if (token.ended || (holder === undefined && !isKey)) {
      await this.#end(token.family);
      throw revoked();
    }
    if (token.expired) throw refusedToken('expired_token', 'the refresh token has expired; sign in again');
    if (holder !== undefined && !isService(token.actor)) assertGrant(holder, 'refresh_token');
    return token;
  }

  async #end(family: string): Promise<void> {
    if (await this.#options.store.revokeFamily(family)) await this.#options.spread(family);
  }

  async #revokeWhole(text: string): Promise<boolean> {
    const { realm, store, spread } = this.#options;
    const token = await readAccessToken(realm, text).catch((refusal: unknown) => {
      if (refusal instanceof DomainError && refusal.status === 401) return undefined;
      throw refusal;
    });
    if (token === undefined || !(await store.revokeJti(token.jti))) return false;
    await spread(token.jti);
    return true;
  }
}

export const createTokens = (options: TokensOptions): Tokens => new TokenService(options);
