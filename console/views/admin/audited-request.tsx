// What one request did: its audit records, what it changed of keys and accounts, and the events that it wrote.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type {
  AuditedRequestQuery,
  AuditedRequestQueryVariables,
  RequestEventsQuery,
  RequestEventsQueryVariables,
} from '../../generated/api.ts';
import { ShownPage } from '../../parts/page-steps.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { numberText } from '../../parts/text.ts';
import { EntityLink, Given, Instant, Json } from '../../parts/value.tsx';
import { Why } from '../why/why.tsx';
import { CauseLink, changesIn, StatusCode } from './audit-record.tsx';

const REQUEST = operation<AuditedRequestQuery, AuditedRequestQueryVariables>(/* GraphQL */ `
  query AuditedRequest($id: String!) {
    auditRecords(filter: { requestId: $id }, limit: 50) {
      records {
        timestamp
        actor
        method
        path
        status
        latencyMs
        ip
        operation
        changes
        cause
      }
    }
  }
`);
const EVENTS = operation<RequestEventsQuery, RequestEventsQueryVariables>(/* GraphQL */ `
  query RequestEvents($id: ID!, $since: DateTime!, $until: DateTime!, $cursor: String) {
    requestEvents(requestId: $id, since: $since, until: $until, limit: 50, cursor: $cursor) {
      nextCursor
      items {
        id
        timestamp
        eventType
        entityId
        entityType
        actor
      }
    }
  }
`);
type Audited = AuditedRequestQuery['auditRecords']['records'][number];

/** Clocks of the server and of the database may differ by so much. */
const SLACK_MS = 60_000;
const iso = (ms: number): string => new Date(ms).toISOString();

/** When the request can have written. */
function spanOf(records: readonly Audited[]): { readonly since: string; readonly until: string } {
  const begins = records.map(({ timestamp }) => Date.parse(timestamp));
  const ends = records.map(({ timestamp, latencyMs }) => Date.parse(timestamp) + latencyMs);
  return { since: iso(Math.min(...begins) - SLACK_MS), until: iso(Math.max(...ends) + SLACK_MS) };
}

const Facts = ({ of }: { readonly of: Audited }): ReactNode => (
  <dl className="facts">
    <dt>time</dt>
    <dd>
      <Instant iso={of.timestamp} />
    </dd>
    <dt>actor</dt>
    <dd>
      <Link to="admin" params={{ tab: 'audit', actor: of.actor }}>
        <Given text={of.actor} />
      </Link>
    </dd>
    <dt>request</dt>
    <dd>
      <code>{of.method}</code> <Given text={of.path} />
    </dd>
    {of.operation !== null && (
      <>
        <dt>operation</dt>
        <dd>
          <Given text={of.operation} />
        </dd>
      </>
    )}
    <dt>status</dt>
    <dd>
      <StatusCode of={of.status} /> after {numberText(Math.round(of.latencyMs))} ms
    </dd>
    {of.cause !== null && (
      <>
        <dt>cause</dt>
        <dd>
          <CauseLink of={of.cause} />
        </dd>
      </>
    )}
    <dt>address</dt>
    <dd>
      <Given text={of.ip} />
    </dd>
  </dl>
);

const Changes = ({ of }: { readonly of: Audited }): ReactNode => {
  const changes = changesIn(of.changes);
  return changes.length === 0 ? null : (
    <>
      <h3>Changes of keys and accounts</h3>
      <ul>
        {changes.map(({ action, subject, details }, i) => (
          // a request may change the same twice
          <li key={i}>
            <strong>{action}</strong> <Given text={subject} />
            {details !== undefined && details !== null && <Json value={details} />}
          </li>
        ))}
      </ul>
    </>
  );
};

function Events({
  id,
  since,
  until,
}: {
  readonly id: string;
  readonly since: string;
  readonly until: string;
}): ReactNode {
  const { params } = useAddress();
  const answer = useQuery(EVENTS, { id, since, until, cursor: params.get('cursor') });
  return (
    <section className="stack" aria-labelledby="events">
      <h2 id="events">What it wrote</h2>
      <ShownPage
        answer={answer}
        what="the events"
        pageOf={({ requestEvents: { items, nextCursor } }) => ({ rows: items, nextCursor })}
        empty={
          <p className="quiet">No event names this request: it read, was refused, or changed no entity.</p>
        }
      >
        {(items) => (
          <Table
            label="Events of the request"
            rows={items}
            keyOf={(event) => event.id}
            isStale={answer.isLoading}
            columns={[
              { key: 'at', title: 'time', cell: ({ timestamp }) => <Instant iso={timestamp} /> },
              { key: 'type', title: 'event', cell: ({ eventType }) => eventType },
              {
                key: 'entity',
                title: 'entity',
                cell: ({ entityId }) => (entityId === null ? '' : <EntityLink id={entityId} />),
              },
              {
                key: 'of',
                title: 'type',
                cell: ({ entityType }) => <Given text={entityType ?? ''} />,
              },
              { key: 'actor', title: 'actor', cell: ({ actor }) => <Given text={actor} /> },
            ]}
          />
        )}
      </ShownPage>
    </section>
  );
}

export function AuditedRequest({ id }: { readonly id: string }): ReactNode {
  const answer = useQuery(REQUEST, { id });
  return (
    <div className="stack">
      <p>
        <Link to="admin" params={{ tab: 'audit' }}>
          All audit records
        </Link>
      </p>
      <Shown answer={answer} what="the request">
        {({ auditRecords: { records } }) =>
          records.length === 0 ? (
            <Empty title="No record of this request">
              <p>Check the id. A record is there some milliseconds after its answer.</p>
            </Empty>
          ) : (
            <>
              {records.map((one) => (
                <section className="card" key={`${one.timestamp} ${one.path}`} aria-label="Audit record">
                  <header>
                    <h2>
                      Request <code>{id}</code>
                    </h2>
                  </header>
                  <Facts of={one} />
                  <Changes of={one} />
                </section>
              ))}
              <section className="stack" aria-labelledby="led-to">
                <h2 id="led-to">What it led to</h2>
                <Why subject={`request:${id}`} />
              </section>
              <Events id={id} {...spanOf(records)} />
            </>
          )
        }
      </Shown>
    </div>
  );
}
