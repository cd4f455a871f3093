// Who is signed in, and what they may do. What somebody may not do is not offered; the server decides.
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { onSignedOut, signOut } from '../api/client.ts';
import { operation } from '../api/operation.ts';
import { BASE, COMMAND, SIGN_IN, urlOf } from '../api/place.ts';
import { useQuery } from '../api/use-api.ts';
import type { MeQuery, Role } from '../generated/api.ts';
import { Fault, Loading } from '../parts/states.tsx';
import { forgetVerification } from '../parts/store-verification.ts';
import { forgetToldLoads } from '../parts/told-loads.ts';
import { forgetRefresh } from '../parts/told-refresh.ts';

const ME = operation<MeQuery>(/* GraphQL */ `
  query Me {
    me {
      actor
      roles
      projects
    }
  }
`);

const RANK: Readonly<Record<Role, number>> = { service: 0, viewer: 1, analyst: 2, project_lead: 3, admin: 4 };

export interface Session {
  readonly actor: string;
  readonly roles: readonly Role[];
  readonly projects: readonly string[] | null;
  /** Whether one of the roles is at least this one. */
  readonly is: (role: Exclude<Role, 'service'>) => boolean;
  readonly end: () => void;
}

const Context = createContext<Session | undefined>(undefined);

/**
 * Other tabs learn of a sign-out at once, and of a sign-in who it is: all tabs have the one session. A page
 * that was loaded before an upgrade of the server takes whatever is said on the first channel for a sign-out.
 */
const signOuts = new BroadcastChannel('cairn-session');
const signIns = new BroadcastChannel('cairn-signed-in');

const signInHref = (): string =>
  urlOf(
    `portal/sign-in?${new URLSearchParams({ continue: location.pathname.slice(BASE.length - '/console'.length) + location.search }).toString()}`,
  );

const WAYS: Readonly<Record<typeof SIGN_IN, ReactNode>> = {
  sessions: (
    <>
      <p>
        On the machine where the server runs, <code>{COMMAND} open</code> prints a link that opens this
        console, signed in.
      </p>
      <p>
        <a className="button first" href={signInHref()}>
          Sign in
        </a>
      </p>
    </>
  ),
  keys: (
    <p>
      This server accepts API keys only (<code>auth.mode: api_key</code>): nobody can sign in with a browser.
      The console needs <code>auth.mode: oauth2</code>.
    </p>
  ),
  nobody: <p>The server does not answer as expected. Reload the page.</p>,
};

function SignedOut({ wasSignedIn }: { readonly wasSignedIn: boolean }): ReactNode {
  return (
    <main className="signin" id="main">
      <div className="card">
        <h1>{wasSignedIn ? 'Your session has ended' : 'Sign in to Cairn'}</h1>
        {wasSignedIn && <p className="quiet">Sign in again; you come back to this view.</p>}
        {WAYS[SIGN_IN]}
      </div>
    </main>
  );
}

const isSignedOut = (code: string | undefined): boolean =>
  code === 'missing_token' ||
  code === 'invalid_token' ||
  code === 'revoked_token' ||
  code === 'expired_token';

export function SessionProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const { data, error, isLoading, reload } = useQuery(ME, {}, { quiet: true });
  const [hasEnded, setEnded] = useState(false);
  useEffect(() => {
    const end = (): void => {
      setEnded(true);
    };
    signOuts.addEventListener('message', end);
    const forget = onSignedOut(end);
    return () => {
      signOuts.removeEventListener('message', end);
      forget();
    };
  }, []);
  const me = data?.me;
  const who = me && JSON.stringify([me.actor, me.roles, me.projects ?? null]);
  useEffect(() => {
    const hear = ({ data: told }: MessageEvent<unknown>): void => {
      setEnded(false);
      if (told !== who) reload();
    };
    signIns.addEventListener('message', hear);
    if (who !== undefined) signIns.postMessage(who);
    return () => {
      signIns.removeEventListener('message', hear);
    };
  }, [who, reload]);
  const session = useMemo<Session | undefined>(
    () =>
      me && {
        actor: me.actor,
        roles: me.roles,
        projects: me.projects ?? null,
        is: (role) => me.roles.some((held) => RANK[held] >= RANK[role]),
        end: () => {
          forgetToldLoads();
          forgetVerification();
          forgetRefresh();
          void signOut().then(() => {
            signOuts.postMessage('ended');
            location.assign(urlOf('portal/sign-in?continue=/console'));
          });
        },
      },
    [me],
  );
  if (isLoading && session === undefined) return <Loading what="the console" />;
  if (hasEnded || isSignedOut(error?.code)) return <SignedOut wasSignedIn={session !== undefined} />;
  if (session === undefined)
    return (
      <main className="signin" id="main">
        {error && <Fault error={error} />}
      </main>
    );
  return <Context.Provider value={session}>{children}</Context.Provider>;
}

export function useSession(): Session {
  const session = useContext(Context);
  if (session === undefined) throw new Error('useSession outside of SessionProvider');
  return session;
}
