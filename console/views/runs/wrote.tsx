// The entities that a run wrote; which of them are no longer what would be made is asked for apart, so that a run is
// shown while that cannot be told.
import type { ReactNode } from 'react';
import { useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type { RunQuery, StaleOfRunQuery, StaleOfRunQueryVariables } from '../../generated/api.ts';
import { Fault } from '../../parts/states.tsx';
import { EntityLink } from '../../parts/value.tsx';

const STALE_OF_RUN = operation<StaleOfRunQuery, StaleOfRunQueryVariables>(/* GraphQL */ `
  query StaleOfRun($id: ID!) {
    run(runId: $id) {
      entities(limit: 20) {
        id
        staleness {
          isStale
        }
      }
    }
  }
`);
type Run = NonNullable<RunQuery['run']>;

export function Wrote({ run: { runId, entities } }: { readonly run: Run }): ReactNode {
  const { at } = useAddress();
  const { data, error, reload } = useQuery(STALE_OF_RUN, { id: runId }, { at, skip: entities.length === 0 });
  if (entities.length === 0) return null;
  const stale = new Set(
    (data?.run?.entities ?? []).flatMap((entity) => (entity?.staleness?.isStale === true ? [entity.id] : [])),
  );
  return (
    <section className="card" aria-labelledby="wrote">
      <h2 id="wrote">Entities that it wrote</h2>
      <ul className="row">
        {entities.map((entity, i) => (
          <li key={entity?.id ?? i}>
            {entity ? <EntityLink id={entity.id} /> : <span className="quiet">hidden</span>}
            {entity && stale.has(entity.id) && <span className="tag warn">stale</span>}
          </li>
        ))}
      </ul>
      {error && <Fault error={error} onRetry={reload} />}
    </section>
  );
}
