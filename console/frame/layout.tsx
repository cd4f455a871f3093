// The frame of all views: navigation, the bar above, and who is signed in.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { HAS_DOCS, HAS_EXPLORER, SIGN_IN, urlOf, VERSION } from '../api/place.ts';
import { Icon, Logo } from '../parts/icons.tsx';
import { Menu } from '../parts/overlays.tsx';
import { Link, useAddress } from '../address/address.tsx';
import { chooseScheme, useScheme } from './color-scheme.ts';
import { CopyRequest } from './copy-request.tsx';
import { FrameDialogs } from './frame-dialogs.tsx';
import { LoadBar } from './load-bar.tsx';
import { PAGES } from './pages.ts';
import { Palette } from './palette.tsx';
import { ProjectBar, ProjectControl } from './project-control.tsx';
import { useSession } from './session.tsx';
import { TimeBar, TimeControl } from './time-control.tsx';

function Navigation({ isOpen }: { readonly isOpen: boolean }): ReactNode {
  const { view } = useAddress();
  return (
    <div className={`side${isOpen ? ' open' : ''}`} id="navigation">
      <nav aria-label="Console">
        <Link to="" className="brand">
          <Logo />
          Cairn
        </Link>
        <ul>
          {PAGES.map((page) => (
            <li key={page.view}>
              <Link
                to={page.view}
                {...(page.view === view || page.of.includes(view) ? { 'aria-current': 'page' } : {})}
              >
                <Icon name={page.icon} />
                {page.title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <nav aria-label="Beside the console" className="foot">
        <ul>
          {HAS_EXPLORER && (
            <li>
              <a href={urlOf('graphql')}>
                <Icon name="explorer" />
                GraphQL explorer
              </a>
            </li>
          )}
          {HAS_DOCS && (
            <li>
              <a href={urlOf('api/v1/docs')}>
                <Icon name="docs" />
                REST reference
              </a>
            </li>
          )}
        </ul>
        <p className="quiet small">Cairn {VERSION}</p>
      </nav>
    </div>
  );
}

function SchemeSwitch(): ReactNode {
  const scheme = useScheme();
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <button
      type="button"
      className="button bare"
      aria-label={`Use the ${other} colours`}
      onClick={() => {
        chooseScheme(other);
      }}
    >
      <Icon name={scheme === 'dark' ? 'sun' : 'moon'} />
    </button>
  );
}

function Account(): ReactNode {
  const { actor, roles, projects, end } = useSession();
  const where = projects === null ? 'all projects' : projects.join(', ') || 'no project';
  return (
    <Menu
      label={`Account of ${actor}`}
      icon="user"
      isIconOnly
      choices={[
        { key: 'who', text: `${actor}, ${roles.join(', ')} in ${where}` },
        ...(SIGN_IN === 'sessions'
          ? [
              { key: 'device', text: 'Connect a device …', href: urlOf('device') },
              { key: 'out', text: 'Sign out', onChoose: end },
            ]
          : []),
      ]}
    />
  );
}

/** Longest name of a thing in the title of its page. */
const MAX_TITLE = 80;

export function Layout({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode {
  const { view, params } = useAddress();
  const [isOpen, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const subject = params.get('id') ?? params.get('name') ?? '';
  const about = subject || (params.get('type') ?? params.get('subject') ?? '');
  useEffect(() => {
    // first what tells one tab of a browser, or one line of its history, from another
    document.title = [...(about === '' ? [] : [about.slice(0, MAX_TITLE)]), title, 'Cairn'].join(' · ');
  }, [title, about]);
  useEffect(() => {
    setOpen(false);
    // those who read with a screen reader begin at the new view
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
  }, [view, subject]);
  return (
    <FrameDialogs>
      <div className="frame">
        <a className="skip" href="#main">
          Skip to the content
        </a>
        <Navigation isOpen={isOpen} />
        <header className="top">
          <div className="topbar">
            <button
              type="button"
              className="button bare menu-toggle"
              aria-label="Navigation"
              aria-expanded={isOpen}
              aria-controls="navigation"
              onClick={() => {
                setOpen(!isOpen);
              }}
            >
              <Icon name="menu" />
            </button>
            <Palette />
            <span className="grow" />
            <ProjectControl />
            <TimeControl />
            <CopyRequest />
            <SchemeSwitch />
            <Account />
          </div>
          <LoadBar />
          <TimeBar />
          <ProjectBar />
        </header>
        <main id="main" tabIndex={-1} ref={main}>
          {children}
        </main>
      </div>
    </FrameDialogs>
  );
}
