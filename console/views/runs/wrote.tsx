// The entities that a run wrote, page by page; which of them are no longer what would be made is asked for apart, so that
// they are shown while that cannot be told.
import type { ReactNode } from 'react';
import { useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type {
  StaleOfRunQuery,
  StaleOfRunQueryVariables,
  WrittenQuery,
  WrittenQueryVariables,
} from '../../generated/api.ts';
import { Fault, Shown } from '../../parts/states.tsx';
import { EntityLink } from '../../parts/value.tsx';

const WRITTEN = operation<WrittenQuery, WrittenQueryVariables>(/* GraphQL */ `
  query Written($id: ID!, $limit: Int!, $offset: Int!) {
    run(runId: $id) {
      entities(limit: $limit, offset: $offset) {
        id
      }
    }
  }
`);
const STALE_OF_RUN = operation<StaleOfRunQuery, StaleOfRunQueryVariables>(/* GraphQL */ `
  query StaleOfRun($id: ID!, $limit: Int!, $offset: Int!) {
    run(runId: $id) {
      entities(limit: $limit, offset: $offset) {
        id
        staleness {
          isStale
        }
      }
    }
  }
`);

const SIZE = 20;

/** @param written how many it had written when it was asked for */
export function Wrote({ id, written }: { readonly id: string; readonly written: number }): ReactNode {
  const { at, params, set } = useAddress();
  const offset = Math.max(0, Math.trunc(Number(params.get('wrote') ?? 0)) || 0);
  const answer = useQuery(WRITTEN, { id, limit: SIZE + 1, offset }, { at });
  const entities = answer.data?.run?.entities ?? [];
  const { data, error, reload } = useQuery(
    STALE_OF_RUN,
    { id, limit: SIZE, offset },
    { at, skip: entities.length === 0 },
  );
  const stale = new Set(
    (data?.run?.entities ?? []).flatMap((entity) => (entity?.staleness?.isStale === true ? [entity.id] : [])),
  );
  const step = (to: number) => (): void => {
    set({ wrote: to === 0 ? undefined : String(to) });
  };
  const isKnown = answer.data !== undefined || written === 0;
  if (entities.length === 0 && offset === 0 && answer.error === undefined && isKnown) return null;
  return (
    <section className="card" aria-labelledby="wrote">
      <h2 id="wrote">Entities that it wrote</h2>
      <Shown answer={answer} what="the entities">
        {() => (
          <ul className="row">
            {entities.slice(0, SIZE).map((entity, i) => (
              <li key={entity?.id ?? i}>
                {entity ? <EntityLink id={entity.id} /> : <span className="quiet">hidden</span>}
                {entity && stale.has(entity.id) && <span className="tag warn">stale</span>}
              </li>
            ))}
          </ul>
        )}
      </Shown>
      {(offset > 0 || entities.length > SIZE) && (
        <div className="row">
          <button
            type="button"
            className="button"
            disabled={offset === 0}
            onClick={step(Math.max(0, offset - SIZE))}
          >
            Previous entities
          </button>
          <button
            type="button"
            className="button"
            disabled={entities.length <= SIZE}
            onClick={step(offset + SIZE)}
          >
            Next entities
          </button>
        </div>
      )}
      {error && <Fault error={error} onRetry={reload} />}
    </section>
  );
}
