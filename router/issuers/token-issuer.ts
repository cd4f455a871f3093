// One issuer of `auth.issuers`: its metadata and its keys, and what it says of a token
// (docs/reference/gateway.md#tokens-of-other-issuers).
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import type { Configuration } from 'openid-client';
import type { Config } from '../../platform/config/load-config.ts';
import { DomainError } from '../../platform/errors.ts';
import { livesTooLong } from '../../platform/token-life.ts';
import { issuerUnavailable, limitedFetch } from './limited-fetch.ts';

type TokenIssuerSettings = Config['auth']['issuers'][number];

const TIMEOUT_SECONDS = 5;
/** Milliseconds until keys are read again; until then a key that was taken away is accepted. */
export const KEYS_HOLD_MS = 600_000;
/** Milliseconds between two readings for keys that are not known. */
const COOLDOWN_MS = 10_000;
/** Keycloak says here what a token is for; identity and refresh tokens have the same form and the same keys. */
const CLAIMED_TYPES: readonly unknown[] = [undefined, 'Bearer'];
const HEADER_TYPES: readonly (string | undefined)[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

/** A token that is valid now. */
export interface IssuedToken {
  readonly subject: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface TokenIssuer {
  readonly settings: TokenIssuerSettings;
  /** Of a signed token. @throws DomainError `invalid_token`, `expired_token`, `component_unavailable` */
  read(token: string): Promise<IssuedToken>;
  /** Asks the issuer about an opaque token (RFC 7662). @throws DomainError, likewise */
  introspect(token: string): Promise<IssuedToken>;
}

const invalid = (message: string, cause?: unknown): DomainError =>
  new DomainError('invalid_token', message, {}, { cause });

/** Faults of a token; what else fails is the issuer's. */
const isOfToken = (fault: unknown): boolean =>
  fault instanceof errors.JWKSNoMatchingKey || fault instanceof errors.JWKSMultipleMatchingKeys;

/** What the issuer refused, by its error code: openid-client says it in properties, which no log shows. */
function refusalIn(cause: unknown): Error | undefined {
  if (!(cause instanceof Error && 'status' in cause)) return undefined;
  const code = 'error' in cause ? `: ${JSON.stringify(cause.error).slice(0, 100)}` : '';
  return new Error(`it answers with status ${String(cause.status)}${code}`, { cause });
}

/** @throws DomainError `invalid_token` */
function assertBearer({ cnf, sub, exp }: Readonly<Record<string, unknown>>): { sub: string; exp: number } {
  // whoever presents such a token has to prove a key, which nothing here asks for (RFC 7800)
  if (cnf !== undefined) throw invalid('the token is bound to a key and is no bearer token');
  if (typeof sub !== 'string' || sub === '' || typeof exp !== 'number')
    throw invalid('the token names no subject or no end');
  return { sub, exp };
}

class RemoteIssuer implements TokenIssuer {
  readonly settings: TokenIssuerSettings;
  readonly #fetch = limitedFetch();
  /** Apart, so that questions about opaque tokens leave room for it. */
  readonly #fetchKeys = limitedFetch();
  #configuration: Promise<Configuration> | undefined;
  #keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(settings: TokenIssuerSettings) {
    this.settings = settings;
  }

  async read(token: string): Promise<IssuedToken> {
    const { issuer, audience, algorithms, clockToleranceSeconds, longestTokenSeconds } = this.settings;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, await this.#verificationKeys(), {
        issuer: [issuer, `${issuer}/`],
        audience,
        algorithms: [...algorithms],
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['exp', 'sub'],
      });
      if (
        !HEADER_TYPES.includes(protectedHeader.typ?.toLowerCase()) ||
        !CLAIMED_TYPES.includes(payload['typ'])
      )
        throw invalid('the token is not an access token');
      const { sub, exp } = assertBearer(payload);
      if (livesTooLong(payload, longestTokenSeconds))
        throw invalid('the lifetime of the token exceeds the maximum');
      return { subject: sub, expiresAt: exp, claims: payload };
    } catch (cause) {
      if (cause instanceof DomainError) throw cause;
      if (cause instanceof errors.JWTExpired)
        throw new DomainError('expired_token', 'the access token has expired', {}, { cause });
      if (cause instanceof errors.JOSEError) throw invalid('the access token is not valid', cause);
      throw cause;
    }
  }

  async introspect(token: string): Promise<IssuedToken> {
    const { issuer, audience } = this.settings;
    const { tokenIntrospection } = await import('openid-client');
    const claims = await this.#configured()
      .then((configuration) => tokenIntrospection(configuration, token, { token_type_hint: 'access_token' }))
      .catch((cause: unknown) => {
        throw issuerUnavailable(issuer, refusalIn(cause) ?? cause);
      });
    if (!claims.active) throw invalid('the issuer says that the token is not active');
    const { sub, exp } = assertBearer(claims);
    const named: unknown = claims.aud;
    if (!(Array.isArray(named) ? named : [named]).includes(audience))
      throw invalid('the token is meant for another audience');
    if (claims.iss !== undefined && claims.iss.replace(/\/$/, '') !== issuer)
      throw invalid('the token is of another issuer');
    if (exp * 1000 <= Date.now()) throw new DomainError('expired_token', 'the access token has expired');
    return { subject: sub, expiresAt: exp, claims };
  }

  /** Read on first use, and again after a failure. */
  #configured(): Promise<Configuration> {
    return (this.#configuration ??= this.#discover().catch((cause: unknown) => {
      this.#configuration = undefined;
      throw cause;
    }));
  }

  async #discover(): Promise<Configuration> {
    const { issuer, introspection, jwksUrl } = this.settings;
    const client = await import('openid-client');
    const id = introspection?.clientId ?? 'none'; // discovery alone identifies no client
    const authentication =
      introspection === undefined
        ? client.None()
        : client.ClientSecretBasic(introspection.clientSecret.reveal());
    const fixed = {
      issuer,
      ...(jwksUrl === undefined ? {} : { jwks_uri: jwksUrl }),
      ...(introspection?.url === undefined ? {} : { introspection_endpoint: introspection.url }),
    };
    const needed = jwksUrl === undefined || (introspection !== undefined && introspection.url === undefined);
    const metadata = needed ? { ...(await this.#metadata()), ...fixed } : fixed;
    const made = new client.Configuration(metadata, id, undefined, authentication);
    made[client.customFetch] = this.#fetch;
    made.timeout = TIMEOUT_SECONDS;
    if (issuer.startsWith('http:')) client.allowInsecureRequests(made);
    return made;
  }

  async #metadata(): Promise<ReturnType<Configuration['serverMetadata']>> {
    const client = await import('openid-client');
    const url = new URL(this.settings.issuer);
    const found = await client.discovery(url, 'none', undefined, client.None(), {
      [client.customFetch]: this.#fetch,
      timeout: TIMEOUT_SECONDS,
      execute: url.protocol === 'http:' ? [client.allowInsecureRequests] : [],
    });
    return found.serverMetadata();
  }

  #verificationKeys(): Promise<JWTVerifyGetKey> {
    return (this.#keys ??= this.#openKeys().catch((cause: unknown) => {
      this.#keys = undefined;
      throw issuerUnavailable(this.settings.issuer, cause);
    }));
  }

  async #openKeys(): Promise<JWTVerifyGetKey> {
    const { issuer, jwksUrl } = this.settings;
    const address = jwksUrl ?? (await this.#configured()).serverMetadata().jwks_uri;
    if (address === undefined) throw new Error('its metadata names no keys');
    const url = new URL(address);
    if (url.protocol !== 'https:' && issuer.startsWith('https:'))
      throw new Error('its keys are not protected');
    const keys = createRemoteJWKSet(url, {
      timeoutDuration: TIMEOUT_SECONDS * 1000,
      cooldownDuration: COOLDOWN_MS,
      cacheMaxAge: KEYS_HOLD_MS,
      [customFetch]: this.#fetchKeys,
    });
    return async (header, token) =>
      keys(header, token).catch((cause: unknown) => {
        throw isOfToken(cause) ? cause : issuerUnavailable(issuer, cause);
      });
  }
}

export const openIssuer = (settings: TokenIssuerSettings): TokenIssuer => new RemoteIssuer(settings);
