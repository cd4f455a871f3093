// Clients of the token endpoint: those of `auth.clients`, the command line's own, and `service` API keys
// (docs/reference/gateway.md#clients).
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Grant } from '../../platform/config/auth-section.ts';
import type { Config } from '../../platform/config/load-config.ts';
import type { Projects, Role } from '../../platform/identity.ts';
import { OAuthError } from './oauth-error.ts';

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code' satisfies Grant;

/**
 * The client of the command line, and of every device that names no client: public, with device codes only.
 */
export const DEFAULT_CLIENT = 'cli';

export interface Client {
  readonly id: string;
  /** Whether it has authenticated with a secret. */
  readonly isConfidential: boolean;
  readonly grants: readonly Grant[];
  /** Its actor under client credentials, and its rights. */
  readonly actor: string;
  readonly roles: readonly Role[];
  readonly projects: Projects;
  readonly redirectUris: readonly string[];
  /** The end of its credential in seconds since the epoch; none of its tokens lives longer. */
  readonly until: number;
}

/** The client parameters of a request. */
export interface ClientClaim {
  readonly id: string | undefined;
  readonly secret: string | undefined;
}

/** An API key as a client, by its secret; undefined if it is unknown, revoked or expired. */
export interface KeyClient {
  readonly id: string;
  readonly role: Role;
  readonly label: string;
  readonly projects: Projects;
  readonly expiresAt: number;
}
export type FindKeyClient = (secret: string) => Promise<KeyClient | undefined>;

export interface Clients {
  /**
   * A configured client or the command line, by name only: for clients without a secret, and to look up their
   * rights.
   */
  find(id: string): Client | undefined;
  /**
   * The client of a request.
   * @throws OAuthError `invalid_client`, `invalid_request`, `unauthorized_client`
   */
  authenticate(claim: ClientClaim): Promise<Client>;
}

type ClientConfig = Config['auth']['clients'][number];

const KEY_ID = /^key_[0-9a-f]{1,64}$/;
const SERVICE_GRANTS: readonly Grant[] = ['client_credentials', 'refresh_token'];

const CLI: ClientConfig = {
  clientId: DEFAULT_CLIENT,
  grants: [DEVICE_GRANT, 'refresh_token'],
  roles: ['service'],
  projects: [],
  redirectUris: [],
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const isEqual = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const settle = ({ clientId, secret, grants, roles, projects, redirectUris }: ClientConfig): Client => ({
  id: clientId,
  isConfidential: secret !== undefined,
  grants,
  actor: `service:${clientId}`,
  roles,
  projects,
  redirectUris,
  until: Infinity,
});

const refused = (): OAuthError =>
  new OAuthError('invalid_client', 'the client is unknown or its secret is wrong');

export function createClients(configured: readonly ClientConfig[], findKeyClient: FindKeyClient): Clients {
  const byId = new Map(
    [CLI, ...configured].map((client) => [
      client.clientId,
      { client: settle(client), secret: client.secret },
    ]),
  );

  const keyClient = async (id: string, secret: string): Promise<Client> => {
    const key = await findKeyClient(secret);
    if (key?.id !== id) throw refused();
    if (key.role !== 'service')
      throw new OAuthError('unauthorized_client', 'only API keys with role service can be used as clients');
    return {
      id,
      isConfidential: true,
      grants: SERVICE_GRANTS,
      actor: `service:${key.label}`,
      roles: ['service'],
      projects: key.projects,
      redirectUris: [],
      until: Math.floor(key.expiresAt / 1000),
    };
  };

  return {
    find: (id) => byId.get(id)?.client,
    async authenticate({ id, secret }) {
      if (id === undefined)
        throw new OAuthError(
          secret === undefined ? 'invalid_request' : 'invalid_client',
          'client_id is required',
        );
      const known = byId.get(id);
      if (known === undefined && KEY_ID.test(id) && secret !== undefined) return keyClient(id, secret);
      if (known === undefined) throw refused();
      if (
        known.secret === undefined
          ? secret !== undefined
          : secret === undefined || !isEqual(known.secret.reveal(), secret)
      )
        throw refused();
      return known.client;
    },
  };
}

/** @throws OAuthError `unauthorized_client` */
export function assertGrant(client: Client, grant: Grant): void {
  if (!client.grants.includes(grant))
    throw new OAuthError('unauthorized_client', `the client ${client.id} may not use the grant ${grant}`);
}
