// The latest changes: those before, and each new one as it is committed.
import { type ReactNode, useState } from 'react';
import { operation } from '../../api/operation.ts';
import { useFollow, useQuery } from '../../api/use-api.ts';
import { useAddress } from '../../address/address.tsx';
import type {
  ChangedQuery,
  ChangedQueryVariables,
  ChangesSubscription,
  ChangesSubscriptionVariables,
} from '../../generated/api.ts';
import { Empty, Shown } from '../../parts/states.tsx';
import { agoText } from '../../parts/text.ts';
import { projectFilter } from '../../parts/project-filter.ts';
import { EntityLink, Given } from '../../parts/value.tsx';

const CHANGED = operation<ChangedQuery, ChangedQueryVariables>(/* GraphQL */ `
  query Changed($filter: String, $at: DateTime) {
    entities(orderBy: "-updatedAt", limit: 10, count: NONE, filter: $filter, asOf: $at) {
      items {
        id
        entityType
        version
        updatedAt
      }
    }
  }
`);
const CHANGES = operation<ChangesSubscription, ChangesSubscriptionVariables>(/* GraphQL */ `
  subscription Changes {
    provenanceEvents {
      event {
        id
        eventType
        entityId
        entityType
        actor
        timestamp
      }
    }
  }
`);

interface Change {
  readonly id: string;
  readonly what: string;
  readonly entityId: string;
  readonly entityType: string;
  readonly at: string;
  readonly isNew: boolean;
}

const WORDS: Readonly<Record<string, string>> = {
  EntityCreated: 'created',
  EntityUpdated: 'changed',
  AvailabilityChanged: 'available or not',
  EntitySuperseded: 'superseded',
  RelationshipCreated: 'related',
  RelationshipRemoved: 'unrelated',
};
const MOST = 10;

export function Changes(): ReactNode {
  const { at, project } = useAddress();
  const filter = project === undefined ? null : projectFilter(project);
  const answer = useQuery(CHANGED, { filter, at: at ?? null });
  // the log does not say which project an entity belongs to
  const isLive = at === undefined && project === undefined;
  const [live, setLive] = useState<readonly Change[]>([]);
  const lost = useFollow(
    CHANGES,
    {},
    ({ provenanceEvents: { event } }) => {
      if (event.entityId === null) return;
      const change: Change = {
        id: event.id,
        what: `${WORDS[event.eventType] ?? event.eventType} by ${event.actor}`,
        entityId: event.entityId,
        entityType: event.entityType ?? '',
        at: event.timestamp,
        isNew: true,
      };
      setLive((before) => [change, ...before].slice(0, MOST));
    },
    { skip: !isLive, onMissed: answer.reload },
  );
  return (
    <section className="card" aria-labelledby="home-changes">
      <header>
        <h2 id="home-changes">Latest changes</h2>
        <span className="quiet small">{isLive && lost === undefined ? 'live' : ''}</span>
      </header>
      <Shown answer={answer} what="the latest changes">
        {({ entities }) => {
          const before: readonly Change[] = entities.items.map(({ id, entityType, version, updatedAt }) => ({
            id,
            what: `version ${version}`,
            entityId: id,
            entityType,
            at: updatedAt,
            isNew: false,
          }));
          const now = isLive ? live : [];
          const shown = [...now, ...before.filter(({ id }) => !now.some(({ entityId }) => entityId === id))];
          if (shown.length === 0) return <Empty title="No entities yet" />;
          return (
            <ul className="list">
              {shown.slice(0, MOST).map((change) => (
                <li key={change.id}>
                  <span>
                    <EntityLink id={change.entityId} />{' '}
                    <span className="quiet small">
                      <Given text={change.entityType} />, {change.what}
                    </span>{' '}
                    {change.isNew && <span className="tag good">new</span>}
                  </span>
                  <span className="quiet small">{agoText(change.at)}</span>
                </li>
              ))}
            </ul>
          );
        }}
      </Shown>
    </section>
  );
}
