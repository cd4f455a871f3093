// What differs between two productions.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type { ProductionDiffQuery, ProductionDiffQueryVariables } from '../../generated/api.ts';
import { Differences, PART } from '../../parts/differences.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { instantText } from '../../parts/text.ts';
import { Given } from '../../parts/value.tsx';

const PRODUCTION_DIFF = operation<ProductionDiffQuery, ProductionDiffQueryVariables>(
  /* GraphQL */ `
    query ProductionDiff($id: ID!, $toId: ID!) {
      productionDiff(id: $id, toId: $toId) {
        isComplete
        before {
          ...ComparedProduction
        }
        after {
          ...ComparedProduction
        }
        differences {
          ...Part
        }
      }
    }
    fragment ComparedProduction on Production {
      id
      entityType
      requestedAt
    }
  `,
  PART,
);
type Production = NonNullable<ProductionDiffQuery['productionDiff']>['before'];

const Title = ({ of: { id, entityType, requestedAt } }: { readonly of: Production }): ReactNode => (
  <Link to="production" params={{ id }}>
    <Given text={entityType} />, {instantText(requestedAt)}
  </Link>
);

export function ProductionDiff({ of, and }: { readonly of: string; readonly and: string }): ReactNode {
  const { at } = useAddress();
  const answer = useQuery(PRODUCTION_DIFF, { id: of, toId: and }, { at });
  return (
    <Shown answer={answer} what="the differences">
      {({ productionDiff: diff }) =>
        diff === null ? (
          <Empty title="There are not both productions, or you may not see both" />
        ) : (
          <Differences
            label="Differences of the productions"
            diff={diff}
            titles={[<Title key="before" of={diff.before} />, <Title key="after" of={diff.after} />]}
          />
        )
      }
    </Shown>
  );
}
