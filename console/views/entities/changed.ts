// Which entities of a type were written since the list was read, as the log tells it.
import { useCallback, useEffect, useRef, useState } from 'react';
import { isOwnRequest } from '../../api/client.ts';
import { operation } from '../../api/operation.ts';
import { useFollow } from '../../api/use-api.ts';
import type { TypeChangesSubscription, TypeChangesSubscriptionVariables } from '../../generated/api.ts';

const TYPE_CHANGES = operation<TypeChangesSubscription, TypeChangesSubscriptionVariables>(/* GraphQL */ `
  subscription TypeChanges($types: [String!]) {
    provenanceEvents(entityTypes: $types) {
      event {
        entityId
        requestId
      }
    }
  }
`);

/** Entities that are marked; an import may write millions. */
const MOST = 1000;
/** Events that come together are drawn together. */
const TOGETHER_MS = 300;

type Event = TypeChangesSubscription['provenanceEvents']['event'];

interface Changed {
  /** The latest of them. */
  readonly ids: ReadonlySet<string>;
  /** How many events there were since the list was read. */
  readonly unread: number;
}

const NONE: Changed = { ids: new Set(), unread: 0 };

export interface LiveChanges extends Changed {
  /** The list is read anew; the marks stay. */
  readonly onRead: () => void;
}

export function useChanged(type: string, isLive: boolean): LiveChanges {
  const [changed, setChanged] = useState(NONE);
  const waiting = useRef<Event[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useFollow(
    TYPE_CHANGES,
    { types: [type] },
    ({ provenanceEvents: { event } }) => {
      waiting.current.push(event);
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        const others = waiting.current
          .splice(0)
          .flatMap(({ entityId, requestId }) =>
            entityId === null || isOwnRequest(requestId) ? [] : [entityId],
          );
        if (others.length === 0) return;
        setChanged(({ ids, unread }) => ({
          ids: new Set([...ids, ...others].slice(-MOST)),
          unread: unread + others.length,
        }));
      }, TOGETHER_MS);
    },
    { skip: !isLive },
  );
  useEffect(
    () => () => {
      clearTimeout(timer.current);
    },
    [],
  );
  const onRead = useCallback(() => {
    setChanged(({ ids }) => ({ ids, unread: 0 }));
  }, []);
  return { ...changed, onRead };
}
