// How the end of a credential is announced: by a notice in the transaction that ends it, so that there is
// never one without the other.
import type { Queryable } from '../../platform/queryable.ts';

/** Told `<kind> <id>` when a credential has ended. */
export const CREDENTIAL_INVALIDATED = 'gateway_credential_ended';

/** What processes say to each other about it. */
export const PROCESSES = 'gateway_processes';

/**
 * `key`: an API key, by its id. `token`: a family of tokens, or one access token by its jti. `all`: whatever
 * may have ended with an account; the id is the announcement's own.
 */
export type InvalidationKind = 'key' | 'token' | 'all';

/** For the select list of the statement that ends it; `id` is an expression of text. */
export const announceInvalidation = (kind: InvalidationKind, id: string): string =>
  `pg_notify('${CREDENTIAL_INVALIDATED}', '${kind} ' || ${id})`;

export async function notifyProcesses(db: Queryable, message: string): Promise<void> {
  await db.query('SELECT pg_notify($1, $2)', [PROCESSES, message]);
}
