// The platform's services for the portal's pages: accounts, sessions, device codes and authorization.
import type { Pool } from 'pg';
import type { PortalDeps, ProviderPort } from '../../portal/deps.ts';
import type { CheckHost } from '../../platform/allowed-hosts.ts';
import { hasNoNul } from '../../platform/queryable.ts';
import { badRequest, DomainError } from '../../platform/errors.ts';
import type { Config } from '../../platform/config/load-config.ts';
import type { Identity } from '../../platform/identity.ts';
import { PATHS } from '../../portal/targets.ts';
import { readCredential } from '../acting/credential.ts';
import type { Verifier } from '../edge/identity/credentials.ts';
import type { Route } from '../edge/http/routes.ts';
import type { NoteChange } from '../edge/audit/audit-record.ts';
import type { TokenAccess } from '../tokens/open-tokens.ts';
import { OAuthError } from '../tokens/oauth-error.ts';
import { hashOf } from '../tokens/opaque.ts';
import { type Parameters, queryParameters } from '../tokens/parameters.ts';
import { createIdentityProvider } from '../users/identity-provider.ts';
import { createPortalSessionStore, type PortalSessionStore } from '../users/portal-sessions.store.ts';
import { createSignIn } from '../users/sign-in.service.ts';
import { createSessionVerifier } from '../users/session-verifier.ts';
import { createSignInLinkStore } from '../users/sign-in-links.store.ts';
import { signInLinkRoute } from '../users/sign-in-links.routes.ts';
import { createSignInStore } from '../users/sign-in.store.ts';
import { accountName } from '../users/users.service.ts';
import { createUserStore } from '../users/users.store.ts';

/** A local account's name is reserved for it: no external identity can take it over. */
function providerPort(
  settings: Config['auth']['identityProvider'],
  sessions: PortalSessionStore,
): ProviderPort | undefined {
  if (settings === undefined) return undefined;
  const provider = createIdentityProvider(settings);
  return {
    name: provider.name,
    begin: (attempt, returnTo) => provider.begin(attempt, returnTo),
    async complete(currentUrl, attempt) {
      const identity = await provider.complete(currentUrl, attempt);
      if (await sessions.hasLocalAccount(identity.actor.slice('user:'.length)))
        throw new DomainError('conflict', `${identity.actor} is a local account; sign in with its password`);
      return identity;
    },
  };
}

/** A malformed query is a fault that cannot be reported to a client. */
function readQuery(search: string): Parameters {
  try {
    return queryParameters(search);
  } catch (fault) {
    if (fault instanceof OAuthError) throw badRequest(fault.message);
    throw fault;
  }
}

/**
 * Tokens are for an account, with the rights that it has whenever they are refreshed. A key may have fewer,
 * and what it opened ends with it.
 * @throws DomainError `insufficient_role` for a session that a key has opened
 */
function assertMayApprove({ credential }: Identity): void {
  if (credential !== undefined && readCredential(credential)?.kind === 'key')
    throw new DomainError(
      'insufficient_role',
      'an API key has opened this session: to connect a device or an application, sign in with a user name and password',
    );
}

export interface PortalSetup {
  readonly deps: PortalDeps;
  /** Accepts the sessions of browsers. */
  readonly verifier: Verifier;
  /** Makes sign-in links. */
  readonly linkRoute: Route;
  readonly hasLocalAccount: (name: string) => Promise<boolean>;
  sweep(): Promise<void>;
}

export interface PortalSetupDeps {
  readonly pool: Pool;
  readonly auth: Config['auth'];
  readonly issuer: () => string;
  /** The server's own address, as this machine reaches it. */
  readonly baseUrl: () => string;
  readonly checkHost: CheckHost;
  readonly note: NoteChange;
}

/**
 * The subject of a failed sign-in: an account by its name; an unknown name may be a password in the wrong
 * field.
 */
const tried = (name: string, isKnown: boolean): string =>
  isKnown ? `user:${name}` : `unknown:${[...name].slice(0, 3).join('')}…`;

export function portalSetup(
  { pool, auth, issuer, baseUrl, checkHost, note }: PortalSetupDeps,
  { devices, authorization }: TokenAccess,
): PortalSetup {
  const sessions = createPortalSessionStore(pool);
  const signIns = createSignInStore(pool);
  const links = createSignInLinkStore(pool);
  const users = createUserStore(pool);
  const signIn = createSignIn(users, signIns);
  const deps: PortalDeps = {
    issuer,
    checkHost,
    sessions: {
      find: (cookie) => sessions.find(hashOf(cookie)),
      open: (cookie, replaces, opening) =>
        sessions.insert({
          hash: hashOf(cookie),
          replaces: replaces === undefined ? null : hashOf(replaces),
          ...opening,
          life: auth.sessionSeconds,
        }),
      end: (cookie) => sessions.delete(hashOf(cookie)),
    },
    async signIn(name, password, ip, requestId) {
      const outcome = await signIn.withPassword(name, password, ip);
      const account = accountName(name);
      if (typeof outcome !== 'string')
        note(requestId, `user:${outcome.name}`, { action: 'sign_in', subject: `user:${outcome.name}` });
      else
        note(requestId, 'anonymous', {
          action: 'sign_in.fail',
          subject: tried(account, hasNoNul(account) && (await users.find(account)) !== undefined),
        });
      return typeof outcome === 'string'
        ? outcome
        : // a local session has its account's rights
          { actor: `user:${outcome.name}`, roles: [], projects: [] };
    },
    async takeLink(code, requestId) {
      const opening = await links.take(hashOf(code));
      if (opening !== undefined)
        note(requestId, opening.identity.actor, { action: 'sign_in', subject: opening.identity.actor });
      return opening;
    },
    provider: providerPort(auth.identityProvider, sessions),
    async enterUserCode(cookie, typed) {
      const session = hashOf(cookie);
      if (!(await sessions.takeEntry(session))) return 'locked';
      const pending = await devices.find(typed);
      if (pending === undefined) return 'wrong';
      await sessions.giveEntryBack(session);
      return pending;
    },
    async decideDevice(userCode, by, isApproved) {
      if (isApproved) assertMayApprove(by);
      return devices.decide(userCode, by, isApproved);
    },
    authorization: {
      read: (search) => authorization.read(readQuery(search)),
      async decide(search, by, isApproved) {
        if (isApproved) assertMayApprove(by);
        const request = authorization.read(readQuery(search));
        return 'redirect' in request ? request.redirect : authorization.decide(request, by, isApproved);
      },
    },
  };
  return {
    deps,
    verifier: createSessionVerifier(sessions, issuer),
    linkRoute: signInLinkRoute({ links, accounts: users, page: () => baseUrl() + PATHS.open, note }),
    hasLocalAccount: (name) => sessions.hasLocalAccount(name),
    async sweep() {
      await links.sweep();
      await sessions.sweep();
      await signIns.sweep();
    },
  };
}
