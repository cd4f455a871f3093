// Administration: keys, the health of the components, and whether they agree.
import type { ReactNode } from 'react';
import { Page, useTab } from '../../frame/page.tsx';
import { useSession } from '../../frame/session.tsx';
import { Empty } from '../../parts/states.tsx';
import { Consistency } from './consistency.tsx';
import { Health } from './health.tsx';
import { Keys } from './keys.tsx';

const TABS = [
  { key: 'health', title: 'Health' },
  { key: 'keys', title: 'API keys' },
  { key: 'consistency', title: 'Consistency' },
] as const;

const NotAllowed = ({ role }: { readonly role: string }): ReactNode => (
  <Empty title={`This needs the role ${role}`}>
    <p>An administrator can give it to you.</p>
  </Empty>
);

function Tabs({ tab }: { readonly tab: string }): ReactNode {
  const { is } = useSession();
  if (tab === 'keys') return is('analyst') ? <Keys /> : <NotAllowed role="analyst" />;
  if (tab === 'consistency') return is('admin') ? <Consistency /> : <NotAllowed role="admin" />;
  return <Health />;
}

export default function Administration(): ReactNode {
  const [tab, bar] = useTab(TABS);
  return (
    <Page
      title="Administration"
      about="Who may come in with a key, whether everything works, and whether it agrees."
    >
      {bar}
      <Tabs tab={tab} />
    </Page>
  );
}
