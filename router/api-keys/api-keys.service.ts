// Decides who may make, see, replace and end which API keys (spec 1 «API key», contract 1.2 and 1.4).
import { badRequest, DomainError, notFound } from '../../platform/errors.ts';
import { type Caller, isRole, type Projects, type Role, ROLES } from '../../platform/identity.ts';
import { checkPage, decodeCursor, instantPart, type Page, pageOf, textPart } from '../../platform/paging.ts';
import { assertAllowed, assertMember, mayGrant } from '../../platform/permissions.ts';
import { isStorable } from '../../platform/queryable.ts';
import { assertVisible } from '../../platform/visible-text.ts';
import type { NoteChange } from '../edge/audit/audit-record.ts';
import type { ApiKey, ApiKeyStore } from './api-keys.store.ts';
import { readExpiry } from './expiry.ts';
import { generateKeyId, generateSecret, hashSecret } from './key-secret.ts';

export interface KeyRequest {
  readonly label: string;
  readonly role: string;
  readonly project?: string | undefined;
  /** ISO 8601; never where omitted. */
  readonly expires?: string | undefined;
  /** Whom the key acts as, where not its creator: for admins. */
  readonly owner?: string | undefined;
}

export interface KeyQuery {
  readonly all?: boolean | undefined;
  readonly user?: string | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string | null | undefined;
}

export type KeyWithSecret = ApiKey & { readonly secret: string };
export interface Rotation {
  readonly created: KeyWithSecret;
  readonly revoked: { readonly id: string; readonly revokedAt: string };
}

export interface ApiKeys {
  /** @throws DomainError `invalid_request`, `insufficient_role`, `project_scope_denied` */
  create(request: KeyRequest, caller: Caller): Promise<KeyWithSecret>;
  /** The caller's own keys; others' for admins. @throws DomainError `insufficient_role`, `invalid_request` */
  list(query: KeyQuery, caller: Caller): Promise<Page<ApiKey>>;
  /** Idempotent. @throws DomainError `not_found`, `insufficient_role` */
  revoke(id: string, reason: string | undefined, caller: Caller): Promise<{ id: string; revokedAt: string }>;
  /** @throws DomainError `not_found`, `insufficient_role`, `conflict` for a dead key */
  rotate(id: string, caller: Caller): Promise<Rotation>;
}

export interface ApiKeysOptions {
  readonly store: ApiKeyStore;
  /** Called before keys are listed, so that what was used is seen. */
  readonly flushUses: () => Promise<void>;
  /** Called when a key has ended, before the caller hears of it; resolves when all processes know. */
  readonly spread: (keyId: string) => Promise<void>;
  /** Told who has made, replaced or ended which key. */
  readonly note?: NoteChange | undefined;
}

/** `user:<name>` or `service:<name>`. */
const ACTOR = /^(?:user|service):[^\s,\p{Cc}\p{Surrogate}]{1,200}$/u;

function assertMayGrant(caller: Caller, role: Role, operation: string): void {
  if (mayGrant(caller, role)) return;
  const needed = role === 'service' ? 'admin' : role;
  throw new DomainError('insufficient_role', `role ${needed} is required to ${operation} with role ${role}`, {
    required_role: needed,
    operation,
  });
}

const isWithin = (projects: Projects, bounds: Projects): boolean =>
  bounds === '*' || (projects !== '*' && projects.every((project) => bounds.includes(project)));

const ownsOrManages = (key: ApiKey, caller: Caller): void => {
  if (key.owner !== caller.actor) assertAllowed(caller, 'api-keys:all');
};

export function createApiKeys({ store, flushUses, spread, note }: ApiKeysOptions): ApiKeys {
  const noted = (
    { requestId, actor }: Caller,
    action: string,
    { id, owner, role, project, expires }: ApiKey,
    more: Readonly<Record<string, unknown>> = {},
  ): void => {
    note?.(requestId, actor, { action, subject: id, details: { owner, role, project, expires, ...more } });
  };
  const ownProjects = async (owner: string, role: Role): Promise<Projects> =>
    role === 'admin' || role === 'service' ? '*' : store.ownerProjects(owner);

  /** The project a new key is narrowed to; a key without one must not reach further than its creator does. */
  const projectFor = async (
    asked: string | undefined,
    owner: string,
    role: Role,
    caller: Caller,
  ): Promise<string | null> => {
    if (asked !== undefined) {
      assertMember(caller, asked);
      return asked;
    }
    if (caller.projects === '*' || isWithin(await ownProjects(owner, role), caller.projects)) return null;
    const [only, another] = caller.projects;
    if (only !== undefined && another === undefined) return only;
    throw badRequest('project is required: name one of your projects', { field: 'project' });
  };

  const existing = async (id: string): Promise<ApiKey> => {
    const key = isStorable(id) ? await store.find(id) : undefined;
    if (key === undefined) throw notFound('API key', id);
    return key;
  };

  return {
    async create({ label, role, project, expires, owner = undefined }, caller) {
      assertVisible('label', label);
      if (project !== undefined) assertVisible('project', project);
      if (!isRole(role)) throw badRequest(`role must be one of ${ROLES.join(', ')}`, { field: 'role' });
      assertMayGrant(caller, role, 'create an API key');
      if (owner !== undefined && !ACTOR.test(owner))
        throw badRequest('owner must be an actor: user:<name> or service:<name>', { field: 'owner' });
      if (owner !== undefined && owner !== caller.actor) assertAllowed(caller, 'api-keys:all');
      const until = expires === undefined ? null : readExpiry(expires);
      const actsAs = owner ?? caller.actor;
      const secret = generateSecret();
      const key = await store.insert({
        id: generateKeyId(),
        label,
        role,
        project: await projectFor(project, actsAs, role, caller),
        owner: actsAs,
        createdBy: caller.actor,
        expires: until,
        secretHash: hashSecret(secret),
      });
      noted(caller, 'api_key.create', key);
      return { ...key, secret };
    },

    async list({ all = false, user, limit, offset, cursor }, caller) {
      if (all || (user !== undefined && user !== caller.actor)) assertAllowed(caller, 'api-keys:all');
      checkPage({ limit, offset });
      if (user !== undefined) assertVisible('user', user);
      const [createdAt, id] = decodeCursor(cursor, [instantPart, textPart]) ?? [];
      const owner =
        user === undefined ? (all ? null : caller.actor) : user.includes(':') ? user : `user:${user}`;
      await flushUses();
      const after =
        createdAt === undefined || id === undefined ? null : { createdAt: String(createdAt), id: String(id) };
      return pageOf(await store.list({ owner, after, limit: limit + 1, offset }), limit, (key) => [
        key.createdAt,
        key.id,
      ]);
    },

    async revoke(id, reason, caller) {
      const key = await existing(id);
      ownsOrManages(key, caller);
      if (reason !== undefined) assertVisible('reason', reason, { longest: 2000, lines: true });
      const revokedAt = await store.revoke(id, caller.actor, reason ?? null);
      if (revokedAt === undefined) throw notFound('API key', id);
      noted(caller, 'api_key.revoke', key);
      await spread(id);
      return { id, revokedAt };
    },

    async rotate(id, caller) {
      const key = await existing(id);
      ownsOrManages(key, caller);
      // A new secret is a new credential: it must not give its receiver more than the one in hand.
      assertMayGrant(caller, key.role, 'rotate an API key');
      const reach = key.project === null ? await ownProjects(key.owner, key.role) : [key.project];
      if (!isWithin(reach, caller.projects))
        throw new DomainError(
          'project_scope_denied',
          'the key reaches further than the credential that asks for its rotation',
          { project: key.project },
        );
      const secret = generateSecret();
      const rotated = await store.rotate(id, caller.actor, {
        id: generateKeyId(),
        secretHash: hashSecret(secret),
      });
      if (rotated === undefined)
        throw new DomainError('conflict', `API key ${id} is revoked or expired`, { id });
      noted(caller, 'api_key.rotate', rotated.created, { replaces: id });
      await spread(id);
      return { created: { ...rotated.created, secret }, revoked: { id, revokedAt: rotated.revokedAt } };
    },
  };
}
