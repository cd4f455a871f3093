// The verification of the store belongs to the tab, not to the view that began it: it goes on in other views. How far it
// is, is kept in this browser, so that other tabs show it and a later visit goes on after the last file that was read.
import { useSyncExternalStore } from 'react';
import { type ApiError, asApiError } from '../api/api-error.ts';
import { ask } from '../api/client.ts';
import { isData } from '../api/json.ts';
import { operation } from '../api/operation.ts';
import type { VerifyStoreMutation, VerifyStoreMutationVariables } from '../generated/api.ts';

export const VERIFY_STORE = operation<VerifyStoreMutation, VerifyStoreMutationVariables>(/* GraphQL */ `
  mutation VerifyStore($after: ID, $limit: Int!) {
    verifyFiles(after: $after, limit: $limit) {
      checked
      missing
      damaged
      last
    }
  }
`);

/** Files of one request: each is read whole. */
export const AT_ONCE = 50;
/** A request takes seconds; after so long without news the tab that verified is gone. */
const GONE_MS = 60_000;
const KEY = 'cairn-verification';

export interface Verification {
  readonly actor: string;
  /** Files when it began. */
  readonly files: number;
  readonly checked: number;
  readonly missing: readonly string[];
  readonly damaged: readonly string[];
  /** The last file that was read; null before the first, and when all were. */
  readonly after: string | null;
  readonly isDone: boolean;
  /** Of the latest news, in milliseconds; 0 where it was stopped. */
  readonly at: number;
}

interface State {
  readonly verification: Verification | undefined;
  /** Whether this tab verifies. */
  readonly isRunning: boolean;
  readonly error: ApiError | undefined;
}

function kept(): Verification | undefined {
  const read: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
  // written below, by this version or another
  return isData(read) && typeof read['checked'] === 'number' ? (read as unknown as Verification) : undefined;
}

let state: State = { verification: kept(), isRunning: false, error: undefined };
let running: AbortController | undefined;
const listeners = new Set<() => void>();

function change(next: Partial<State>): void {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

function keep(verification: Verification): void {
  localStorage.setItem(KEY, JSON.stringify(verification));
  change({ verification });
}

export const isVerifiedElsewhere = ({ verification, isRunning }: State): boolean =>
  !isRunning && verification?.isDone === false && Date.now() - verification.at < GONE_MS;

/** Reads all files, or those after where `from` ended. */
export async function verifyStore(from: Verification): Promise<void> {
  const gone = new AbortController();
  running = gone;
  const keepOwn = (own: Verification): void => {
    if (running === gone) keep(own); // it may have been forgotten meanwhile
  };
  change({ isRunning: true, error: undefined });
  let now = { ...from, isDone: false, at: Date.now() };
  const tellClosed = (): void => {
    keepOwn({ ...now, at: 0 });
  };
  addEventListener('pagehide', tellClosed);
  keepOwn(now);
  try {
    while (!now.isDone) {
      const { verifyFiles: page } = await ask(
        VERIFY_STORE,
        { after: now.after, limit: AT_ONCE },
        gone.signal,
      );
      now = {
        ...now,
        checked: now.checked + page.checked,
        missing: [...now.missing, ...page.missing],
        damaged: [...now.damaged, ...page.damaged],
        after: page.last,
        isDone: page.last === null,
        at: Date.now(),
      };
      keepOwn(now);
    }
  } catch (thrown) {
    keepOwn({ ...now, at: 0 });
    if (!gone.signal.aborted) change({ error: asApiError(thrown) });
  } finally {
    removeEventListener('pagehide', tellClosed);
    if (running === gone) change({ isRunning: false });
  }
}

export function stopVerification(): void {
  running?.abort();
}

/** Ends it and forgets what was found. */
export function forgetVerification(): void {
  running?.abort();
  running = undefined;
  localStorage.removeItem(KEY);
  change({ verification: undefined, isRunning: false, error: undefined });
}

function listen(listener: () => void): () => void {
  const look = ({ key }: StorageEvent): void => {
    if (key === KEY && !state.isRunning) change({ verification: kept() });
  };
  listeners.add(listener);
  addEventListener('storage', look);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', look);
  };
}

export const useVerification = (): State => useSyncExternalStore(listen, () => state);
