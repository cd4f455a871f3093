// Hooks for the API: a query that follows its variables, an action, a subscription.
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type ApiError, asApiError } from './api-error.ts';
import { atInstant } from './at-instant.ts';
import { ask, follow } from './client.ts';
import { type ApiRequest, type Operation, requestOf } from './operation.ts';
import { useShownRequest } from './shown-requests.tsx';

export interface Answer<Data> {
  /** The newest data, those of earlier variables while others are loading; never those of another instant. */
  readonly data: Data | undefined;
  /** Those of another instant, while what was at this one is loading: only for what is the same at both. */
  readonly ofOther: Data | undefined;
  readonly error: ApiError | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface Options<Data> {
  /** Does not ask as long as this is true. */
  readonly skip?: boolean;
  /**
   * Milliseconds after an answer at which to ask again, or what tells them from it; 0 for never. Pages in the
   * background wait.
   */
  readonly everyMs?: number | ((data: Data) => number);
  /** Keeps the request out of what "Copy request" shows. */
  readonly quiet?: boolean;
  /** The instant as of which everything is answered, which is asked for once; undefined for the present. */
  readonly at?: string | undefined;
  /** The instants that are shown, where the variables name them by other names. */
  readonly of?: string | undefined;
}

/** After a fault, where the answer would have told when to ask again. */
const RETRY_MS = 5000;

interface State<Data> {
  readonly key: string;
  readonly data?: Data;
  /** As of which the data are; undefined, or null, for the present. */
  readonly instant?: unknown;
  readonly error?: ApiError;
}

/** Asks when it is first shown and whenever its variables change. */
export function useQuery<Data, Variables>(
  query: Operation<Data, Variables>,
  given: Variables,
  { skip = false, everyMs: usualMs = 0, quiet = false, at, of }: Options<Data> = {},
): Answer<Data> {
  const asked: Operation<Data, unknown> = at === undefined ? query : atInstant(query);
  const variables: unknown = at === undefined ? given : { ...given, at };
  const everyMs = at === undefined ? usualMs : 0;
  // objects, whatever their members
  const { at: instant = of } = variables as { readonly at?: unknown };
  const key = JSON.stringify([asked.text, variables]);
  const [state, setState] = useState<State<Data>>({ key: '' });
  const [round, setRound] = useState(0);
  const reload = useCallback(() => {
    setRound((before) => before + 1);
  }, []);
  useShownRequest(skip || quiet ? undefined : requestOf(asked, variables));
  useEffect(() => {
    if (skip) return undefined;
    const gone = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = (wait: number): void => {
      if (wait <= 0 || gone.signal.aborted) return;
      timer = setTimeout(() => {
        if (document.hidden) again(wait);
        else reload();
      }, wait);
    };
    ask(asked, variables, gone.signal).then(
      (data) => {
        if (!gone.signal.aborted) setState({ key, data, instant });
        again(typeof everyMs === 'number' ? everyMs : everyMs(data));
      },
      (thrown: unknown) => {
        if (gone.signal.aborted) return;
        const error = asApiError(thrown);
        // an answer to another question is none to this one
        setState((before) => (before.key === key ? { ...before, error } : { key, error }));
        again(typeof everyMs === 'number' ? everyMs : RETRY_MS);
      },
    );
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
    // the key stands for the operation and its variables
  }, [key, skip, round, everyMs]);
  const isLoading = !skip && state.key !== key;
  const isThen = state.instant === instant;
  return {
    data: isThen ? state.data : undefined,
    ofOther: isThen ? undefined : state.data,
    error: isLoading ? undefined : state.error,
    isLoading,
    reload,
  };
}

export interface Action<Data> {
  /** Sends what is shown. */
  readonly run: () => Promise<Data | undefined>;
  readonly isRunning: boolean;
  readonly error: ApiError | undefined;
  /** What it would send; undefined where it is not offered. */
  readonly request: ApiRequest | undefined;
}

/**
 * A mutation, shown as a request with the variables that it would have now: `run` resolves to undefined where it
 * failed, and keeps the error.
 * @param variables undefined where the action is not offered
 */
export function useAction<Data, Variables>(
  asked: Operation<Data, Variables>,
  variables: Variables | undefined,
): Action<Data> {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<ApiError>();
  const request = variables === undefined ? undefined : requestOf(asked, variables);
  useShownRequest(request);
  const run = async (): Promise<Data | undefined> => {
    if (variables === undefined) return undefined;
    setRunning(true);
    setError(undefined);
    try {
      return await ask(asked, variables);
    } catch (thrown) {
      setError(asApiError(thrown));
      return undefined;
    } finally {
      setRunning(false);
    }
  };
  return { run, isRunning, error, request };
}

function listenToVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => {
    document.removeEventListener('visibilitychange', listener);
  };
}
const isVisible = (): boolean => !document.hidden;

/**
 * Follows a subscription as long as it is shown, in a tab that is seen: a browser has few connections to one server
 * for all of its tabs. Returns the error that ended it.
 * @param onMissed called when the tab is seen again, and may have missed something
 */
export function useFollow<Data, Variables>(
  asked: Operation<Data, Variables>,
  variables: Variables,
  next: (data: Data) => void,
  { skip = false, onMissed }: { readonly skip?: boolean; readonly onMissed?: () => void } = {},
): ApiError | undefined {
  const [error, setError] = useState<ApiError>();
  useShownRequest(skip ? undefined : requestOf(asked, variables));
  const now = useRef({ next, onMissed });
  now.current = { next, onMissed };
  const isSeen = useSyncExternalStore(listenToVisibility, isVisible);
  const hasMissed = useRef(false);
  const key = JSON.stringify(variables);
  useEffect(() => {
    if (skip) return undefined;
    if (!isSeen) {
      hasMissed.current = true;
      return undefined;
    }
    setError(undefined);
    const end = follow(asked, variables, {
      next: (data) => {
        now.current.next(data);
      },
      fault: setError,
    });
    if (hasMissed.current) now.current.onMissed?.();
    hasMissed.current = false;
    return end;
    // the key stands for the variables
  }, [asked, key, skip, isSeen]);
  return error;
}
