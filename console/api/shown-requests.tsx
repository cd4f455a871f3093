// Which requests made what is shown, and which its actions would make: for "Copy request". A dialog has those of its own.
import { createContext, type ReactNode, useCallback, useContext, useEffect, useId, useState } from 'react';
import type { ApiRequest } from './operation.ts';

type Note = (id: string, request: ApiRequest | undefined) => void;

/** Apart from each other: who notes a request does not draw again when another is noted. */
const Requests = createContext<readonly ApiRequest[]>([]);
const Noting = createContext<Note>(() => undefined);

export function ShownRequests({ children }: { readonly children: ReactNode }): ReactNode {
  const [known, setKnown] = useState<ReadonlyMap<string, ApiRequest>>(new Map());
  const note = useCallback<Note>((id, request) => {
    setKnown((before) => {
      const after = new Map(before);
      if (request === undefined) after.delete(id);
      else after.set(id, request);
      return after;
    });
  }, []);
  return (
    <Noting.Provider value={note}>
      <Requests.Provider value={[...known.values()]}>{children}</Requests.Provider>
    </Noting.Provider>
  );
}

export const useShownRequests = (): readonly ApiRequest[] => useContext(Requests);

/** Shows a request as long as the component that makes it is shown. */
export function useShownRequest(request: ApiRequest | undefined): void {
  const id = useId();
  const note = useContext(Noting);
  const key = request === undefined ? '' : JSON.stringify(request);
  useEffect(() => {
    note(id, key === '' ? undefined : (JSON.parse(key) as ApiRequest)); // written a line above
  }, [id, note, key]);
  useEffect(
    () => () => {
      note(id, undefined);
    },
    [id, note],
  );
}

/** The same for a request that another component makes. */
export function ShownRequest({ request }: { readonly request: ApiRequest | undefined }): ReactNode {
  useShownRequest(request);
  return null;
}
