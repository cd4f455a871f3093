// Undoes the changes of one write in memory.

export class UndoLog {
  #steps: (() => void)[] = [];

  push(step: () => void): void {
    this.#steps.push(step);
  }

  clear(): void {
    this.#steps = [];
  }

  /** Undoes everything since the last {@link clear}, latest change first. */
  rollBack(): void {
    for (const undo of this.#steps.reverse()) undo();
    this.#steps = [];
  }

  set<K, V>(map: Map<K, V>, key: K, value: V): void {
    const had = map.has(key);
    const before = map.get(key);
    map.set(key, value);
    this.push(() => {
      // what the map had is a V
      if (had) map.set(key, before as V);
      else map.delete(key);
    });
  }

  delete<K, V>(map: Map<K, V>, key: K): void {
    if (!map.has(key)) return;
    const before = map.get(key) as V; // The line above ensures it.
    map.delete(key);
    this.push(() => {
      map.set(key, before);
    });
  }
}
