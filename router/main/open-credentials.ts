// Opens what tells who calls: API keys, tokens and accounts, and the invalidation of all of them.
import { createCheckHost, type CheckHost } from '../../platform/allowed-hosts.ts';
import type { Releasers } from '../../platform/releasers.ts';
import { openApiKeys } from '../api-keys/open-api-keys.ts';
import { openCredentialInvalidation } from '../credential-invalidation/credential-invalidation.ts';
import type { Credentials } from '../edge/identity/credentials.ts';
import { createSignIns, type SignIns } from '../users/sign-ins.service.ts';
import { createSignInsStore } from '../users/sign-ins.store.ts';
import { type OAuth, openOAuth, type OAuthOptions } from './oauth.ts';

export type CredentialsOptions = Omit<OAuthOptions, 'checkHost' | 'invalidation'>;

export interface OpenedCredentials {
  /** Registers a callback for the end of any credential; returns a function that removes it. */
  readonly onEnding: (look: () => void) => () => void;
  readonly checkHost: CheckHost;
  readonly oauth: OAuth;
  readonly apiKeys: ReturnType<typeof openApiKeys>;
  readonly signIns: SignIns;
  readonly credentials: Credentials;
}

export async function openCredentials(
  options: CredentialsOptions,
  releasers: Releasers,
): Promise<OpenedCredentials> {
  const {
    config,
    database: { pool, listen },
    log,
    note,
    baseUrl,
  } = options;
  const invalidation = await openCredentialInvalidation({ db: pool, listen, log });
  releasers.add('invalidation', () => invalidation.close());
  const served = (): string[] => [config.server.host, new URL(config.auth.issuer ?? baseUrl()).host];
  const checkHost = createCheckHost({ configured: config.server.allowedHosts, served });
  const oauth = await openOAuth({ ...options, checkHost, invalidation });
  releasers.add('tokens', () => oauth.close());
  const apiKeys = openApiKeys({ pool, invalidation, log, note });
  releasers.add('API keys', () => apiKeys.close());
  const credentials: Credentials =
    config.auth.mode === 'disabled'
      ? { actor: 'anonymous', roles: ['admin'], projects: '*' }
      : [apiKeys.verifier, ...oauth.verifiers];
  const onEnding = (look: () => void) => invalidation.onInvalidated(look);
  const signIns = createSignIns({
    store: createSignInsStore(pool),
    clients: config.auth.clients,
    spread: (id) => invalidation.broadcast({ kind: 'all', id }),
    note,
  });
  return { onEnding, checkHost, oauth, apiKeys, signIns, credentials };
}
