// The head of a view: its title, what it is, and what can be done.
import { type ReactNode, useCallback } from 'react';
import { Link, useAddress } from '../address/address.tsx';
import { Empty } from '../parts/states.tsx';

interface Props {
  readonly title: ReactNode;
  readonly crumb?: ReactNode;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export const Page = ({ title, crumb, about, actions, children }: Props): ReactNode => (
  <div className="stack wide">
    <div className="head">
      <div>
        {crumb !== undefined && <p className="crumb">{crumb}</p>}
        <h1>{title}</h1>
        {about !== undefined && about !== null && <p>{about}</p>}
      </div>
      {actions !== undefined && <div className="row">{actions}</div>}
    </div>
    {children}
  </div>
);

/** A view of something that there is not. */
export const Missing = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}): ReactNode => (
  <Page title={title}>
    <Empty title="Nothing to show">
      {children ?? <p>Check the address. What you may not see is not shown either.</p>}
    </Empty>
  </Page>
);

export interface Tab {
  readonly key: string;
  readonly title: string;
}

/** What is shown, whichever part of it. */
const SUBJECT: ReadonlySet<string> = new Set(['id', 'name', 'version']);

/** Tabs that are links: each has an address. The first is the default. Those that are not offered are not shown. */
export function useTab<One extends Tab>(
  tabs: readonly One[],
  isOffered: (tab: One) => boolean = () => true,
): readonly [string, ReactNode] {
  const { view, params } = useAddress();
  const asked = params.get('tab');
  const first = tabs[0]?.key ?? '';
  const now = tabs.find(({ key }) => key === asked)?.key ?? first;
  const kept = Object.fromEntries([...params].filter(([name]) => SUBJECT.has(name)));
  // on a phone they scroll: the one that is shown is in sight
  const showNow = useCallback(
    (nav: HTMLElement | null) => {
      const link = nav?.querySelector(`[data-tab="${now}"]`)?.getBoundingClientRect();
      if (!nav || !link) return;
      const { left, width } = nav.getBoundingClientRect();
      nav.scrollLeft += link.left + link.width / 2 - left - width / 2;
    },
    [now],
  );
  const bar = (
    <nav aria-label="Parts of this view" className="tabs" ref={showNow}>
      {tabs.filter(isOffered).map(({ key, title }) => (
        <Link
          key={key}
          data-tab={key}
          to={view}
          params={{ ...kept, tab: key === first ? undefined : key }}
          {...(key === now ? { 'aria-current': 'page' } : {})}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
  return [now, bar];
}
