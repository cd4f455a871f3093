// The external ids of a batch of writes: which are active, and which are added or superseded.
import { Deferred, type EndedExternalId, type NewExternalId } from './pending.ts';
import type { UndoLog } from './undo-log.ts';
import { externalName } from './write-keys.ts';
import type { ExternalIdKey, ExternalIdState } from './write.ts';

export class ExternalIdWork {
  readonly added = new Map<string, NewExternalId>();
  readonly ended = new Map<string, EndedExternalId>();
  readonly #active: Map<string, ExternalIdState>;
  readonly #undo: UndoLog;

  constructor(loaded: readonly ExternalIdState[], undo: UndoLog) {
    this.#active = new Map(loaded.map((one) => [externalName(one), one]));
    this.#undo = undo;
  }

  get(key: ExternalIdKey): ExternalIdState | undefined {
    return this.#active.get(externalName(key));
  }

  /** @throws Deferred for one that this batch has ended */
  add(record: NewExternalId): void {
    const name = externalName(record);
    if (this.ended.has(name)) throw new Deferred();
    this.#undo.set(this.#active, name, record);
    this.#undo.set(this.added, name, record);
  }

  /** The record of an id that is to end. @throws Deferred for one that this batch has added */
  ending(key: ExternalIdKey): ExternalIdState {
    const name = externalName(key);
    const record = this.#active.get(name);
    if (!record) throw new Error(`external id ${name} is not active`);
    if (this.added.has(name)) throw new Deferred();
    return record;
  }

  end(key: ExternalIdKey, ended: EndedExternalId): void {
    const name = externalName(key);
    this.#undo.delete(this.#active, name);
    this.#undo.set(this.ended, name, ended);
  }
}
