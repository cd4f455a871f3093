// The unique values of a batch of writes: who holds them, and which are taken, passed on or freed.
import type { UndoLog } from './undo-log.ts';
import type { UniqueKey } from '../schema-model/unique-key.ts';
import { uniqueName } from './write-keys.ts';

export type HeldUnique = UniqueKey & { readonly entityId: string };

export class UniqueWork {
  readonly taken = new Map<string, HeldUnique>();
  readonly freed = new Map<string, UniqueKey>();
  /** Stored ones that go from one entity to another. */
  readonly passed = new Map<string, HeldUnique>();
  readonly #holders: Map<string, string>;
  readonly #undo: UndoLog;

  constructor(loaded: readonly HeldUnique[], undo: UndoLog) {
    this.#holders = new Map(loaded.map((one) => [uniqueName(one), one.entityId]));
    this.#undo = undo;
  }

  holder(key: UniqueKey): string | undefined {
    return this.#holders.get(uniqueName(key));
  }

  take(key: UniqueKey, entityId: string): void {
    const name = uniqueName(key);
    const isStored = this.freed.has(name);
    this.#undo.delete(this.freed, name);
    this.#undo.set(this.#holders, name, entityId);
    this.#undo.set(isStored ? this.passed : this.taken, name, { ...key, entityId });
  }

  free(key: UniqueKey): void {
    const name = uniqueName(key);
    const isStored = !this.taken.has(name);
    this.#undo.delete(this.taken, name);
    this.#undo.delete(this.passed, name);
    this.#undo.delete(this.#holders, name);
    if (isStored) this.#undo.set(this.freed, name, key);
  }
}
