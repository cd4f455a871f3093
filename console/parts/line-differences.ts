// Which lines differ between two texts.

export interface Line {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Longer texts take too long to compare. */
const MOST = 2000;

/** The longest common lines stay; undefined for texts that are too long. */
export function lineDifferences(before: string, after: string): readonly Line[] | undefined {
  const [a, b] = [before.split('\n'), after.split('\n')];
  if (a.length > MOST || b.length > MOST) return undefined;
  const width = b.length + 1;
  // lengths of the longest common lines of the rests from [i, j] on
  const common = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [was, is] = [a[i], b[j]];
    if (was !== undefined && was === is) {
      lines.push({ kind: 'same', text: was });
      i++;
      j++;
    } else if (was !== undefined && (is === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: 'removed', text: was });
      i++;
    } else {
      lines.push({ kind: 'added', text: is ?? '' });
      j++;
    }
  }
  return lines;
}
