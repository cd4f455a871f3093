// Announces the end of a credential by a notification in the transaction that ends it, so that neither
// happens without the other.
import type { Queryable } from '../../platform/queryable.ts';

/** The channel of `<kind> <id>` messages when a credential has ended. */
export const CREDENTIAL_INVALIDATED = 'gateway_credential_ended';

/** The channel of messages between processes. */
export const PROCESSES = 'gateway_processes';

/**
 * `key`: an API key, by its id. `token`: a family of tokens, or one access token by its jti. `all`: any
 * credential, after a change of an account; the id is the announcement's own.
 */
export type InvalidationKind = 'key' | 'token' | 'all';

/** For the select list of the statement that ends it; `id` is a text expression. */
export const announceInvalidation = (kind: InvalidationKind, id: string): string =>
  `pg_notify('${CREDENTIAL_INVALIDATED}', '${kind} ' || ${id})`;

export async function notifyProcesses(db: Queryable, message: string): Promise<void> {
  await db.query('SELECT pg_notify($1, $2)', [PROCESSES, message]);
}
