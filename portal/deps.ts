// Declares what the pages need from the platform. The platform makes all decisions; the pages only display
// them.
import type { CheckHost } from '../platform/allowed-hosts.ts';
import type { Identity } from '../platform/identity.ts';

export interface PendingDevice {
  /** The code without its dash. */
  readonly userCode: string;
  readonly clientId: string;
}

/** A client's request to the user at the authorization endpoint. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
}

/** One sign-in attempt at the identity provider. Its values are derived from the browser's session cookie. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface ProviderPort {
  /** The provider's host name, as shown to the user. */
  readonly name: string;
  begin(attempt: Attempt, returnTo: string): Promise<URL>;
  /** @throws DomainError `invalid_token`, `insufficient_role` */
  complete(currentUrl: URL, attempt: Attempt): Promise<Identity>;
}

/** What a session is opened with. */
export interface Opening {
  readonly identity: Identity;
  /** A local account: its current roles and projects apply. */
  readonly isLocal: boolean;
  /** The API key that asked for the session, which ends with it. */
  readonly keyId: string | null;
}

/** Sessions by the value of the browser's cookie. Without a stored session, the user is not signed in. */
export interface SessionPort {
  find(cookie: string): Promise<Identity | undefined>;
  /** Opens a session for `cookie` and ends the session that it replaces. */
  open(cookie: string, replaces: string | undefined, opening: Opening): Promise<void>;
  end(cookie: string): Promise<void>;
}

export interface PortalDeps {
  /** Base URL of all pages, without a trailing slash. */
  readonly issuer: () => string;
  /** @throws DomainError `misdirected_request` for a host name that is not served here */
  readonly checkHost: CheckHost;
  readonly sessions: SessionPort;
  /** Signs in to a local account with a password. */
  signIn(
    name: string,
    password: string,
    ip: string,
    requestId: string,
  ): Promise<Identity | 'wrong' | 'later'>;
  /** Consumes the code of a sign-in link; undefined where it is unknown, used or expired. */
  takeLink(code: string, requestId: string): Promise<Opening | undefined>;
  readonly provider: ProviderPort | undefined;
  /**
   * Checks a code that a signed-in user has entered; `locked` after too many wrong entries in the session.
   */
  enterUserCode(cookie: string, typed: string): Promise<PendingDevice | 'wrong' | 'locked'>;
  /** Resolves to false where the code was already decided or has expired. */
  decideDevice(userCode: string, by: Identity, isApproved: boolean): Promise<boolean>;
  readonly authorization: {
    /**
     * Returns the request of a query string, or the client's redirect URL with the error.
     * @throws DomainError `invalid_request` where the redirect URL cannot be trusted
     */
    read(search: string): AuthorizationRequest | { readonly redirect: string };
    /** Returns the client's redirect URL with a code, or with the denial. @throws as `read` */
    decide(search: string, by: Identity, isApproved: boolean): Promise<string>;
  };
}
