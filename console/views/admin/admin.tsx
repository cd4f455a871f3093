// Administration: keys, the health of the components, whether they agree, and who did what.
import type { ComponentType, ReactNode } from 'react';
import { Page, type Tab, useTab } from '../../frame/page.tsx';
import { type Session, useSession } from '../../frame/session.tsx';
import { Empty } from '../../parts/states.tsx';
import { Audit } from './audit.tsx';
import { Backups } from './backups.tsx';
import { Configuration } from './configuration.tsx';
import { Clients } from './clients.tsx';
import { Consistency } from './consistency.tsx';
import { Health } from './health.tsx';
import { Keys } from './keys.tsx';
import { Measurements } from './measurements.tsx';
import { Projects } from './projects.tsx';
import { SignIns } from './sign-ins.tsx';
import { Store } from './store.tsx';
import { Users } from './users.tsx';

interface Part extends Tab {
  readonly Content: ComponentType;
  /** Who may see it; it is not offered to others. */
  readonly role: Parameters<Session['is']>[0];
  /** Tells of all projects: a credential that is restricted to some is refused. */
  readonly isOfAll?: boolean;
}

const PARTS: readonly Part[] = [
  { key: 'health', title: 'Health', Content: Health, role: 'viewer' },
  { key: 'measurements', title: 'Measurements', Content: Measurements, role: 'admin', isOfAll: true },
  { key: 'backups', title: 'Backups', Content: Backups, role: 'admin', isOfAll: true },
  { key: 'keys', title: 'API keys', Content: Keys, role: 'analyst' },
  { key: 'sign-ins', title: 'Sign-ins', Content: SignIns, role: 'viewer' },
  { key: 'users', title: 'Users', Content: Users, role: 'admin', isOfAll: true },
  { key: 'clients', title: 'Clients', Content: Clients, role: 'admin', isOfAll: true },
  { key: 'projects', title: 'Projects', Content: Projects, role: 'admin', isOfAll: true },
  { key: 'audit', title: 'Audit', Content: Audit, role: 'admin', isOfAll: true },
  { key: 'configuration', title: 'Configuration', Content: Configuration, role: 'admin', isOfAll: true },
  { key: 'store', title: 'Store', Content: Store, role: 'admin' },
  { key: 'consistency', title: 'Consistency', Content: Consistency, role: 'admin' },
];

const may = ({ is, projects }: Session, { role, isOfAll }: Part): boolean =>
  is(role) && (isOfAll !== true || projects === null);

/** For an address that somebody else has sent. */
const NotAllowed = ({ part: { role, isOfAll } }: { readonly part: Part }): ReactNode => (
  <Empty title={`This needs the role ${role}${isOfAll === true ? ' in all projects' : ''}`}>
    <p>An administrator can give it to you.</p>
  </Empty>
);

export default function Administration(): ReactNode {
  const session = useSession();
  const [tab, bar] = useTab(PARTS, (part) => may(session, part));
  const part = PARTS.find(({ key }) => key === tab);
  return (
    <Page
      title="Administration"
      about="Who may come in, what they did, whether everything works, and whether it agrees."
    >
      {bar}
      {part && (may(session, part) ? <part.Content /> : <NotAllowed part={part} />)}
    </Page>
  );
}
