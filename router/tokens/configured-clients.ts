// Detects changes of the configuration file's clients since the last start; no request makes them, so the
// start reports them.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { canonicalJson } from '../../platform/canonical-json.ts';
import type { Config } from '../../platform/config/load-config.ts';
import type { Queryable } from '../../platform/queryable.ts';
import type { AuditChange } from '../edge/audit/audit-record.ts';
import {
  forgetClient,
  holdKnownClients,
  type KnownClient,
  rememberClient,
} from './configured-clients.store.ts';

type ClientConfig = Config['auth']['clients'][number];

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const HASH_LENGTH = 32;
const SALT_LENGTH = 16;

async function hashOf(secret: string, salt = randomBytes(SALT_LENGTH)): Promise<string> {
  const hash = await derive(secret, salt, HASH_LENGTH);
  return `${salt.toString('base64url')}.${hash.toString('base64url')}`;
}

async function isSameSecret(secret: string | undefined, known: string | null): Promise<boolean> {
  if (secret === undefined || known === null) return secret === undefined && known === null;
  const now = await hashOf(secret, Buffer.from(known.split('.')[0] ?? '', 'base64url'));
  return timingSafeEqual(Buffer.from(now), Buffer.from(known.padEnd(now.length).slice(0, now.length)));
}

const definitionOf = ({ grants, roles, projects, redirectUris }: ClientConfig): Record<string, unknown> => ({
  grants,
  roles,
  projects,
  redirect_uris: redirectUris,
});

/**
 * Stores the current clients, and returns which were added, changed or removed. The database holds the lock
 * until the transaction ends.
 */
export async function followClients(
  db: Queryable,
  configured: readonly ClientConfig[],
): Promise<readonly AuditChange[]> {
  const known = new Map((await holdKnownClients(db)).map((client) => [client.clientId, client]));
  const changes: AuditChange[] = [];
  for (const client of configured) {
    const before = known.get(client.clientId);
    known.delete(client.clientId);
    const change = await changeOf(client, before);
    if (change === null) continue;
    changes.push(change);
    await rememberClient(db, {
      clientId: client.clientId,
      definition: definitionOf(client),
      secretHash: client.secret === undefined ? null : await hashOf(client.secret.reveal()),
    });
  }
  for (const clientId of known.keys()) {
    changes.push({ action: 'client.remove', subject: `client:${clientId}` });
    await forgetClient(db, clientId);
  }
  return changes;
}

async function changeOf(client: ClientConfig, before: KnownClient | undefined): Promise<AuditChange | null> {
  const definition = definitionOf(client);
  const subject = `client:${client.clientId}`;
  if (before === undefined)
    return { action: 'client.add', subject, details: { ...definition, public: client.secret === undefined } };
  const hasOtherSecret = !(await isSameSecret(client.secret?.reveal(), before.secretHash));
  if (!hasOtherSecret && canonicalJson(before.definition) === canonicalJson(definition)) return null;
  return {
    action: 'client.change',
    subject,
    details: { ...definition, public: client.secret === undefined, other_secret: hasOtherSecret },
  };
}
