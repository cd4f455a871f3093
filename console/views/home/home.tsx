// Home: what there is, what is going on, and what needs attention.
import type { ReactNode } from 'react';
import { operation } from '../../api/operation.ts';
import { COMMAND, IS_BUILT } from '../../api/place.ts';
import { useQuery } from '../../api/use-api.ts';
import { Link, useAddress } from '../../address/address.tsx';
import { Page } from '../../frame/page.tsx';
import type { HomeQuery, HomeTypesQuery } from '../../generated/api.ts';
import { LISTED_RUN, RunItems } from '../../parts/run-items.tsx';
import { Status } from '../../parts/status.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { agoText, plural } from '../../parts/text.ts';
import { Given } from '../../parts/value.tsx';
import { Attention } from './attention.tsx';
import { Changes } from './changes.tsx';
import { Counts } from './counts.tsx';
import { FirstQuarter } from './first-quarter.tsx';
import { StaleResults } from './stale-results.tsx';

const TYPES = operation<HomeTypesQuery>(/* GraphQL */ `
  query HomeTypes {
    schemas {
      name
      description
      parent
    }
  }
`);
const HOME = operation<HomeQuery>(
  /* GraphQL */ `
    query Home {
      runs(limit: 6) {
        total
        runs {
          ...ListedRun
        }
      }
      productions(limit: 6) {
        total
        productions {
          id
          entityType
          status
          requestedAt
        }
      }
    }
  `,
  LISTED_RUN,
);

function FirstSteps(): ReactNode {
  return (
    <Empty title="There is nothing here yet">
      {IS_BUILT ? (
        <>
          <p>A type says which fields its entities have. An administrator registers one:</p>
          <pre className="code">{COMMAND} schemas --help</pre>
        </>
      ) : (
        <>
          <p>
            A type says which fields its entities have. Register one, or load the example: 3,526 entities of
            the 1000 Genomes Project.
          </p>
          <pre className="code">npm run example</pre>
        </>
      )}
      <p className="small">In a terminal on this machine. Then reload this page.</p>
    </Empty>
  );
}

const Runs = ({ data: { runs } }: { readonly data: HomeQuery }): ReactNode => (
  <section className="card" aria-labelledby="home-runs">
    <header>
      <h2 id="home-runs">Runs</h2>
      <Link to="runs" className="small">
        {plural(runs.total, 'run')}
      </Link>
    </header>
    {runs.runs.length === 0 ? (
      <p className="quiet">None yet. Triggers in the configuration start them.</p>
    ) : (
      <RunItems runs={runs.runs} />
    )}
  </section>
);

const Productions = ({ data: { productions } }: { readonly data: HomeQuery }): ReactNode => (
  <section className="card" aria-labelledby="home-productions">
    <header>
      <h2 id="home-productions">Productions</h2>
      <Link to="rules" params={{ tab: 'productions' }} className="small">
        {plural(productions.total, 'production')}
      </Link>
    </header>
    {productions.productions.length === 0 ? (
      <p className="quiet">
        None yet. <Link to="ask">Ask for an artifact</Link>, and a rule makes it.
      </p>
    ) : (
      <ul className="list">
        {productions.productions.map((one) => (
          <li key={one.id}>
            <span className="row">
              <Status of={one.status} />
              <Link to="production" params={{ id: one.id }}>
                <Given text={one.entityType} />
              </Link>
            </span>
            <span className="quiet small">{agoText(one.requestedAt)}</span>
          </li>
        ))}
      </ul>
    )}
  </section>
);

export default function Home(): ReactNode {
  const { at } = useAddress();
  const types = useQuery(TYPES, {}, { everyMs: 60_000 });
  const answer = useQuery(HOME, {}, { everyMs: 15_000, at });
  return (
    <Page title="Home" about="What this platform holds, what it is doing, and what needs somebody.">
      <Shown answer={types} what="the types">
        {({ schemas }) => (
          <>
            <Attention />
            <StaleResults />
            {schemas.length === 0 ? <FirstSteps /> : <Counts types={schemas} at={at} />}
            <FirstQuarter types={schemas} />
            <div className="columns">
              <Changes />
              <div className="stack">
                <Shown answer={answer} what="runs and productions">
                  {(data) => (
                    <>
                      <Runs data={data} />
                      <Productions data={data} />
                    </>
                  )}
                </Shown>
              </div>
            </div>
          </>
        )}
      </Shown>
    </Page>
  );
}
