// How the groups of a chart are computed: what the database evaluates, and by which indexes.
import type { ReactNode } from 'react';
import { useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type { ExplainGroupsQuery, ExplainGroupsQueryVariables } from '../../generated/api.ts';
import { Shown } from '../../parts/states.tsx';
import { Explained, HOW_FOUND } from './explained.tsx';
import type { Listing } from './listing.ts';

const EXPLAIN_GROUPS = operation<ExplainGroupsQuery, ExplainGroupsQueryVariables>(
  /* GraphQL */ `
    query ExplainGroups(
      $type: String!
      $by: [String!]!
      $of: [String!]!
      $filter: String
      $q: String
      $gone: Boolean!
      $at: DateTime
    ) {
      explainAggregate(
        entityType: $type
        groupBy: $by
        of: $of
        filter: $filter
        q: $q
        includeUnavailable: $gone
        asOf: $at
      ) {
        ...HowFound
      }
    }
  `,
  HOW_FOUND,
);

interface Grouping {
  readonly listing: Listing;
  readonly by: string;
  readonly of: readonly string[];
}

function Explanation({ listing, by, of }: Grouping): ReactNode {
  const { at = null } = useAddress();
  const { type, filter = null, words: q, showsGone: gone } = listing;
  const answer = useQuery(EXPLAIN_GROUPS, { type: type.name, by: [by], of, filter, q, gone, at });
  return (
    <Shown answer={answer} what="the explanation">
      {({ explainAggregate }) => <Explained told={explainAggregate} />}
    </Shown>
  );
}

export function ChartExplained(grouping: Grouping): ReactNode {
  const { params, set } = useAddress();
  const explains = params.get('explain-chart') === '1';
  return (
    <>
      <button
        type="button"
        className="button"
        aria-expanded={explains}
        onClick={() => {
          set({ 'explain-chart': explains ? undefined : '1' }, { replace: true });
        }}
      >
        Explain
      </button>
      {explains && <Explanation {...grouping} />}
    </>
  );
}
