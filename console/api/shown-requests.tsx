// Which requests made what the current view shows: for "Copy request".
import { createContext, type ReactNode, useContext, useEffect, useId, useMemo, useState } from 'react';
import type { ApiRequest } from './operation.ts';

interface Shown {
  readonly requests: readonly ApiRequest[];
  readonly note: (id: string, request: ApiRequest | undefined) => void;
}

const Requests = createContext<Shown>({ requests: [], note: () => undefined });

export function ShownRequests({ children }: { readonly children: ReactNode }): ReactNode {
  const [known, setKnown] = useState<ReadonlyMap<string, ApiRequest>>(new Map());
  const shown = useMemo<Shown>(
    () => ({
      requests: [...known.values()],
      note: (id, request) => {
        setKnown((before) => {
          const after = new Map(before);
          if (request === undefined) after.delete(id);
          else after.set(id, request);
          return after;
        });
      },
    }),
    [known],
  );
  return <Requests.Provider value={shown}>{children}</Requests.Provider>;
}

export const useShownRequests = (): readonly ApiRequest[] => useContext(Requests).requests;

/** Shows a request as long as the component that makes it is shown. */
export function useShownRequest(request: ApiRequest | undefined): void {
  const id = useId();
  const { note } = useContext(Requests);
  const key = request === undefined ? '' : JSON.stringify(request);
  useEffect(() => {
    note(id, key === '' ? undefined : (JSON.parse(key) as ApiRequest)); // written a line above
    return () => {
      note(id, undefined);
    };
    // `note` is another function after each note, and does the same
  }, [id, key]);
}
