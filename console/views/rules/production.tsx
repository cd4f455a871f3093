// One production: its plan, its log while it runs, what it made.
import { type ReactNode, useState } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useFollow, useQuery } from '../../api/use-api.ts';
import { ActionButton } from '../../frame/action-button.tsx';
import { Missing, Page } from '../../frame/page.tsx';
import type {
  CancelProductionMutation,
  CancelProductionMutationVariables,
  ProductionProgressSubscription,
  ProductionProgressSubscriptionVariables,
  ProductionQuery,
  ProductionQueryVariables,
} from '../../generated/api.ts';
import { LogBox, type LogLine } from '../../parts/log-box.tsx';
import { STALE_CHANGE } from '../../parts/stale-reasons.tsx';
import { StillTrue, WHETHER_STALE } from '../../parts/still-true.tsx';
import { isUnderWay, Status } from '../../parts/status.tsx';
import { Fault, Shown } from '../../parts/states.tsx';
import { durationText, membersText, messageOf } from '../../parts/text.ts';
import { AskAgain } from '../../parts/ask-again.tsx';
import { EntityLink, Given, Instant, Json } from '../../parts/value.tsx';
import { Why } from '../why/why.tsx';
import { Plan, RuleLink } from './plan.tsx';

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
        images {
          image
          digest
        }
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
          ...WhetherStale
        }
      }
    }
  `,
  WHETHER_STALE,
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
const PROGRESS = operation<ProductionProgressSubscription, ProductionProgressSubscriptionVariables>(
  /* GraphQL */ `
    subscription ProductionProgress($id: ID!) {
      productionProgress(id: $id) {
        status
        rule
        runner
        log
        startedAt
        finishedAt
      }
    }
  `,
);
type Production = NonNullable<ProductionQuery['production']>;

type Progress = ProductionProgressSubscription['productionProgress'];

/** Its log is the end of it: lines have no numbers of their own. */
const linesOf = (log: string): readonly LogLine[] =>
  log
    .trimEnd()
    .split('\n')
    .map((text, key) => ({ key, text }));

function Log({
  id,
  log,
  isLive,
}: {
  readonly id: string;
  readonly log: string | null;
  readonly isLive: boolean;
}): ReactNode {
  return (
    <section className="stack" aria-labelledby="log">
      <h2 id="log">Log</h2>
      {log === null || log === '' ? (
        <p className="quiet">{isLive ? 'It has not begun yet.' : 'Nothing was logged.'}</p>
      ) : (
        <LogBox
          label="Log of the production"
          file={`production-${id}.log`}
          lines={linesOf(log)}
          isLive={isLive}
        />
      )}
    </section>
  );
}

/** The entity that is refreshed with its production. */
const madeOf = ([id]: readonly string[]): { readonly id?: string } => (id === undefined ? {} : { id });

function About({ production }: { readonly production: Production }): ReactNode {
  const { at } = useAddress();
  const {
    criteria,
    rule,
    runner,
    images,
    requestedBy,
    requestedAt,
    startedAt,
    finishedAt,
    entityIds,
    inputs,
  } = production;
  return (
    <section className="card" aria-label="About the production">
      <dl className="facts">
        <dt>asked for</dt>
        <dd>
          <Given text={membersText(criteria)} />
        </dd>
        <dt>asked by</dt>
        <dd>
          <bdi>{requestedBy}</bdi>, <Instant iso={requestedAt} />
        </dd>
        <dt>rule</dt>
        <dd>{rule === null ? <span className="quiet">of another user</span> : <RuleLink of={rule} />}</dd>
        {runner !== null && (
          <>
            <dt>runner</dt>
            <dd>{runner}</dd>
          </>
        )}
        {images !== null && images.length > 0 && (
          <>
            <dt>container images</dt>
            <dd>
              {images.map(({ image, digest }) => (
                <div key={image}>
                  <Given text={image} /> {digest !== null && !image.endsWith(digest) && <code>{digest}</code>}
                </div>
              ))}
            </dd>
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
  const { at } = useAddress();
  const { id, entityType, error, plan, staleness, entityIds } = production;
  const [live, setLive] = useState<Progress>();
  const lost = useFollow(
    PROGRESS,
    { id },
    ({ productionProgress }) => {
      setLive(productionProgress);
      if (!isUnderWay(productionProgress)) reload();
    },
    { skip: at !== undefined || !isUnderWay(production), onMissed: reload },
  );
  const now = isUnderWay(production) ? { ...production, ...live } : production;
  const { status, log } = now;
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
          <Link to="lineage" params={{ id: `production/${id}` }} className="button">
            Lineage
          </Link>
          <Link to="compare" params={{ of: 'production', one: id }} className="button">
            Compare
          </Link>
          {!isUnderWay(now) && <AskAgain of={now} />}
          {isUnderWay(now) && (
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
      {lost && <Fault error={lost} onRetry={reload} />}
      {error !== null && <p className="notice alarm">{messageOf(error)}</p>}
      {staleness !== null && <StillTrue staleness={staleness} {...madeOf(entityIds)} />}
      <div className="columns">
        <About production={now} />
        <section className="stack" aria-label="Plan">
          <Plan plan={plan} />
        </section>
      </div>
      <Log id={id} log={log} isLive={at === undefined && isUnderWay(now)} />
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
  const first = useQuery(PRODUCTION, { id }, { at });
  return (
    <Shown answer={first} what="the production">
      {({ production }) =>
        production === null ? (
          <Missing
            title={at === undefined ? 'There is no such production' : 'There was no such production then'}
          />
        ) : (
          <One key={`${production.id} ${at ?? ''}`} production={production} reload={first.reload} />
        )
      }
    </Shown>
  );
}
