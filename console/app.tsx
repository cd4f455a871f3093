// Which view an address shows. Each view is a file of its own, loaded when it is first shown.
import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { I18nProvider, RouterProvider } from 'react-aria-components';
import { ApiError } from './api/api-error.ts';
import { ShownRequests } from './api/shown-requests.tsx';
import { AddressProvider, Link, useAddress } from './address/address.tsx';
import { ToPresent } from './frame/in-present.tsx';
import { Layout } from './frame/layout.tsx';
import { Missing } from './frame/page.tsx';
import { SessionProvider } from './frame/session.tsx';
import { Fault, Loading } from './parts/states.tsx';
import { isInstant } from './parts/text.ts';
import { Given } from './parts/value.tsx';

interface View {
  readonly title: string;
  readonly Content: ComponentType;
}

const VIEWS: Readonly<Record<string, View>> = {
  '': { title: 'Home', Content: lazy(() => import('./views/home/home.tsx')) },
  entities: { title: 'Entities', Content: lazy(() => import('./views/entities/entities.tsx')) },
  differences: { title: 'What changed', Content: lazy(() => import('./views/entities/differences.tsx')) },
  entity: { title: 'Entity', Content: lazy(() => import('./views/entity/entity.tsx')) },
  import: { title: 'Import', Content: lazy(() => import('./views/import/import.tsx')) },
  types: { title: 'Types', Content: lazy(() => import('./views/types/types.tsx')) },
  lineage: { title: 'Lineage', Content: lazy(() => import('./views/lineage/lineage.tsx')) },
  why: { title: 'Why', Content: lazy(() => import('./views/why/why-view.tsx')) },
  runs: { title: 'Triggers and runs', Content: lazy(() => import('./views/runs/runs.tsx')) },
  run: { title: 'Run', Content: lazy(() => import('./views/runs/run.tsx')) },
  trigger: { title: 'Trigger', Content: lazy(() => import('./views/runs/trigger.tsx')) },
  rules: { title: 'Rules and productions', Content: lazy(() => import('./views/rules/rules.tsx')) },
  rule: { title: 'Rule', Content: lazy(() => import('./views/rules/rule.tsx')) },
  ask: { title: 'Ask for an artifact', Content: lazy(() => import('./views/rules/ask.tsx')) },
  refresh: { title: 'Stale results', Content: lazy(() => import('./views/refresh/refresh.tsx')) },
  production: { title: 'Production', Content: lazy(() => import('./views/rules/production.tsx')) },
  compare: { title: 'Compare', Content: lazy(() => import('./views/compare/compare.tsx')) },
  admin: { title: 'Administration', Content: lazy(() => import('./views/admin/admin.tsx')) },
};

/** Shows a fault of a view instead of an empty page. */
class Boundary extends Component<{ readonly children: ReactNode }, { readonly error?: ApiError }> {
  override state: { readonly error?: ApiError } = {};

  static getDerivedStateFromError(thrown: unknown): { readonly error: ApiError } {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return {
      error: new ApiError('console', `This view failed: ${message}`, {
        advice: 'Reload the page. If the server was updated meanwhile, that is all it needs.',
        cause: thrown,
      }),
    };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <Fault
        error={error}
        onRetry={() => {
          location.reload();
        }}
      />
    );
  }
}

const Unknown = (): ReactNode => (
  <Missing title="There is no such view">
    <p>
      Check the address, or begin at <Link to="">Home</Link>.
    </p>
  </Missing>
);

/** For an address that was cut, or typed. */
const NoTime = ({ at }: { readonly at: string }): ReactNode => (
  <Missing title="There is no such time">
    <p>
      The address says <Given text={at} most={100} />. Choose a time, or <ToPresent />
    </p>
  </Missing>
);

function Routed(): ReactNode {
  const { view, at } = useAddress();
  const shown = Object.hasOwn(VIEWS, view) ? VIEWS[view] : undefined;
  const Content = shown?.Content ?? Unknown;
  return (
    <Layout title={shown?.title ?? 'Not found'}>
      <Boundary key={view}>
        <Suspense fallback={<Loading what="the view" />}>
          {at === undefined || isInstant(at) ? <Content /> : <NoTime at={at} />}
        </Suspense>
      </Boundary>
    </Layout>
  );
}

/** The component library's links leave the console: downloads, and pages beside it. */
const navigate = (href: string): void => {
  location.assign(href);
};

export const App = (): ReactNode => (
  <I18nProvider locale="en">
    <RouterProvider navigate={navigate}>
      <AddressProvider>
        <ShownRequests>
          <SessionProvider>
            <Routed />
          </SessionProvider>
        </ShownRequests>
      </AddressProvider>
    </RouterProvider>
  </I18nProvider>
);
