// How far the productions are that make stale results anew: those that one request asked for.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import { useSession } from '../../frame/session.tsx';
import type { RefreshedQuery, RefreshedQueryVariables } from '../../generated/api.ts';
import { pageIn, PageSteps } from '../../parts/page-steps.tsx';
import { isUnderWay, Status } from '../../parts/status.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { durationText, membersText, messageOf, numberText, plural } from '../../parts/text.ts';
import { endedOf, useRefreshProgress, useRefused } from '../../parts/told-refresh.ts';
import { EntityLink, Given } from '../../parts/value.tsx';
import { Refused } from './refused.tsx';

const REFRESHED = operation<RefreshedQuery, RefreshedQueryVariables>(/* GraphQL */ `
  query Refreshed($request: ID!, $limit: Int!, $offset: Int!) {
    productions(requestId: $request, limit: $limit, offset: $offset) {
      total
      productions {
        id
        entityType
        criteria
        status
        entityIds
        error
        startedAt
        finishedAt
      }
    }
  }
`);
type Production = RefreshedQuery['productions']['productions'][number];

const SIZE = 25;
const LOOK_MS = 2000;
const lookAgain = ({ productions: { productions } }: RefreshedQuery): number =>
  productions.some(isUnderWay) ? LOOK_MS : 0;

function Summary({ request }: { readonly request: string }): ReactNode {
  const { at } = useAddress();
  const answer = useRefreshProgress(request, { at });
  return (
    <Shown answer={answer} what="the progress">
      {(progress) => {
        const { all, completed, failed, cancelled } = progress;
        const ended = endedOf(progress);
        return (
          <section className="card stack" aria-label="Progress">
            <progress aria-label="Productions that have ended" max={Math.max(all.total, 1)} value={ended} />
            <p role="status">
              {numberText(ended)} of {plural(all.total, 'production')} ended: {completed.total} completed,{' '}
              {failed.total} failed, {cancelled.total} cancelled.
            </p>
            {ended < all.total ? (
              <p className="quiet">They go on by themselves: leave this view, and come back when you like.</p>
            ) : (
              <p>
                <Link to="refresh">Look what is stale now</Link>
              </p>
            )}
          </section>
        );
      }}
    </Shown>
  );
}

const Result = ({ of: { entityIds, error } }: { readonly of: Production }): ReactNode =>
  error !== null ? (
    <span className="fault">
      <Given text={messageOf(error)} most={300} />
    </span>
  ) : (
    entityIds.map((id) => (
      <div key={id}>
        <EntityLink id={id} />
      </div>
    ))
  );

export function Progress({ request }: { readonly request: string }): ReactNode {
  const { at, params } = useAddress();
  const { actor } = useSession();
  const refused = useRefused(actor, request);
  const page = pageIn(params);
  const variables = { request, limit: SIZE, offset: (page - 1) * SIZE };
  const answer = useQuery(REFRESHED, variables, { everyMs: lookAgain, at });
  return (
    <>
      <Summary request={request} />
      {refused.length > 0 && <Refused refused={refused} />}
      <Shown answer={answer} what="the productions">
        {({ productions: { total, productions } }) =>
          productions.length === 0 ? (
            <Empty title="This request asked for no production">
              <p>Or for none that you may see.</p>
            </Empty>
          ) : (
            <>
              <Table
                label="Productions"
                rows={productions}
                keyOf={({ id }) => id}
                columns={[
                  { key: 'status', title: 'status', cell: ({ status }) => <Status of={status} /> },
                  {
                    key: 'type',
                    title: 'production',
                    cell: ({ id, entityType }) => (
                      <Link to="production" params={{ id }}>
                        <Given text={entityType} />
                      </Link>
                    ),
                  },
                  {
                    key: 'with',
                    title: 'with',
                    cell: ({ criteria }) => (
                      <span className="members">
                        <Given text={membersText(criteria)} most={120} />
                      </span>
                    ),
                  },
                  { key: 'made', title: 'made', cell: (one) => <Result of={one} /> },
                  {
                    key: 'took',
                    title: 'took',
                    isNumber: true,
                    cell: ({ startedAt, finishedAt }) =>
                      startedAt === null ? '' : durationText(startedAt, finishedAt ?? at),
                  },
                ]}
              />
              <PageSteps page={page} size={SIZE} total={total} count={productions.length} />
            </>
          )
        }
      </Shown>
    </>
  );
}
