// Connects tokens, accounts and the portal's pages to the platform, according to `auth.mode`
// (docs/reference/gateway.md#authentication-modes).
import type { Logger } from 'pino';
import type { CheckHost } from '../../platform/allowed-hosts.ts';
import type { Config } from '../../platform/config/load-config.ts';
import type { Database } from '../../platform/database/connect.ts';
import { RepeatedFaults } from '../../platform/repeated-faults.ts';
import { findStanding } from '../api-keys/api-keys.store.ts';
import { hashSecret, isSound } from '../api-keys/key-secret.ts';
import type { NoteChange } from '../edge/audit/audit-record.ts';
import type { Verifier } from '../edge/identity/credentials.ts';
import type { CredentialInvalidation } from '../credential-invalidation/credential-invalidation.ts';
import type { Route } from '../edge/http/routes.ts';
import { portalRoutes } from '../../portal/portal.routes.ts';
import type { FindKeyClient } from '../tokens/clients.ts';
import { createIssuerVerifier } from '../issuers/issuer-verifier.ts';
import { openIssuer } from '../issuers/token-issuer.ts';
import { createIdentitySigner, type SignIdentity } from '../../platform/signed-identity/identity-signer.ts';
import { openTokens } from '../tokens/open-tokens.ts';
import { type Keyring, openKeyring } from '../tokens/signing-keys/keyring.ts';
import { absentTokenRoutes, PATHS, tokenRoutes } from '../tokens/token.routes.ts';
import { portalSetup } from './portal-deps.ts';

export interface OAuth {
  readonly routes: readonly Route[];
  /** Verifiers of access tokens and browsers' sessions; none if `auth.mode` only accepts API keys. */
  readonly verifiers: readonly Verifier[];
  /** The address of the resource's metadata (RFC 9728); undefined where no tokens are accepted. */
  readonly resourceMetadata: (() => string) | undefined;
  /** Base URL of all pages. */
  readonly issuer: () => string;
  /** Signs identities for components of other processes, in every mode. */
  readonly sign: SignIdentity;
  /** Number of valid refresh tokens. */
  countActive(): Promise<number>;
  close(): Promise<void>;
}

export interface OAuthOptions {
  readonly config: Config;
  readonly checkHost: CheckHost;
  readonly note: NoteChange;
  readonly database: Database;
  readonly invalidation: CredentialInvalidation;
  readonly log: Logger;
  /** The server's URL; only called once it listens. */
  readonly baseUrl: () => string;
  /** For metrics: receives the code of every refusal at the token endpoints. */
  readonly onRefused: (code: string) => void;
}

const SWEEP_MS = 3_600_000;

/** The secret of an active key as a client's credential, with the rights that the edge would give it. */
const keyClients =
  ({ pool }: Database): FindKeyClient =>
  async (secret) => {
    const key = isSound(secret) ? await findStanding(pool, hashSecret(secret)) : undefined;
    return key === undefined || key.revoked || key.expiresAt <= Date.now() ? undefined : key;
  };

export async function openOAuth(options: OAuthOptions): Promise<OAuth> {
  const {
    config: { auth },
    database,
    log,
    baseUrl,
  } = options;
  const keyring = await openKeyring({
    pool: database.pool,
    listen: database.listen,
    log,
    rotateAfterDays: auth.signingKeyDays,
    tokenSeconds: Math.max(auth.accessTokenSeconds, auth.serviceTokenSeconds),
  });
  const issuer = (): string => auth.issuer ?? baseUrl();
  const sign = createIdentitySigner({ keys: keyring, issuer });
  if (auth.mode === 'api_key')
    return {
      sign,
      issuer,
      routes: absentTokenRoutes(keyring),
      verifiers: [],
      resourceMetadata: undefined,
      countActive: async () => 0,
      close: () => keyring.close(),
    };
  const parts = await openParts(options, keyring, issuer).catch(async (error: unknown) => {
    await keyring.close();
    throw error;
  });
  return {
    ...parts,
    sign,
    issuer,
    async close() {
      await parts.close();
      await keyring.close();
    },
  };
}

/** Verifiers of the tokens of `auth.issuers`. */
function openOtherIssuers(
  { issuers }: Config['auth'],
  hasLocalAccount: (name: string) => Promise<boolean>,
  invalidation: CredentialInvalidation,
  log: Logger,
): { readonly verifiers: readonly Verifier[]; close(): void } {
  if (issuers.length === 0) return { verifiers: [], close: () => undefined };
  const faults = new RepeatedFaults(log);
  const verifier = createIssuerVerifier({
    issuers: issuers.map(openIssuer),
    hasLocalAccount,
    onUnavailable: ({ cause, message }) => {
      faults.warn(cause, message); // callers are not told why: it may be our own secret that it refuses
    },
  });
  return {
    verifiers: [verifier],
    close: invalidation.onInvalidated(({ kind }) => {
      if (kind === 'all') verifier.forget();
    }),
  };
}

async function openParts(
  {
    config: { auth, server },
    checkHost,
    note,
    database,
    invalidation,
    log,
    onRefused,
    baseUrl,
  }: OAuthOptions,
  keyring: Keyring,
  issuer: () => string,
): Promise<Omit<OAuth, 'sign' | 'issuer'>> {
  const access = await openTokens({
    pool: database.pool,
    keyring,
    invalidation,
    log,
    auth,
    issuer,
    findKeyClient: keyClients(database),
    verificationUri: () => `${issuer()}/device`,
  });
  /** Where callers reach what tokens are for, which is behind a proxy not where it listens. */
  const resource = (): string => server.publicUrl ?? issuer();
  const portal = portalSetup({ pool: database.pool, auth, issuer, baseUrl, checkHost, note }, access);
  const others = openOtherIssuers(auth, portal.hasLocalAccount, invalidation, log);
  const timer = setInterval(() => {
    portal
      .sweep()
      .catch((error: unknown) => log.warn({ err: error }, 'expired sessions could not be deleted'));
  }, SWEEP_MS).unref();
  return {
    routes: [
      ...tokenRoutes({
        ...access,
        keyring,
        issuer,
        resource,
        otherIssuers: auth.issuers.map((other) => other.issuer),
        onRefused,
        note,
      }),
      portal.linkRoute,
      ...portalRoutes(portal.deps),
    ],
    // the session is last: a header that carries a credential comes first; our own verifier takes every JWT
    verifiers: [...others.verifiers, access.verifier, portal.verifier],
    resourceMetadata: () => resource() + PATHS.resource,
    countActive: () => access.countActive(),
    async close() {
      clearInterval(timer);
      others.close();
      await access.close();
    },
  };
}
