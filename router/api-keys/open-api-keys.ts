// Assembles the API keys: the verifier for the edge, and the service for the endpoints.
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { NoteChange } from '../edge/audit/audit-record.ts';
import type { CredentialInvalidation } from '../credential-invalidation/credential-invalidation.ts';
import { createApiKeys, type ApiKeys } from './api-keys.service.ts';
import { createApiKeyStore } from './api-keys.store.ts';
import { createKeyUses } from './key-uses.ts';
import { createKeyVerifier, type KeyVerifier } from './key-verifier.ts';

export interface ApiKeyAccess {
  readonly keys: ApiKeys;
  readonly verifier: KeyVerifier;
  /** Writes the recorded uses and stops listening. The pool stays open. */
  close(): Promise<void>;
}

export interface ApiKeyAccessOptions {
  readonly pool: Pool;
  readonly invalidation: CredentialInvalidation;
  readonly log: Logger;
  /** Receives changes of keys, with their actor. */
  readonly note?: NoteChange | undefined;
}

export function openApiKeys({ pool, invalidation, log, note }: ApiKeyAccessOptions): ApiKeyAccess {
  const uses = createKeyUses(pool, log);
  const verifier = createKeyVerifier({ db: pool, uses, log });
  const unlisten = invalidation.onInvalidated(({ kind }) => {
    if (kind !== 'token') verifier.forget();
  });
  return {
    keys: createApiKeys({
      note,
      store: createApiKeyStore(pool),
      flushUses: () => uses.flush(),
      spread: (id) => invalidation.broadcast({ kind: 'key', id }),
    }),
    verifier,
    async close() {
      unlisten();
      await uses.flush();
    },
  };
}
