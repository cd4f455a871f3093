// What the pages need of the platform behind them: all of it decided there, none of it here.
import type { CheckHost } from '../platform/allowed-hosts.ts';
import type { Identity } from '../platform/identity.ts';

export interface PendingDevice {
  /** The code without its dash. */
  readonly userCode: string;
  readonly clientId: string;
}

/** What a client asks of the user at the authorization endpoint. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
}

/** One attempt to sign in at the identity provider: made of the browser's own secret. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface ProviderPort {
  /** As people know it: its host. */
  readonly name: string;
  begin(attempt: Attempt, returnTo: string): Promise<URL>;
  /** @throws DomainError `invalid_token`, `insufficient_role` */
  complete(currentUrl: URL, attempt: Attempt): Promise<Identity>;
}

/** Sessions are named by the browser's cookie; where there is none behind it, nobody is signed in. */
export interface SessionPort {
  find(cookie: string): Promise<Identity | undefined>;
  /** Makes `cookie` a session and ends the one it takes the place of. */
  open(cookie: string, replaces: string | undefined, identity: Identity, isLocal: boolean): Promise<void>;
  end(cookie: string): Promise<void>;
}

export interface PortalPorts {
  /** Base of all addresses, without final slash. */
  readonly issuer: () => string;
  /** @throws DomainError `misdirected_request` for a name that is not served here */
  readonly checkHost: CheckHost;
  readonly sessions: SessionPort;
  /** A local account by its password. */
  signIn(
    name: string,
    password: string,
    ip: string,
    requestId: string,
  ): Promise<Identity | 'wrong' | 'later'>;
  readonly provider: ProviderPort | undefined;
  /** What somebody signed in has typed; `locked` after too many wrong entries of the session. */
  enterUserCode(cookie: string, typed: string): Promise<PendingDevice | 'wrong' | 'locked'>;
  /** False where the code was decided already, or is too old. */
  decideDevice(userCode: string, by: Identity, isApproved: boolean): Promise<boolean>;
  readonly authorization: {
    /** What a query asks, or the client's address with the fault. @throws DomainError `invalid_request` where no address can be trusted */
    read(search: string): AuthorizationRequest | { readonly redirect: string };
    /** The client's address with a code, or with the refusal. @throws as `read` */
    decide(search: string, by: Identity, isApproved: boolean): Promise<string>;
  };
}
