// Finds out once per request whose credential it carries, and remembers the refusal for the authentication stage.
import { DomainError } from '../../platform/errors.ts';
import type { Identity } from '../../platform/identity.ts';
import {
  type Credentials,
  extractCredentials,
  isEverybody,
  oneIdentity,
  verifyCredential,
} from './credentials.ts';
import type { Passage } from './passage.ts';

function refuse(passage: Passage, thrown: unknown): void {
  if (!(thrown instanceof DomainError)) throw thrown;
  passage.refusal = thrown;
}

async function identifyByAll(passage: Passage, pending: readonly Promise<Identity>[]): Promise<void> {
  try {
    passage.identity = await oneIdentity(pending);
  } catch (thrown) {
    refuse(passage, thrown);
  }
}

/** Sets `identity` or `refusal`; neither where no credential was sent. Answers a promise only where it must wait. */
export function identify(passage: Passage, credentials: Credentials): undefined | Promise<void> {
  if (isEverybody(credentials)) {
    passage.identity = credentials;
    return undefined;
  }
  if (passage.identity !== undefined || passage.refusal !== undefined) return undefined;
  try {
    const [only, second] = extractCredentials(passage.req);
    if (only === undefined) return undefined;
    if (second !== undefined)
      return identifyByAll(
        passage,
        [only, second].map(async (credential) => verifyCredential(credential, credentials)),
      );
    const verdict = verifyCredential(only, credentials);
    if (verdict instanceof Promise) return identifyByAll(passage, [verdict]);
    passage.identity = verdict;
  } catch (thrown) {
    refuse(passage, thrown);
  }
  return undefined;
}
