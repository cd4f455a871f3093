// Finds the known name that is nearest to a mistyped one.

/** Edit distance with insertions, deletions, replacements and swapped neighbours, each counting one. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(replace, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}

/**
 * Returns the nearest known name within a third of the word's length, or the only one that begins with the
 * word; else undefined.
 */
export function closest(word: string, known: readonly string[]): string | undefined {
  const longer = known.filter((name) => name.startsWith(`${word}_`));
  if (longer.length === 1) return longer[0];
  const plain = (name: string): string =>
    name
      .toLowerCase()
      .replaceAll('-', '_')
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_');
  const ranked = known
    .map((name) => ({ name, steps: Math.min(distance(word, name), distance(plain(word), plain(name))) }))
    .sort((a, b) => a.steps - b.steps);
  const best = ranked[0];
  return best !== undefined &&
    best.steps <= Math.max(2, Math.floor(word.length / 3)) &&
    best.steps < best.name.length
    ? best.name
    : undefined;
}
