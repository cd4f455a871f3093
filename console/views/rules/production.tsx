// One production: its plan, its log while it runs, what it made.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import { ActionButton } from '../../frame/action-button.tsx';
import { Missing, Page } from '../../frame/page.tsx';
import type {
  CancelProductionMutation,
  CancelProductionMutationVariables,
  ProductionQuery,
  ProductionQueryVariables,
} from '../../generated/api.ts';
import { STALE_CHANGE } from '../../parts/stale-reasons.tsx';
import { StillTrue } from '../../parts/still-true.tsx';
import { isUnderWay, Status } from '../../parts/status.tsx';
import { Shown } from '../../parts/states.tsx';
import { cut, durationText } from '../../parts/text.ts';
import { EntityLink, Given, Instant, Json } from '../../parts/value.tsx';
import { Why } from '../why/why.tsx';
import { Plan } from './plan.tsx';

const PRODUCTION = operation<ProductionQuery, ProductionQueryVariables>(
  /* GraphQL */ `
    query Production($id: ID!) {
      production(id: $id) {
        id
        entityType
        status
        criteria
        parameters
        rule
        runner
        plan
        inputs
        log
        error
        entityIds
        requestedBy
        requestedAt
        startedAt
        finishedAt
        staleness {
          isStale
          isComplete
          reasons {
            ...StaleChange
          }
        }
      }
    }
  `,
  STALE_CHANGE,
);
const CANCEL_PRODUCTION = operation<CancelProductionMutation, CancelProductionMutationVariables>(
  /* GraphQL */ `
    mutation CancelProduction($id: ID!) {
      cancelProduction(id: $id) {
        id
        status
      }
    }
  `,
);
type Production = NonNullable<ProductionQuery['production']>;

/** Milliseconds between two looks at a production that is under way. */
const LOOK_MS = 1500;
const lookAgain = ({ production }: ProductionQuery): number =>
  production !== null && isUnderWay(production) ? LOOK_MS : 0;

const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : JSON.stringify(error);

/** The entity that is refreshed with its production. */
const madeOf = ([id]: readonly string[]): { readonly id?: string } => (id === undefined ? {} : { id });

function About({ production }: { readonly production: Production }): ReactNode {
  const { at } = useAddress();
  const { criteria, rule, runner, requestedBy, requestedAt, startedAt, finishedAt, entityIds, inputs } =
    production;
  return (
    <section className="card" aria-label="About the production">
      <dl className="facts">
        <dt>asked for</dt>
        <dd>
          <code>{JSON.stringify(criteria)}</code>
        </dd>
        <dt>asked by</dt>
        <dd>
          <bdi>{requestedBy}</bdi>, <Instant iso={requestedAt} />
        </dd>
        <dt>rule</dt>
        <dd>{rule === null ? <span className="quiet">of another user</span> : <Given text={rule} />}</dd>
        {runner !== null && (
          <>
            <dt>runner</dt>
            <dd>{runner}</dd>
          </>
        )}
        {startedAt !== null && (
          <>
            <dt>took</dt>
            <dd>{durationText(startedAt, finishedAt ?? at)}</dd>
          </>
        )}
        {entityIds.length > 0 && (
          <>
            <dt>made</dt>
            <dd>
              {entityIds.map((id) => (
                <div key={id}>
                  <EntityLink id={id} />
                </div>
              ))}
            </dd>
          </>
        )}
      </dl>
      <details>
        <summary>Inputs of its workflow</summary>
        <Json value={inputs} />
      </details>
    </section>
  );
}

function One({
  production,
  reload,
}: {
  readonly production: Production;
  readonly reload: () => void;
}): ReactNode {
  const { id, entityType, status, log, error, plan, staleness, entityIds } = production;
  return (
    <Page
      crumb={
        <Link to="rules" params={{ tab: 'productions' }}>
          Productions
        </Link>
      }
      title={
        <>
          <Given text={entityType} /> <Status of={status} />
        </>
      }
      about={<code>{id}</code>}
      actions={
        <>
          <Link to="compare" params={{ of: 'production', one: id }} className="button">
            Compare
          </Link>
          {isUnderWay(production) && (
            <ActionButton
              action={CANCEL_PRODUCTION}
              variables={{ id }}
              role="analyst"
              isDanger
              onDone={reload}
            >
              Cancel
            </ActionButton>
          )}
        </>
      }
    >
      {error !== null && <p className="notice alarm">{messageOf(error)}</p>}
      {staleness !== null && <StillTrue staleness={staleness} {...madeOf(entityIds)} />}
      <div className="columns">
        <About production={production} />
        <section className="stack" aria-label="Plan">
          <Plan plan={plan} />
        </section>
      </div>
      <section className="stack" aria-labelledby="log">
        <h2 id="log">Log</h2>
        {log === null ? (
          <p className="quiet">{isUnderWay(production) ? 'It has not begun yet.' : 'Nothing was logged.'}</p>
        ) : (
          <pre className="log" tabIndex={0}>
            {cut(log.slice(-100_000), 100_000)}
          </pre>
        )}
      </section>
      <section className="stack" aria-labelledby="why">
        <h2 id="why">Why it was made</h2>
        <Why subject={`production:${id}`} />
      </section>
    </Page>
  );
}

export default function ProductionView(): ReactNode {
  const { at, params } = useAddress();
  const id = params.get('id') ?? '';
  const first = useQuery(PRODUCTION, { id }, { everyMs: lookAgain, at });
  return (
    <Shown answer={first} what="the production">
      {({ production }) =>
        production === null ? (
          <Missing
            title={at === undefined ? 'There is no such production' : 'There was no such production then'}
          />
        ) : (
          <One production={production} reload={first.reload} />
        )
      }
    </Shown>
  );
}
