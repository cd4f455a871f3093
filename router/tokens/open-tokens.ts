// Assembles the tokens: the verifier for the edge, the services for the endpoints, and their maintenance.
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/load-config.ts';
import { longestLife } from '../../platform/token-life.ts';
import type { Verifier } from '../edge/identity/credentials.ts';
import type { CredentialInvalidation } from '../credential-invalidation/credential-invalidation.ts';
import { type Authorization, createAuthorization } from './authorize.service.ts';
import { type Clients, createClients, type FindKeyClient } from './clients.ts';
import { createAuthorizationCodeStore } from './authorization-codes.store.ts';
import { createDeviceCodeStore } from './device-codes.store.ts';
import { createDeviceCodes, type DeviceCodes } from './device-codes.service.ts';
import { createIntrospection, type Introspection } from './introspection.service.ts';
import { createRevocations } from './revocations.ts';
import { listRevoked } from './revocations.store.ts';
import type { Keyring } from './signing-keys/keyring.ts';
import { createTokenVerifier } from './token-verifier.ts';
import { createTokens, type Tokens } from './tokens.service.ts';
import { countActive, createTokenStore, sweepTokens } from './tokens.store.ts';

export interface TokenAccess {
  readonly verifier: Verifier;
  readonly clients: Clients;
  readonly tokens: Tokens;
  readonly devices: DeviceCodes;
  readonly authorization: Authorization;
  readonly introspection: Introspection;
  /** Number of valid refresh tokens. */
  countActive(): Promise<number>;
  /** Stops listening and maintenance. The pool stays open. */
  close(): Promise<void>;
}

export interface TokenAccessOptions {
  readonly pool: Pool;
  readonly keyring: Keyring;
  readonly invalidation: CredentialInvalidation;
  readonly log: Logger;
  readonly auth: Config['auth'];
  readonly findKeyClient: FindKeyClient;
  /** Base of all URLs and `iss` of tokens; only called once the server listens. */
  readonly issuer: () => string;
  /** Where people enter device codes. */
  readonly verificationUri: () => string;
}

const SWEEP_MS = 3_600_000;

/** Resolves once revocations by any process reach this one. */
export async function openTokens({
  pool,
  keyring,
  invalidation,
  log,
  auth,
  findKeyClient,
  issuer,
  verificationUri,
}: TokenAccessOptions): Promise<TokenAccess> {
  const revocations = createRevocations({ list: () => listRevoked(pool), log });
  const unlisten = invalidation.onInvalidated(({ kind, id }) => {
    if (kind === 'token') revocations.add(id);
    else revocations.invalidate(); // tokens that were issued to a key end with it
  });
  const realm = { keyring, issuer, audience: auth.audience, longestSeconds: longestLife(auth) };
  const clients = createClients(auth.clients, findKeyClient);
  const store = createTokenStore(pool);
  const familySeconds = auth.refreshFamilyDays * 86_400;
  const tokens = createTokens({
    store,
    realm,
    clients,
    spread: (id) => invalidation.broadcast({ kind: 'token', id }),
    accessSeconds: auth.accessTokenSeconds,
    serviceSeconds: auth.serviceTokenSeconds,
    refreshSeconds: auth.refreshTokenSeconds,
    familySeconds,
  });
  const sweep = (): void => {
    sweepTokens(pool).catch((error: unknown) =>
      log.warn({ err: error }, 'expired tokens could not be deleted'),
    );
  };
  const timer = setInterval(sweep, SWEEP_MS).unref();
  return {
    verifier: createTokenVerifier({ realm, revocations }),
    clients,
    tokens,
    devices: createDeviceCodes({ store: createDeviceCodeStore(pool), clients, tokens, verificationUri }),
    authorization: createAuthorization({ store: createAuthorizationCodeStore(pool), clients, issuer }),
    introspection: createIntrospection({ realm, revocations, store, familySeconds }),
    countActive: () => countActive(pool),
    async close() {
      clearInterval(timer);
      unlisten();
    },
  };
}
