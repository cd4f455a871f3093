// Lists that tell what has just changed: read anew when something has, and marked.
import { useEffect, useRef, useState } from 'react';
import type { Operation } from '../api/operation.ts';
import { useFollow } from '../api/use-api.ts';

/** Changes that come together are drawn together. */
const TOGETHER_MS = 500;
/** How long a row is marked. */
const MARKED_MS = 8000;
/** How often such a list is read anyway: a change may have come before it was followed, or the stream may be refused. */
export const SELDOM_MS = 15_000;

const NONE: ReadonlySet<string> = new Set();

/**
 * Follows a subscription of changes. Returns the rows that have just changed.
 * @param idOf the row that a change is about
 * @param reload reads the list anew
 */
export function useLiveRows<Data, Variables>(
  asked: Operation<Data, Variables>,
  variables: Variables,
  idOf: (data: Data) => string,
  { isLive, reload }: { readonly isLive: boolean; readonly reload: () => void },
): ReadonlySet<string> {
  const [changed, setChanged] = useState(NONE);
  const waiting = useRef<string[]>([]);
  const timers = useRef<{ draw?: ReturnType<typeof setTimeout>; fade?: ReturnType<typeof setTimeout> }>({});
  const draw = (): void => {
    delete timers.current.draw;
    const ids = waiting.current.splice(0);
    setChanged((before) => new Set([...before, ...ids]));
    reload();
    clearTimeout(timers.current.fade);
    timers.current.fade = setTimeout(() => {
      setChanged(NONE);
    }, MARKED_MS);
  };
  useFollow(
    asked,
    variables,
    (data) => {
      waiting.current.push(idOf(data));
      timers.current.draw ??= setTimeout(draw, TOGETHER_MS);
    },
    { skip: !isLive, onMissed: reload },
  );
  useEffect(
    () => () => {
      clearTimeout(timers.current.draw);
      clearTimeout(timers.current.fade);
    },
    [],
  );
  return changed;
}
