// Why an entity exists: the production and the runs that made it.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type { MadeByQuery, MadeByQueryVariables } from '../../generated/api.ts';
import { LISTED_RUN, RunItems } from '../../parts/run-items.tsx';
import { STALE_CHANGE } from '../../parts/stale-reasons.tsx';
import { StillTrue, WHETHER_STALE } from '../../parts/still-true.tsx';
import { Status } from '../../parts/status.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { Given, Instant, Json } from '../../parts/value.tsx';

const MADE_BY = operation<MadeByQuery, MadeByQueryVariables>(
  /* GraphQL */ `
    query MadeBy($id: ID!) {
      entity(id: $id) {
        producedBy {
          id
          status
          rule
          requestedBy
          finishedAt
          inputs
        }
        staleness {
          ...WhetherStale
        }
        reuseRefusal {
          reason
          actor
          since
        }
        runs(limit: 20) {
          ...ListedRun
        }
      }
    }
  `,
  LISTED_RUN,
  WHETHER_STALE,
  STALE_CHANGE,
);
type Made = NonNullable<MadeByQuery['entity']>;

const Produced = ({ by }: { readonly by: NonNullable<Made['producedBy']> }): ReactNode => (
  <section className="card" aria-labelledby="produced">
    <header>
      <h2 id="produced">
        Made by{' '}
        <Link to="production" params={{ id: by.id }}>
          a production
        </Link>
      </h2>
      <Status of={by.status} />
    </header>
    <dl className="facts">
      <dt>rule</dt>
      <dd>{by.rule === null ? <span className="quiet">of another user</span> : <Given text={by.rule} />}</dd>
      <dt>asked by</dt>
      <dd>
        <bdi>{by.requestedBy}</bdi>
      </dd>
      {by.finishedAt !== null && (
        <>
          <dt>finished</dt>
          <dd>
            <Instant iso={by.finishedAt} />
          </dd>
        </>
      )}
    </dl>
    <details>
      <summary>Inputs of its workflow</summary>
      <Json value={by.inputs} />
    </details>
  </section>
);

const Runs = ({ runs }: { readonly runs: Made['runs'] }): ReactNode => (
  <section className="card" aria-labelledby="of-runs">
    <h2 id="of-runs">Runs that wrote it</h2>
    <RunItems runs={runs} />
  </section>
);

export function MadeBy({ id }: { readonly id: string }): ReactNode {
  const { at } = useAddress();
  const answer = useQuery(MADE_BY, { id }, { at });
  return (
    <Shown answer={answer} what="what made it">
      {({ entity }) => {
        const { producedBy = null, staleness = null, reuseRefusal = null, runs = [] } = entity ?? {};
        if (producedBy === null && runs.length === 0)
          return (
            <Empty title="No production and no run made it">
              <p>It was written by a person or a program. Its history says by whom.</p>
            </Empty>
          );
        return (
          <div className="stack">
            {reuseRefusal !== null && (
              <p className="notice warn">
                <span>
                  It must not be reused, says <bdi>{reuseRefusal.actor}</bdi>:{' '}
                  <Given text={reuseRefusal.reason} />
                </span>
              </p>
            )}
            {staleness !== null && <StillTrue staleness={staleness} id={id} />}
            {producedBy !== null && <Produced by={producedBy} />}
            {runs.length > 0 && <Runs runs={runs} />}
          </div>
        );
      }}
    </Shown>
  );
}
