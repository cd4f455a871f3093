// The results that are no longer what would be made now, with what has changed, and the way to make them anew.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import { useSession } from '../../frame/session.tsx';
import type { StaleResultsQuery, StaleResultsQueryVariables } from '../../generated/api.ts';
import { projectFilter } from '../../parts/project-filter.ts';
import { STALE_CHANGE, StaleReasons } from '../../parts/stale-reasons.tsx';
import { Fault } from '../../parts/states.tsx';
import { agoText } from '../../parts/text.ts';
import { EntityLink, Given } from '../../parts/value.tsx';

const STALE = operation<StaleResultsQuery, StaleResultsQueryVariables>(
  /* GraphQL */ `
    query StaleResults($filter: String) {
      stale(filter: $filter, limit: 5) {
        isComplete
        nextCursor
        items {
          entityId
          entityType
          since
          staleness {
            reasons {
              ...StaleChange
            }
          }
        }
      }
    }
  `,
  STALE_CHANGE,
);
type Result = StaleResultsQuery['stale']['items'][number];

/** While the server still looks at what has changed. */
const SOON_MS = 3000;
const LATER_MS = 60_000;
const lookAgain = ({ stale: { isComplete } }: StaleResultsQuery): number => (isComplete ? LATER_MS : SOON_MS);

const Item = ({
  result: { entityId, entityType, since, staleness },
}: {
  readonly result: Result;
}): ReactNode => (
  <li>
    <div>
      <EntityLink id={entityId} />{' '}
      <span className="quiet small">
        <Given text={entityType} />
        {since !== null && <>, found {agoText(since)}</>}
      </span>
      <StaleReasons reasons={staleness.reasons} most={2} />
    </div>
  </li>
);

export function StaleResults(): ReactNode {
  const { at, project } = useAddress();
  const { is } = useSession();
  const filter = project === undefined ? null : projectFilter(project);
  const { data, error, reload } = useQuery(STALE, { filter }, { at, everyMs: lookAgain });
  if (error !== undefined) return <Fault error={error} onRetry={reload} />;
  if (data === undefined) return null;
  const { items, nextCursor, isComplete } = data.stale;
  if (items.length === 0 && nextCursor === null) return null;
  return (
    <section className="notice warn" aria-labelledby="stale-results">
      <div className="row apart">
        <h2 id="stale-results">Stale results</h2>
        {at === undefined && (
          <Link to="refresh" className="button first">
            {is('analyst') ? 'Refresh …' : 'See how they are made anew'}
          </Link>
        )}
      </div>
      <p>
        They{' '}
        {at === undefined ? 'are no longer what would be made now' : 'were no longer what would be made then'}
        .
      </p>
      <ul className="list">
        {items.map((result) => (
          <Item key={result.entityId} result={result} />
        ))}
      </ul>
      {nextCursor !== null && (
        <p className="quiet small">
          {items.length === 0
            ? 'None among the latest productions of then; not all were looked at.'
            : 'There are more.'}
        </p>
      )}
      {!isComplete && (
        <p className="quiet small" role="status">
          What has changed is still being looked at.
        </p>
      )}
    </section>
  );
}
