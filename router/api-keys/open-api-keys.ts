// Puts the parts of API keys together: what the edge verifies with, and what the endpoints decide with.
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Listener } from '../../platform/database/listener.ts';
import { createApiKeys, type ApiKeys } from './api-keys.service.ts';
import { createApiKeyStore, KEY_ENDED } from './api-keys.store.ts';
import { createKeyUses } from './key-uses.ts';
import { createKeyVerifier, type KeyVerifier } from './key-verifier.ts';

export interface ApiKeyAccess {
  readonly keys: ApiKeys;
  readonly verifier: KeyVerifier;
  /** Writes what is noted and stops listening. The pool stays open. */
  close(): Promise<void>;
}

export interface ApiKeyAccessOptions {
  readonly pool: Pool;
  readonly listen: Listener['listen'];
  readonly log: Logger;
  /** Told at once when a key ends here, and by notice when it does elsewhere: what was issued to it ends with it. */
  readonly onEnded?: () => void;
}

/** Resolves once the end of a key in any process is heard of in this one. */
export async function openApiKeys({ pool, listen, log, onEnded = () => undefined }: ApiKeyAccessOptions): Promise<ApiKeyAccess> {
  const uses = createKeyUses(pool, log);
  const verifier = createKeyVerifier({ db: pool, uses, log });
  const forget = (): void => {
    verifier.forget();
    onEnded();
  };
  const unlisten = await listen(KEY_ENDED, forget, forget);
  return {
    keys: createApiKeys({ store: createApiKeyStore(pool), flushUses: () => uses.flush(), onEnded: forget }),
    verifier,
    async close() {
      await unlisten();
      await uses.flush();
    },
  };
}
