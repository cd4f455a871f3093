// Makes the links that open the console signed in: for callers on this machine, as themselves
// (docs/reference/gateway.md#sign-in-links).
import { DomainError } from '../../platform/errors.ts';
import { isLocalRequest } from '../../platform/is-local-request.ts';
import type { Caller, Identity } from '../../platform/identity.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { readCredential } from '../acting/credential.ts';
import type { NoteChange } from '../edge/audit/audit-record.ts';
import type { Route } from '../edge/http/routes.ts';
import { sendJson } from '../edge/http/send-json.ts';
import { generate } from '../tokens/opaque.ts';
import { type createSignInLinkStore, LINK_SECONDS, type Opening } from './sign-in-links.store.ts';
import type { User, UserStore } from './users.store.ts';

export const SIGN_IN_LINK = '/api/v1/gateway/auth/sign-in-link';

export interface SignInLinksOptions {
  readonly links: Pick<ReturnType<typeof createSignInLinkStore>, 'insert'>;
  readonly accounts: Pick<UserStore, 'find'>;
  /** Address of the page that takes the link's code, as this machine reaches it. */
  readonly page: () => string;
  readonly note: NoteChange;
}

/** Whether a credential has all rights of the account: its session will have them. */
const hasRightsOf = ({ roles, projects }: Identity, account: User): boolean =>
  account.roles.every((role) => roles.includes(role)) &&
  (projects === '*' ||
    (account.projects !== '*' && account.projects.every((project) => projects.includes(project))));

/**
 * @throws DomainError `insufficient_role` for a caller that has neither a key nor a local account, or fewer
 * rights than the account
 */
async function openingOf(
  { actor, roles, projects, credential }: Caller,
  accounts: SignInLinksOptions['accounts'],
): Promise<Opening> {
  const identity = { actor, roles, projects };
  const name = credential === undefined ? undefined : readCredential(credential);
  if (name?.kind === 'key') return { identity, isLocal: false, keyId: name.id };
  const account = actor.startsWith('user:') ? await accounts.find(actor.slice('user:'.length)) : undefined;
  if (account === undefined)
    throw new DomainError(
      'insufficient_role',
      'a sign-in link needs an API key or a local account: sign in at the identity provider instead',
    );
  if (!hasRightsOf(identity, account))
    throw new DomainError(
      'insufficient_role',
      'the credential has fewer rights than its account: sign in with the password instead',
    );
  return { identity, isLocal: true, keyId: null };
}

/** @throws DomainError `insufficient_role` for requests of another machine */
async function createLink(ctx: RequestContext, options: SignInLinksOptions): Promise<void> {
  const { links, accounts, page, note } = options;
  if (!isLocalRequest(ctx.req))
    throw new DomainError(
      'insufficient_role',
      'sign-in links are only made for requests from the machine of the server itself',
    );
  const { caller, requestId } = ctx;
  const opening = await openingOf(caller, accounts);
  const { text, hash } = generate('sl_');
  await links.insert(hash, opening);
  note(requestId, caller.actor, { action: 'sign_in_link.create', subject: caller.actor });
  sendJson(ctx, 201, {
    url: `${page()}?code=${text}`,
    actor: caller.actor,
    expires_in: LINK_SECONDS,
  });
}

export const signInLinkRoute = (options: SignInLinksOptions): Route => ({
  method: 'POST',
  path: SIGN_IN_LINK,
  access: 'authenticated',
  handle: (ctx) => createLink(ctx, options),
});
