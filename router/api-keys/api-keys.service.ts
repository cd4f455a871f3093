// Decides who may create, see, replace and end API keys (docs/reference/gateway.md#api-keys,
// docs/reference/gateway.md#granting-roles, docs/reference/gateway.md#keys-made-with-a-key).
import { badRequest, DomainError, notFound } from '../../platform/errors.ts';
import { type Caller, isRole, type Projects, type Role, ROLES } from '../../platform/identity.ts';
import {
  checkPage,
  decodeCursor,
  instantPart,
  offsetOf,
  type Page,
  pageOf,
  textPart,
} from '../../platform/paging.ts';
import { assertAllowed, assertMayGrant, assertMember } from '../../platform/permissions.ts';
import { hasNoNul } from '../../platform/queryable.ts';
import { assertVisible } from '../../platform/visible-text.ts';
import { keyOfCredential } from '../acting/credential.ts';
import type { NoteChange } from '../edge/audit/audit-record.ts';
import type { ApiKey, ApiKeyStore } from './api-keys.store.ts';
import { readExpiry } from './expiry.ts';
import { generateKeyId, generateSecret, hashSecret } from './key-secret.ts';

export interface KeyRequest {
  readonly label: string;
  readonly role: string;
  readonly project?: string | undefined;
  /** ISO 8601; absent for the expiry of the key that the request comes with, if any. */
  readonly expires?: string | undefined;
  /** The actor of the key, if not its creator: for admins. */
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
  /** Called before keys are listed, so that recent uses are included. */
  readonly flushUses: () => Promise<void>;
  /** Called when a key has ended, before the caller is answered; resolves when all processes know. */
  readonly spread: (keyId: string) => Promise<void>;
  /** Receives changes of keys, with their actor. */
  readonly note?: NoteChange | undefined;
}

/** `user:<name>` or `service:<name>`. */
const ACTOR = /^(?:user|service):[^\s,\p{Cc}\p{Surrogate}]{1,200}$/u;

/** The actor of `user`: `user:<name>`, or a person's bare name. */
const actorNamed = (user: string): string => (user.includes(':') ? user : `user:${user}`);

const isWithin = (projects: Projects, bounds: Projects): boolean =>
  bounds === '*' || (projects !== '*' && projects.every((project) => bounds.includes(project)));

/** Whether a key with the first expiry would outlive one with the second; null for none. */
const outlives = (expires: string | null, bound: string | null): boolean =>
  bound !== null && (expires === null || Date.parse(expires) > Date.parse(bound));

class ApiKeyService implements ApiKeys {
  readonly #options: ApiKeysOptions;

  constructor(options: ApiKeysOptions) {
    this.#options = options;
  }

  async create(
    { label, role, project, expires, owner = undefined }: KeyRequest,
    caller: Caller,
  ): Promise<KeyWithSecret> {
    if (!isRole(role)) throw badRequest(`role must be one of ${ROLES.join(', ')}`, { field: 'role' });
    assertMayGrant(caller, role, 'create an API key');
    if (owner !== undefined && owner !== caller.actor) assertAllowed(caller, 'api-keys:all');
    if (project !== undefined) assertMember(caller, project);
    if (owner !== undefined && !ACTOR.test(owner))
      throw badRequest('owner must be an actor: user:<name> or service:<name>', { field: 'owner' });
    assertVisible('label', label);
    if (project !== undefined) assertVisible('project', project);
    const bound = await this.#ownExpiry(caller);
    const until = expires === undefined ? bound : readExpiry(expires);
    if (outlives(until, bound))
      throw badRequest(`expires must not be after ${bound}, when the key of the request expires`, {
        field: 'expires',
      });
    const actsAs = owner ?? caller.actor;
    const secret = generateSecret();
    const key = await this.#options.store.insert({
      id: generateKeyId(),
      label,
      role,
      project: await this.#projectFor(project, actsAs, role, caller),
      owner: actsAs,
      createdBy: caller.actor,
      expires: until,
      secretHash: hashSecret(secret),
    });
    const madeWith = keyOfCredential(caller.credential);
    this.#noted(caller, 'api_key.create', key, madeWith === undefined ? {} : { made_with: madeWith });
    return { ...key, secret };
  }

  async list({ all = false, user, limit, offset, cursor }: KeyQuery, caller: Caller): Promise<Page<ApiKey>> {
    const asked = user === undefined ? undefined : actorNamed(user);
    if (all || (asked !== undefined && asked !== caller.actor)) assertAllowed(caller, 'api-keys:all');
    checkPage({ limit, offset });
    if (user !== undefined) assertVisible('user', user);
    const [createdAt, id] = decodeCursor(cursor, [instantPart, textPart]) ?? [];
    await this.#options.flushUses();
    const after =
      createdAt === undefined || id === undefined ? null : { createdAt: String(createdAt), id: String(id) };
    const own = all ? null : caller.actor;
    const rows = await this.#options.store.list({
      owner: asked ?? own,
      within: caller.projects === '*' ? null : { actor: caller.actor, projects: caller.projects },
      after,
      limit: limit + 1,
      offset: offsetOf({ offset }, after),
    });
    return pageOf(rows, limit, (key) => [key.createdAt, key.id]);
  }

  async revoke(
    id: string,
    reason: string | undefined,
    caller: Caller,
  ): Promise<{ id: string; revokedAt: string }> {
    const key = await this.#managed(id, caller);
    if (reason !== undefined) assertVisible('reason', reason, { longest: 2000, lines: true });
    const revokedAt = await this.#options.store.revoke(id, caller.actor, reason ?? null);
    if (revokedAt === undefined) throw notFound('API key', id);
    this.#noted(caller, 'api_key.revoke', key);
    await this.#options.spread(id);
    return { id, revokedAt };
  }

  async rotate(id: string, caller: Caller): Promise<Rotation> {
    const key = await this.#managed(id, caller);
    await this.#assertMayRotate(key, caller);
    const secret = generateSecret();
    const rotated = await this.#options.store.rotate(id, caller.actor, {
      id: generateKeyId(),
      secretHash: hashSecret(secret),
    });
    if (rotated === undefined)
      throw new DomainError('conflict', `API key ${id} is revoked or expired`, { id });
    this.#noted(caller, 'api_key.rotate', rotated.created, { replaces: id });
    await this.#options.spread(id);
    return { created: { ...rotated.created, secret }, revoked: { id, revokedAt: rotated.revokedAt } };
  }

  /** A new secret is a new credential: it must not have more rights than the caller. */
  async #assertMayRotate(key: ApiKey, caller: Caller): Promise<void> {
    assertMayGrant(caller, key.role, 'rotate an API key');
    if (!isWithin(await this.#reach(key), caller.projects))
      throw new DomainError(
        'project_scope_denied',
        'the key has more rights than the credential of the request',
        { project: key.project },
      );
    const bound = await this.#ownExpiry(caller);
    if (outlives(key.expires, bound))
      throw new DomainError(
        'conflict',
        `the key of the request expires before API key ${key.id}, at ${bound}`,
        {
          id: key.id,
        },
      );
  }

  /** When the key that the request comes with expires; null for other credentials, and for one that does not. */
  async #ownExpiry({ credential }: Caller): Promise<string | null> {
    const own = keyOfCredential(credential);
    return own === undefined ? null : (await this.#existing(own)).expires;
  }

  #noted(
    { requestId, actor }: Caller,
    action: string,
    { id, owner, role, project, expires }: ApiKey,
    more: Readonly<Record<string, unknown>> = {},
  ): void {
    const details = { owner, role, project, expires, ...more };
    this.#options.note?.(requestId, actor, { action, subject: id, details });
  }

  async #ownProjects(owner: string, role: Role): Promise<Projects> {
    return role === 'admin' || role === 'service' ? '*' : this.#options.store.ownerProjects(owner);
  }

  async #reach({ project, owner, role }: ApiKey): Promise<Projects> {
    return project === null ? this.#ownProjects(owner, role) : [project];
  }

  /** The project of a new key; a key without one must not have more projects than its creator. */
  async #projectFor(
    asked: string | undefined,
    owner: string,
    role: Role,
    caller: Caller,
  ): Promise<string | null> {
    if (asked !== undefined) return asked;
    if (caller.projects === '*' || isWithin(await this.#ownProjects(owner, role), caller.projects))
      return null;
    const [only, another] = caller.projects;
    if (only !== undefined && another === undefined) return only;
    throw badRequest('project is required: name one of your projects', { field: 'project' });
  }

  /** One's own, or another's for administrators: those that reach beyond the caller's projects are absent for them. */
  async #managed(id: string, caller: Caller): Promise<ApiKey> {
    const key = await this.#existing(id);
    if (key.owner === caller.actor) return key;
    assertAllowed(caller, 'api-keys:all');
    if (!isWithin(await this.#reach(key), caller.projects)) throw notFound('API key', id);
    return key;
  }

  async #existing(id: string): Promise<ApiKey> {
    const key = hasNoNul(id) ? await this.#options.store.find(id) : undefined;
    if (key === undefined) throw notFound('API key', id);
    return key;
  }
}

export const createApiKeys = (options: ApiKeysOptions): ApiKeys => new ApiKeyService(options);
