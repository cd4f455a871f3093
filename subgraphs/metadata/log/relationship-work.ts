// The relationships of a batch of writes: which there are, and which are made or end.
import { Deferred, type EndedRelationship, type Loaded, type NewRelationship } from './pending.ts';
import type { UndoLog } from './undo-log.ts';
import { relationshipName } from './write-keys.ts';
import { type RelationshipKey, SUPERSEDED_BY } from './write.ts';

export class RelationshipWork {
  readonly made = new Map<string, NewRelationship>();
  readonly ended = new Map<string, EndedRelationship>();
  readonly #active: Map<string, { metadata: unknown }>;
  readonly #undo: UndoLog;

  constructor(loaded: Loaded['relationships'], undo: UndoLog) {
    this.#active = new Map(loaded.map((one) => [relationshipName(one), one]));
    this.#undo = undo;
  }

  get(key: RelationshipKey): { metadata: unknown } | undefined {
    return this.#active.get(relationshipName(key));
  }

  /** The entities that the entity is superseded by. */
  successors(id: string): readonly string[] {
    const begins = `${JSON.stringify([id]).slice(0, -1)},`;
    return [...this.#active.keys()]
      .filter((name) => name.startsWith(begins))
      .flatMap((name) => {
        // the format of relationshipName
        const [, target, type] = JSON.parse(name) as [string, string, string];
        return type === SUPERSEDED_BY ? [target] : [];
      });
  }

  /** @throws Deferred for one that this batch has already ended, or made */
  assertMay(act: 'make' | 'end', key: RelationshipKey): void {
    if ((act === 'make' ? this.ended : this.made).has(relationshipName(key))) throw new Deferred();
  }

  make(made: NewRelationship): void {
    const name = relationshipName(made.key);
    this.#undo.set(this.#active, name, { metadata: made.metadata });
    this.#undo.set(this.made, name, made);
  }

  end(ended: EndedRelationship): void {
    const name = relationshipName(ended.key);
    this.#undo.delete(this.#active, name);
    this.#undo.set(this.ended, name, ended);
  }
}
