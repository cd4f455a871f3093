// The audit log: who did what on the instance, searched and read page by page, and what one request did.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { type Answer, useQuery } from '../../api/use-api.ts';
import type { AuditQuery, AuditQueryVariables } from '../../generated/api.ts';
import { ShownPage } from '../../parts/page-steps.tsx';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { numberText } from '../../parts/text.ts';
import { Given, Instant } from '../../parts/value.tsx';
import { auditFilterOf, AuditSearch, isFiltered } from './audit-filter.tsx';
import { CauseLink, changesIn, StatusCode } from './audit-record.tsx';
import { AuditedRequest } from './audited-request.tsx';

const AUDIT = operation<AuditQuery, AuditQueryVariables>(/* GraphQL */ `
  query Audit($filter: AuditFilter!, $cursor: String) {
    auditRecords(filter: $filter, limit: 50, cursor: $cursor) {
      nextCursor
      records {
        timestamp
        requestId
        actor
        method
        path
        status
        latencyMs
        operation
        changes
        cause
      }
    }
  }
`);
type AuditRow = AuditQuery['auditRecords']['records'][number];

/** Longest text of a path in the table; one record shows all of it. */
const MOST_PATH = 120;

const What = ({ row: { method, path, operation: name } }: { readonly row: AuditRow }): ReactNode => (
  <>
    <code>{method}</code> <Given text={path} most={MOST_PATH} />
    {name !== null && (
      <span className="quiet">
        {' '}
        <Given text={name} most={80} />
      </span>
    )}
  </>
);

const Records = ({
  rows,
  isStale,
}: {
  readonly rows: readonly AuditRow[];
  readonly isStale: boolean;
}): ReactNode => (
  <Table
    label="Audit records"
    rows={rows}
    isStale={isStale}
    keyOf={({ requestId, timestamp, path }) => `${requestId} ${timestamp} ${path}`}
    columns={[
      {
        key: 'time',
        title: 'time',
        cell: ({ timestamp, requestId }) => (
          <Link to="admin" params={{ tab: 'audit', request: requestId }}>
            <Instant iso={timestamp} />
          </Link>
        ),
      },
      { key: 'actor', title: 'actor', cell: ({ actor }) => <Given text={actor} most={120} /> },
      { key: 'what', title: 'request', cell: (row) => <What row={row} /> },
      { key: 'status', title: 'status', cell: ({ status }) => <StatusCode of={status} /> },
      {
        key: 'took',
        title: 'took',
        isNumber: true,
        cell: ({ latencyMs }) => `${numberText(Math.round(latencyMs))} ms`,
      },
      {
        key: 'cause',
        title: 'for',
        cell: ({ cause }) => cause !== null && <CauseLink of={cause} />,
      },
      {
        key: 'changes',
        title: 'changes',
        cell: ({ changes }) =>
          changesIn(changes).map(({ action, subject }, i) => (
            // a request may change the same twice
            <div key={i}>
              {action} <Given text={subject} most={80} />
            </div>
          )),
      },
    ]}
  />
);

/** The log itself says where it is, if it is not in the database. */
const Elsewhere = ({ message }: { readonly message: string }): ReactNode => (
  <Empty title="The records are not in the database">
    <p>{message}.</p>
    <p>
      Records of the time before are not taken over: <code>docs/operations.md</code> says where they are.
    </p>
  </Empty>
);

function Found({ answer }: { readonly answer: Answer<AuditQuery> }): ReactNode {
  const { params } = useAddress();
  if (answer.error?.code === 'conflict') return <Elsewhere message={answer.error.message} />;
  return (
    <ShownPage
      answer={answer}
      what="the audit records"
      pageOf={({ auditRecords: { records, nextCursor } }) => ({ rows: records, nextCursor })}
      empty={
        <Empty title="No record">
          <p>
            {isFiltered(params) || params.has('cursor')
              ? 'Nothing meets these conditions.'
              : 'A record is there some milliseconds after its answer.'}
          </p>
        </Empty>
      }
    >
      {(records) => <Records rows={records} isStale={answer.isLoading} />}
    </ShownPage>
  );
}

function Log(): ReactNode {
  const { params, at } = useAddress();
  const filter = auditFilterOf(params, at);
  const answer = useQuery(AUDIT, { filter, cursor: params.get('cursor') });
  return (
    <div className="stack">
      {/* what is typed follows the address: a link, and going back */}
      <AuditSearch key={JSON.stringify(filter)} />
      <Found answer={answer} />
    </div>
  );
}

export function Audit(): ReactNode {
  const request = useAddress().params.get('request');
  return request === null ? <Log /> : <AuditedRequest key={request} id={request} />;
}
