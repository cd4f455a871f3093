// The provenance of an entity: each event with who, when, why, and the fields that it changed.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { type Data, isData } from '../../api/json.ts';
import { useQuery } from '../../api/use-api.ts';
import type { EntityHistoryQuery } from '../../generated/api.ts';
import { Empty, Shown } from '../../parts/states.tsx';
import { EntityLink, Given, Instant, Json } from '../../parts/value.tsx';
import { CauseLink } from '../admin/audit-record.tsx';
import { useReadsAudit } from '../why/reads-audit.ts';
import { Diff } from './diff.tsx';
import { type EntityType, HISTORY } from './read.ts';

type Event = NonNullable<EntityHistoryQuery['entityHistoryPage']>['items'][number];

const TITLES: Readonly<Record<string, string>> = {
  EntityCreated: 'Created',
  EntityUpdated: 'Changed',
  AvailabilityChanged: 'Availability changed',
  EntitySuperseded: 'Superseded',
  RelationshipCreated: 'Related',
  RelationshipRemoved: 'Relationship removed',
  ExternalIdAdded: 'External id added',
  ExternalIdSuperseded: 'External id replaced',
};

const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function Changed({
  payload,
  type,
}: {
  readonly payload: Data;
  readonly type: EntityType | undefined;
}): ReactNode {
  const before = isData(payload['previous_state']) ? payload['previous_state'] : {};
  const after = isData(payload['new_state']) ? payload['new_state'] : {};
  const listed = payload['changed_fields'];
  const names = Array.isArray(listed) ? listed.map(String) : Object.keys(after);
  return <Diff names={names} before={before} after={after} type={type} />;
}

/** What an event says, where it is not a change of fields. */
function What({
  event: { eventType, payload },
  type,
}: {
  readonly event: Event;
  readonly type: EntityType | undefined;
}): ReactNode {
  if (!isData(payload)) return null;
  switch (eventType) {
    case 'EntityUpdated':
      return <Changed payload={payload} type={type} />;
    case 'EntityCreated':
      return (
        <details>
          <summary>
            With {Object.keys(isData(payload['initial_state']) ? payload['initial_state'] : {}).length} fields
          </summary>
          <Json value={payload['initial_state']} />
        </details>
      );
    case 'AvailabilityChanged':
      return (
        <p>
          {payload['current'] === true ? 'Available' : 'Unavailable'}
          {payload['reason'] ? (
            <>
              : <Given text={text(payload['reason'])} />
            </>
          ) : null}
        </p>
      );
    case 'EntitySuperseded':
      return (
        <p>
          By <EntityLink id={text(payload['superseded_by_id'])} />
        </p>
      );
    case 'RelationshipCreated':
      return (
        <p>
          <bdi>{text(payload['relationship'])}</bdi> <EntityLink id={text(payload['to_id'])} />
        </p>
      );
    default:
      return <Json value={payload} />;
  }
}

function Context({ context }: { readonly context: unknown }): ReactNode {
  if (!isData(context)) return context === null ? null : <Given text={text(context)} />;
  const { notes, ...others } = context;
  return (
    <>
      {notes !== undefined && (
        <p>
          <q>
            <Given text={text(notes)} />
          </q>
        </p>
      )}
      {Object.keys(others).length > 0 && (
        <p className="quiet small">
          {Object.entries(others).map(([name, value]) => (
            <span key={name}>
              <bdi>{name}</bdi>: <Given text={text(value)} most={200} />{' '}
            </span>
          ))}
        </p>
      )}
    </>
  );
}

/** The request that wrote it, and the run or production on whose behalf. */
function Origin({ event: { requestId, cause } }: { readonly event: Event }): ReactNode {
  const readsAudit = useReadsAudit();
  if (requestId === null && cause === null) return null;
  return (
    <p className="quiet small">
      {requestId !== null && (
        <>
          request{' '}
          {readsAudit ? (
            <Link to="admin" params={{ tab: 'audit', request: requestId }}>
              <code>{requestId}</code>
            </Link>
          ) : (
            <code>{requestId}</code>
          )}
        </>
      )}
      {requestId !== null && cause !== null && ', '}
      {cause !== null && (
        <>
          for <CauseLink of={cause} />
        </>
      )}
    </p>
  );
}

export function History({
  id,
  type,
}: {
  readonly id: string;
  readonly type: EntityType | undefined;
}): ReactNode {
  const { at = null, params, set } = useAddress();
  const answer = useQuery(HISTORY, { id, at, cursor: params.get('cursor') });
  return (
    <Shown answer={answer} what="the history">
      {({ entityHistoryPage: page }) => {
        if (page === null || page.items.length === 0) return <Empty title="There is no history to see" />;
        return (
          <div className="stack">
            {page.nextCursor !== null && (
              <p>
                <button
                  type="button"
                  className="button"
                  onClick={() => {
                    set({ cursor: page.nextCursor ?? undefined });
                  }}
                >
                  Later events
                </button>
              </p>
            )}
            <ol className="timeline">
              {[...page.items].reverse().map((event) => (
                <li key={event.id}>
                  <p className="row apart">
                    <span>
                      <strong>{TITLES[event.eventType] ?? event.eventType}</strong> by{' '}
                      <bdi>{event.actor}</bdi>{' '}
                      <span className="quiet small">
                        <Instant iso={event.timestamp} />
                      </span>
                    </span>
                    <span className="row">
                      <Link
                        to="entity"
                        params={{ id, tab: 'compare', from: event.timestamp }}
                        className="button bare small"
                      >
                        Compare with {at === null ? 'now' : 'the shown time'}
                      </Link>
                      <button
                        type="button"
                        className="button bare small"
                        onClick={() => {
                          set({ at: event.timestamp, tab: undefined });
                        }}
                      >
                        See it then
                      </button>
                    </span>
                  </p>
                  <What event={event} type={type} />
                  <Context context={event.context} />
                  <Origin event={event} />
                </li>
              ))}
            </ol>
          </div>
        );
      }}
    </Shown>
  );
}
