// Whether what a chain is about would be made the same: an entity, a production, or a file by the productions that made it.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type {
  StaleOfProductionQuery,
  StaleOfProductionQueryVariables,
  StaleOfSubjectQuery,
  StaleOfSubjectQueryVariables,
  WhyQueryVariables,
} from '../../generated/api.ts';
import { STALE_CHANGE } from '../../parts/stale-reasons.tsx';
import { StillTrue, WHETHER_STALE } from '../../parts/still-true.tsx';
import { Fault } from '../../parts/states.tsx';
import { afterKind, WHY } from './chain.ts';

const STALE_OF_SUBJECT = operation<StaleOfSubjectQuery, StaleOfSubjectQueryVariables>(
  /* GraphQL */ `
    query StaleOfSubject($id: ID!) {
      staleness(entityId: $id) {
        ...WhetherStale
      }
    }
  `,
  WHETHER_STALE,
  STALE_CHANGE,
);
const STALE_OF_PRODUCTION = operation<StaleOfProductionQuery, StaleOfProductionQueryVariables>(
  /* GraphQL */ `
    query StaleOfProduction($id: ID!) {
      production(id: $id) {
        entityIds
        staleness {
          ...WhetherStale
        }
      }
    }
  `,
  WHETHER_STALE,
  STALE_CHANGE,
);

function OfEntity({ id }: { readonly id: string }): ReactNode {
  const { at } = useAddress();
  const { data, error, reload } = useQuery(STALE_OF_SUBJECT, { id }, { at });
  if (error) return <Fault error={error} onRetry={reload} />;
  const { staleness = null } = data ?? {};
  return staleness !== null && <StillTrue staleness={staleness} id={id} />;
}

function OfProduction({
  id,
  isOfFile = false,
}: {
  readonly id: string;
  readonly isOfFile?: boolean;
}): ReactNode {
  const { at } = useAddress();
  const { data, error, reload } = useQuery(STALE_OF_PRODUCTION, { id }, { at });
  if (error) return <Fault error={error} onRetry={reload} />;
  const { staleness = null, entityIds = [] } = data?.production ?? {};
  if (staleness === null) return null;
  const [made] = entityIds;
  return (
    <>
      <StillTrue staleness={staleness} {...(made === undefined ? {} : { id: made })} />
      {isOfFile && (
        <p className="quiet small">
          Said of what{' '}
          <Link to="production" params={{ id }}>
            the production
          </Link>{' '}
          made that stored it.
        </p>
      )}
    </>
  );
}

/** Productions that stored the same content; more of them say nothing new. */
const MOST = 5;

function OfFile({ subject }: { readonly subject: string }): ReactNode {
  const { at = null } = useAddress();
  const asked: WhyQueryVariables = { subject, direction: 'BACKWARD', depth: 1, first: 100, at };
  const { data, error, reload } = useQuery(WHY, asked);
  if (error) return <Fault error={error} onRetry={reload} />;
  const productions = (data?.why?.nodes ?? []).filter(({ kind }) => kind === 'PRODUCTION');
  return productions.slice(0, MOST).map(({ key }) => <OfProduction key={key} id={afterKind(key)} isOfFile />);
}

/** @param subject a node's key. Nothing for what no production makes, and never what was said of another one */
export function StillMade({ subject }: { readonly subject: string }): ReactNode {
  if (subject.startsWith('entity:')) return <OfEntity key={subject} id={afterKind(subject)} />;
  if (subject.startsWith('production:')) return <OfProduction key={subject} id={afterKind(subject)} />;
  return subject.startsWith('file:') && <OfFile key={subject} subject={subject} />;
}
