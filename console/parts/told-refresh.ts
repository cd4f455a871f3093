// The latest refresh that was begun in this browser: its productions go on by themselves, and are found again from every
// view and tab by the request that asked for them, until somebody has read of their end or signs out.
import { useSyncExternalStore } from 'react';
import { type Data, isData } from '../api/json.ts';
import { operation } from '../api/operation.ts';
import { type Answer, useQuery } from '../api/use-api.ts';
import type { RefreshProgressQuery, RefreshProgressQueryVariables } from '../generated/api.ts';

const PROGRESS = operation<RefreshProgressQuery, RefreshProgressQueryVariables>(/* GraphQL */ `
  query RefreshProgress($request: ID!) {
    all: productions(requestId: $request, limit: 1) {
      total
    }
    completed: productions(requestId: $request, status: completed, limit: 1) {
      total
    }
    failed: productions(requestId: $request, status: failed, limit: 1) {
      total
    }
    cancelled: productions(requestId: $request, status: cancelled, limit: 1) {
      total
    }
  }
`);
const KEY = 'cairn-refresh';
const LOOK_MS = 2000;

/** Productions that have ended, of all that were asked for. */
export const endedOf = ({ completed, failed, cancelled }: RefreshProgressQuery): number =>
  completed.total + failed.total + cancelled.total;
const lookAgain = (progress: RefreshProgressQuery): number =>
  endedOf(progress) < progress.all.total ? LOOK_MS : 0;

/** How far the productions are that a request asked for, followed until all have ended. */
export const useRefreshProgress = (
  request: string | undefined,
  options: { readonly quiet?: boolean; readonly at?: string | undefined } = {},
): Answer<RefreshProgressQuery> =>
  useQuery(
    PROGRESS,
    { request: request ?? '' },
    { ...options, skip: request === undefined, everyMs: lookAgain },
  );

const listeners = new Set<() => void>();
const tellOwn = (): void => {
  for (const listener of listeners) listener();
};

/** A result that a refresh leaves out. */
export interface RefusedResult {
  readonly id: string;
  readonly why: string;
}

/** @param refused what it leaves out, which only the answer to it says */
export function tellRefresh(actor: string, request: string, refused: readonly RefusedResult[]): void {
  localStorage.setItem(KEY, JSON.stringify({ actor, request, refused }));
  tellOwn();
}

export function forgetRefresh(): void {
  localStorage.removeItem(KEY);
  tellOwn();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener); // other tabs
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}
const kept = (): string | null => localStorage.getItem(KEY);

function useTold(actor: string): Data | undefined {
  const told: unknown = JSON.parse(useSyncExternalStore(listen, kept) ?? 'null');
  return isData(told) && told['actor'] === actor ? told : undefined;
}

/** The request of the refresh that this actor began last in this browser; undefined without one. */
export function useToldRefresh(actor: string): string | undefined {
  const request = useTold(actor)?.['request'];
  return typeof request === 'string' ? request : undefined;
}

/** What that refresh leaves out; nothing for another request. */
export function useRefused(actor: string, request: string): readonly RefusedResult[] {
  const told = useTold(actor);
  return told?.['request'] === request && Array.isArray(told['refused'])
    ? (told['refused'] as readonly RefusedResult[]) // as it was told
    : [];
}
