// A load of a sheet belongs to the tab, not to the view that began it: it goes on in other views, and is found again.
// The server knows only the requests: what they wrote stays when the tab is closed. Other tabs are told (told-loads.ts).
import { useSyncExternalStore } from 'react';
import { type ApiError, asApiError } from '../api/api-error.ts';
import { forgetToldLoad, tellLoad } from './told-loads.ts';

/** The rows that have been sent, and how they are known again (row-digest.ts). */
export interface Sent {
  readonly done: number;
  readonly digest: string | undefined;
}

export interface LoadProgress extends Sent {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** By row of the sheet, with those that the check refused. */
  readonly refused: ReadonlyMap<number, string>;
  readonly isRunning: boolean;
  readonly error: ApiError | undefined;
}

/** What one request did. */
export interface LoadedPart {
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: readonly (readonly [number, string])[];
  /** Over all rows up to its end. */
  readonly digest: string | undefined;
}

export interface LoadTask {
  /** Who loads it: nobody else is told. */
  readonly actor: string;
  readonly sheetName: string;
  readonly type: string;
  /** Rows that are sent. */
  readonly count: number;
  readonly refused: ReadonlyMap<number, string>;
  /** What an earlier load of the same rows has sent. */
  readonly before: Sent;
  /** Whether each row has an id. */
  readonly hasIds: boolean;
  /** Sends the other rows in parts until all are or the signal is aborted. */
  readonly send: (before: Sent, signal: AbortSignal, onPart: (part: LoadedPart) => void) => Promise<void>;
  /** The refused rows with their reasons, as a sheet. */
  readonly rejectsText: (refused: ReadonlyMap<number, string>) => string;
}

export interface SheetLoad {
  /** Tells it from those of other tabs. */
  readonly id: string;
  readonly task: LoadTask;
  readonly progress: LoadProgress;
  readonly stop: () => void;
}

let current: SheetLoad | undefined;
const listeners = new Set<() => void>();

function change(next: SheetLoad | undefined): void {
  current = next;
  for (const listener of listeners) listener();
}

/** The browser asks before the tab is closed or another page takes its place. */
function askFirst(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

export function beginLoad(task: LoadTask): void {
  const gone = new AbortController();
  const id = crypto.getRandomValues(new Uint32Array(2)).join('-');
  const tell = (at: number): void => {
    const { actor, sheetName, type, count, hasIds, before } = task;
    const { done, digest } = current?.id === id ? current.progress : before;
    tellLoad({ id, actor, sheetName, type, count, done, digest, hasIds, at });
  };
  const tellClosed = (): void => {
    tell(0);
  };
  const update = (more: Partial<LoadProgress>): void => {
    if (current?.task === task) change({ ...current, progress: { ...current.progress, ...more } });
  };
  const end = (error: ApiError | undefined): void => {
    removeEventListener('beforeunload', askFirst);
    removeEventListener('pagehide', tellClosed);
    if (current?.progress.done === task.count) forgetToldLoad(id);
    else tell(0);
    update({ isRunning: false, error });
  };
  addEventListener('beforeunload', askFirst);
  addEventListener('pagehide', tellClosed);
  if (current !== undefined) forgetToldLoad(current.id);
  change({
    id,
    task,
    stop: () => {
      gone.abort();
    },
    progress: {
      ...task.before,
      created: 0,
      updated: 0,
      unchanged: 0,
      refused: task.refused,
      isRunning: true,
      error: undefined,
    },
  });
  tell(Date.now());
  const onPart = ({ rows, created, updated, unchanged, refused, digest }: LoadedPart): void => {
    const before = current?.progress;
    if (before === undefined) return;
    update({
      done: before.done + rows,
      digest,
      created: before.created + created,
      updated: before.updated + updated,
      unchanged: before.unchanged + unchanged,
      refused: new Map([...before.refused, ...refused]),
    });
    tell(Date.now());
  };
  task.send(task.before, gone.signal, onPart).then(
    () => {
      end(undefined);
    },
    (thrown: unknown) => {
      end(asApiError(thrown));
    },
  );
}

/** Forgets a load that has ended. */
export function forgetLoad(): void {
  if (current === undefined || current.progress.isRunning) return;
  forgetToldLoad(current.id);
  change(undefined);
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The load of this tab; undefined without one. */
export const useSheetLoad = (): SheetLoad | undefined => useSyncExternalStore(listen, () => current);
