// Finds the fenced blocks of a Markdown file: commands, whether they are marked as tested, and the answer
// that stands under them.

export interface Commands {
  /** Line of the file at which the block begins, from 1. */
  readonly line: number;
  readonly text: string;
  readonly isTested: boolean;
  /** The JSON block that follows with nothing but an empty line between. */
  readonly answer: string | undefined;
}

const MARK = '<!-- tested -->';

/** Every `sh` block, in order. */
export function commandBlocks(markdown: string): Commands[] {
  const lines = markdown.split('\n');
  const end = (from: number): number => lines.indexOf('```', from);
  const found: Commands[] = [];
  for (const [i, line] of lines.entries()) {
    if (line !== '```sh') continue;
    const close = end(i + 1);
    const answerAt = lines[close + 1] === '' && lines[close + 2] === '```json' ? close + 2 : undefined;
    found.push({
      line: i + 1,
      text: lines.slice(i + 1, close).join('\n'),
      isTested: lines[i - 1] === MARK,
      answer: answerAt === undefined ? undefined : lines.slice(answerAt + 1, end(answerAt + 1)).join('\n'),
    });
  }
  return found;
}

/**
 * What was answered, with what the example leaves open (`"…"`) left open there too: then the two can be
 * compared.
 */
export function withGaps(example: unknown, answered: unknown): unknown {
  if (example === '…' && answered !== undefined) return '…';
  if (Array.isArray(example) && Array.isArray(answered))
    return answered.map((item, i) => withGaps(example[i], item));
  if (
    typeof example !== 'object' ||
    example === null ||
    typeof answered !== 'object' ||
    answered === null ||
    Array.isArray(answered)
  )
    return answered;
  const open = example as Record<string, unknown>; // an object, by the line above
  return Object.fromEntries(
    Object.entries(answered).map(([key, value]) => [key, withGaps(open[key], value)]),
  );
}
