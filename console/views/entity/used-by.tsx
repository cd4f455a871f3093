// The productions that an entity was an input of, at whatever version.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type { UsedByQuery, UsedByQueryVariables } from '../../generated/api.ts';
import { Shown } from '../../parts/states.tsx';
import { Given, Instant } from '../../parts/value.tsx';
import { whyOf } from '../why/chain.ts';

const USED_BY = operation<UsedByQuery, UsedByQueryVariables>(/* GraphQL */ `
  query UsedBy($subject: ID!, $at: DateTime) {
    why(subject: $subject, direction: FORWARD, depth: 2, first: 200, asOf: $at) {
      nextCursor
      nodes {
        key
        kind
        name
        at
        actor
      }
    }
  }
`);
type Node = NonNullable<UsedByQuery['why']>['nodes'][number];

const Item = ({ node: { key, name, at, actor } }: { readonly node: Node }): ReactNode => (
  <li>
    <Link to="production" params={{ id: key.slice('production:'.length) }}>
      <Given text={name} most={200} />
    </Link>
    <span className="row quiet small">
      {actor !== null && <Given text={actor} most={120} />}
      {at !== null && <Instant iso={at} />}
    </span>
  </li>
);

export function UsedBy({ id }: { readonly id: string }): ReactNode {
  const { at = null } = useAddress();
  const subject = `entity:${id}`;
  const answer = useQuery(USED_BY, { subject, at });
  return (
    <Shown answer={answer} what="what used it">
      {({ why: chain }) => {
        const used = (chain?.nodes ?? []).filter(({ kind }) => kind === 'PRODUCTION');
        if (used.length === 0) return null;
        return (
          <section className="card" aria-labelledby="used-by">
            <h2 id="used-by">Productions that used it</h2>
            <ul className="list">
              {used.map((node) => (
                <Item key={node.key} node={node} />
              ))}
            </ul>
            {chain?.nextCursor != null && (
              <p>
                <Link {...whyOf(subject, 'FORWARD')}>All that it led to</Link>
              </p>
            )}
          </section>
        );
      }}
    </Shown>
  );
}
