// Follows one entity: what somebody else writes is shown at once, and said.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { isOwnRequest } from '../../api/client.ts';
import { operation } from '../../api/operation.ts';
import { useFollow } from '../../api/use-api.ts';
import type { EntityChangesSubscription, EntityChangesSubscriptionVariables } from '../../generated/api.ts';

const ENTITY_CHANGES = operation<EntityChangesSubscription, EntityChangesSubscriptionVariables>(
  /* GraphQL */ `
    subscription EntityChanges($filter: String!) {
      provenanceEvents(filter: $filter) {
        event {
          actor
          requestId
        }
      }
    }
  `,
);

type Told = EntityChangesSubscription['provenanceEvents']['event'];

/** Not by itself where it is edited: a write is refused that would undo another's before that was read. */
export function Live({
  id,
  version,
  isEditing,
  reload,
}: {
  readonly id: string;
  /** The one that is shown. */
  readonly version: number;
  readonly isEditing: boolean;
  readonly reload: () => void;
}): ReactNode {
  const [told, setTold] = useState<Told & { readonly after: number }>();
  const isStale = useRef(false);
  const look = (): void => {
    isStale.current = isEditing;
    if (!isEditing) reload();
  };
  useFollow(
    ENTITY_CHANGES,
    { filter: `entity_id == ${JSON.stringify(id)}` },
    ({ provenanceEvents: { event } }) => {
      setTold({ ...event, after: version });
      look();
    },
    { onMissed: look },
  );
  useEffect(() => {
    if (isEditing || !isStale.current) return;
    isStale.current = false;
    reload();
  }, [isEditing, reload]);
  return (
    <div role="status" className="live">
      {told !== undefined && !isOwnRequest(told.requestId) && (!isEditing || told.after === version) && (
        <p className="notice">
          <span>
            <span className="tag good">new</span> Changed just now by <bdi>{told.actor}</bdi>
            {isEditing && ': as it is shown, it cannot be saved'}.
          </span>
          {isEditing && (
            <button
              type="button"
              className="button"
              onClick={() => {
                isStale.current = false;
                reload();
              }}
            >
              Read it again, and keep what I typed
            </button>
          )}
        </p>
      )}
    </div>
  );
}
