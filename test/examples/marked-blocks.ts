// Finds the fenced blocks of a Markdown file: commands, whether they are marked as tested, and the answer
// below them.

export interface Commands {
  /** Line of the file at which the block begins, from 1. */
  readonly line: number;
  readonly text: string;
  readonly isTested: boolean;
  /** The JSON block that follows, separated by at most an empty line. */
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

/** The answer, with the example's placeholders (`"…"`) replaced in it, so that the two can be compared. */
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
  const open = example as Record<string, unknown>; // The line above ensures an object.
  return Object.fromEntries(
    Object.entries(answered).map(([key, value]) => [key, withGaps(open[key], value)]),
  );
}
