// Computes how a batch of writes changes the counts of entities, so that totals never need a scan.
import type { LoadedEntity } from './pending.ts';

export interface CountChange {
  readonly entityType: string;
  readonly project: string;
  readonly isAvailable: boolean;
  change: number;
}

/** Returns the change of the count for each type, project and availability whose count changes. */
export function countChanges(
  work: readonly {
    loaded: LoadedEntity | null;
    current: { entityType: string; project: string | null; isAvailable: boolean };
  }[],
): CountChange[] {
  const changes = new Map<string, CountChange>();
  const add = (e: { entityType: string; project: string | null; isAvailable: boolean }, by: number): void => {
    const key = JSON.stringify([e.entityType, e.project, e.isAvailable]);
    const change = changes.get(key) ?? {
      entityType: e.entityType,
      project: e.project ?? '',
      isAvailable: e.isAvailable,
      change: 0,
    };
    change.change += by;
    changes.set(key, change);
  };
  for (const w of work) {
    if (w.loaded) add(w.loaded, -1);
    add(w.current, 1);
  }
  return [...changes.values()].filter((c) => c.change !== 0);
}
