// The state of a view is in its address: `/console/<view>?…`. Links keep the chosen time
// and project.
import {
  type AnchorHTMLAttributes,
  createContext,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { BASE } from '../api/place.ts';

export type Changes = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface Address {
  /** The name of the view; empty for the home page. */
  readonly view: string;
  readonly params: URLSearchParams;
  /** The chosen instant; undefined for the present. */
  readonly at: string | undefined;
  /** The chosen project; undefined for all. */
  readonly project: string | undefined;
  /** Changes parameters of this view; `undefined` removes one. */
  readonly set: (changes: Changes, options?: { readonly replace?: boolean }) => void;
  readonly go: (href: string) => void;
}

/** Places in a list, which are none in the list of another time or project. */
const PLACES = { page: undefined, row: undefined, cursor: undefined } as const;

function apply(params: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    for (const one of [value].flat()) if (one !== undefined && one !== '') next.append(name, one);
  }
  return next;
}

const hrefOf = (view: string, params: URLSearchParams): string =>
  BASE + (view === '' ? '' : `/${view}`) + (params.size === 0 ? '' : `?${params.toString()}`);

const read = (): { view: string; params: URLSearchParams } => ({
  view: location.pathname.slice(BASE.length).replace(/^\/|\/$/g, ''),
  params: new URLSearchParams(location.search),
});

const Context = createContext<Address | undefined>(undefined);

export function AddressProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [{ view, params }, setPlace] = useState(read);
  useEffect(() => {
    const follow = (): void => {
      setPlace(read());
    };
    addEventListener('popstate', follow);
    return () => {
      removeEventListener('popstate', follow);
    };
  }, []);
  const go = useCallback((href: string) => {
    history.pushState(null, '', href);
    setPlace(read());
    scrollTo(0, 0);
  }, []);
  const set = useCallback<Address['set']>((changes, { replace = false } = {}) => {
    const now = read();
    const isOther = 'at' in changes || 'project' in changes;
    const href = hrefOf(now.view, apply(now.params, isOther ? { ...PLACES, ...changes } : changes));
    if (replace) history.replaceState(null, '', href);
    else history.pushState(null, '', href);
    setPlace(read());
  }, []);
  const address = useMemo<Address>(
    () => ({
      view,
      params,
      at: params.get('at') ?? undefined,
      project: params.get('project') ?? undefined,
      set,
      go,
    }),
    [view, params, set, go],
  );
  return <Context.Provider value={address}>{children}</Context.Provider>;
}

export function useAddress(): Address {
  const address = useContext(Context);
  if (address === undefined) throw new Error('useAddress outside of AddressProvider');
  return address;
}

/** The address of a view; the chosen time and project go along, unless others are given. */
export function useHref(): (view: string, params?: Changes) => string {
  const { at, project } = useAddress();
  return useCallback(
    (view, params = {}) => hrefOf(view, apply(new URLSearchParams(), { at, project, ...params })),
    [at, project],
  );
}

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  readonly to: string;
  readonly params?: Changes;
}

const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** A link to a view of the console: a real one, which opens in a new tab as well. */
export function Link({ to, params, onClick, children, ...others }: LinkProps): ReactNode {
  const { go } = useAddress();
  const href = useHref()(to, params);
  return (
    <a
      {...others}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (!isPlain(event) || event.defaultPrevented) return;
        event.preventDefault();
        go(href);
      }}
    >
      {children}
    </a>
  );
}
