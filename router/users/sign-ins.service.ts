// Who can come in, and the end of their sign-ins (docs/reference/gateway.md#sign-ins).
import { randomUUID } from 'node:crypto';
import type { Config } from '../../platform/config/load-config.ts';
import { notFound } from '../../platform/errors.ts';
import type { Caller, Projects, Role } from '../../platform/identity.ts';
import { checkPage, decodeCursor, instantPart, type Page, pageOf, textPart } from '../../platform/paging.ts';
import { allows, assertAllowed, assertAllProjects } from '../../platform/permissions.ts';
import { hasNoNul } from '../../platform/queryable.ts';
import { keyOfCredential } from '../acting/credential.ts';
import type { NoteChange } from '../edge/audit/audit-record.ts';
import { DEFAULT_CLIENT, DEVICE_GRANT } from '../tokens/clients.ts';
import type { EndedSignIns, KnownActor, SignInInUse, SignInsStore } from './sign-ins.store.ts';

interface PageAsked {
  readonly limit: number;
  readonly cursor: string | null;
}

export interface AuthClient {
  readonly id: string;
  readonly isConfidential: boolean;
  readonly grants: readonly string[];
  readonly roles: readonly Role[];
  readonly projects: readonly string[] | null;
  readonly redirectUris: readonly string[];
  readonly tokens: number;
}

type Ended = EndedSignIns & { readonly actor: string };

export interface SignIns {
  /** @throws DomainError `invalid_request`, `project_scope_denied` */
  actors(page: PageAsked, caller: Caller): Promise<Page<KnownActor>>;
  /** @throws DomainError `project_scope_denied` */
  clients(caller: Caller): Promise<AuthClient[]>;
  /**
   * One's own, or for administrators those of others.
   * @throws DomainError `invalid_request`, `insufficient_role`, `project_scope_denied`
   */
  list(asked: PageAsked & { readonly actor: string | null }, caller: Caller): Promise<Page<SignInInUse>>;
  /** @throws DomainError `not_found`, also for one that the caller may not end */
  end(id: string, caller: Caller): Promise<Ended>;
  /**
   * All of an actor, null for the caller; an API key that is no administrator's ends those that it has opened.
   * @throws DomainError `insufficient_role`, `project_scope_denied`
   */
  endAll(actor: string | null, caller: Caller): Promise<Ended>;
}

export interface SignInsDeps {
  readonly store: SignInsStore;
  readonly clients: Config['auth']['clients'];
  /** Resolves when every process has acknowledged the announcement with that id. */
  readonly spread: (notice: string) => Promise<void>;
  readonly note: NoteChange;
}

const listed = (projects: Projects): readonly string[] | null => (projects === '*' ? null : projects);

function assertManages(caller: Caller): void {
  assertAllowed(caller, 'sign-ins:all');
  assertAllProjects(caller, 'the list of sign-ins');
}

const manages = (caller: Caller): boolean => allows(caller, 'sign-ins:all') && caller.projects === '*';

/** A key has fewer rights than its owner: without an administrator's, it ends what it has opened itself and nothing else. */
const keyOf = (caller: Caller): string | null =>
  manages(caller) ? null : (keyOfCredential(caller.credential) ?? null);

export function createSignIns({ store, clients, spread, note }: SignInsDeps): SignIns {
  const ended = async (
    actor: string,
    subject: string,
    caller: Caller,
    end: (notice: string) => Promise<EndedSignIns>,
  ): Promise<Ended> => {
    const notice = randomUUID();
    const { browsers, tokens } = await end(notice);
    note(caller.requestId, caller.actor, {
      action: 'sign_in.end',
      subject,
      details: { actor, browsers, tokens },
    });
    await spread(notice);
    return { actor, browsers, tokens };
  };
  return {
    async actors({ limit, cursor }, caller) {
      assertManages(caller);
      checkPage({ limit, offset: 0 });
      const [after = null] = decodeCursor(cursor, [textPart]) ?? [];
      const rows = await store.actors(after === null ? null : String(after), limit + 1);
      return pageOf(rows, limit, ({ actor }) => [actor]);
    },
    async clients(caller) {
      assertManages(caller);
      const tokens = await store.countByClient();
      const own = {
        clientId: DEFAULT_CLIENT,
        secret: undefined,
        grants: [DEVICE_GRANT, 'refresh_token'],
        roles: [],
        projects: [],
        redirectUris: [],
      };
      return [own, ...clients].map(({ clientId, secret, grants, roles, projects, redirectUris }) => ({
        id: clientId,
        isConfidential: secret !== undefined,
        grants,
        roles,
        projects: listed(projects),
        redirectUris,
        tokens: tokens.get(clientId) ?? 0,
      }));
    },
    async list({ actor, limit, cursor }, caller) {
      if (actor !== caller.actor) assertManages(caller);
      checkPage({ limit, offset: 0 });
      const [createdAt, id] = decodeCursor(cursor, [instantPart, textPart]) ?? [];
      const after =
        createdAt === undefined || id === undefined ? null : { createdAt: String(createdAt), id: String(id) };
      const isNone = actor !== null && !hasNoNul(actor);
      const rows = isNone ? [] : await store.list(actor, after, limit + 1);
      return pageOf(rows, limit, (row) => [row.createdAt, row.id]);
    },
    async end(id, caller) {
      const found = hasNoNul(id) ? await store.find(id) : undefined;
      const key = keyOf(caller);
      const isOwn = found?.actor === caller.actor && (key === null || found.keyId === key);
      if (found === undefined || !(isOwn || manages(caller))) throw notFound('sign-in', id);
      return ended(found.actor, id, caller, (notice) => store.end(id, notice));
    },
    async endAll(asked, caller) {
      const actor = asked ?? caller.actor;
      if (actor !== caller.actor) assertManages(caller);
      if (!hasNoNul(actor)) throw notFound('actor', actor);
      return ended(actor, actor, caller, (notice) => store.endAll(actor, keyOf(caller), notice));
    },
  };
}
