// Prints the output of commands: JSON for programs, tables and colours for people.
import stringWidth from 'string-width';
import { stringify as yaml } from 'yaml';
import { NO_COLOR } from '../platform/config/environment.ts';
import type { Output, Session } from './session.ts';

export type Paint = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow', (text: string) => string>>;

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

/**
 * Returns colours for a stream: none where it is not a terminal, where NO_COLOR is set, or where the terminal
 * is dumb.
 */
export function paintFor(stream: Output, session: Session): Paint {
  const on = stream.isTTY === true && !session.env[NO_COLOR] && session.env['TERM'] !== 'dumb';
  const painter =
    ([start, end]: readonly [number, number]) =>
    (text: string) =>
      on ? `\u001b[${start}m${text}\u001b[${end}m` : text;
  return {
    bold: painter(CODES.bold),
    dim: painter(CODES.dim),
    red: painter(CODES.red),
    green: painter(CODES.green),
    yellow: painter(CODES.yellow),
  };
}

/** Escapes control characters in external text, so that it cannot move the cursor or set colours. */
export const printable = (text: string): string =>
  text.replace(/(?![\t\n])\p{Cc}/gu, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);

export interface Printer {
  readonly json: boolean;
  readonly paint: Paint;
  /** Prints the command's result: the value as JSON, or the text for people. */
  answer(value: unknown, forPeople: (paint: Paint) => string): void;
}

/** What programs read: JSON, or the same as YAML. */
const forPrograms = (value: unknown, isYaml: boolean): string =>
  isYaml ? yaml(value) : `${JSON.stringify(value, null, 2)}\n`;

export function printerFor(session: Session, options: { json?: boolean; isYaml?: boolean }): Printer {
  const paint = paintFor(session.stdout, session);
  const json = options.json === true;
  return {
    json,
    paint,
    answer: (value, forPeople) => {
      session.stdout.write(json ? forPrograms(value, options.isYaml === true) : `${forPeople(paint)}\n`);
    },
  };
}

const cell = (value: unknown): string =>
  value === undefined || value === null
    ? '-'
    : printable(typeof value === 'string' ? value : JSON.stringify(value)).replace(/[\n\t]/g, ' ');

const segments = new Intl.Segmenter();

/** The beginning of a text that fits, with an ellipsis where something is cut off. */
function fitted(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let [kept, taken] = ['', 0];
  for (const { segment } of segments.segment(text)) {
    taken += stringWidth(segment);
    if (taken > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** The narrowest that a column is made so that a table fits a terminal. */
const LEAST_WIDTH = 8;

/** Takes width from the widest columns until all fit; the narrow ones keep theirs. */
function fittedWidths(widths: readonly number[], space: number): readonly number[] {
  const fitting = [...widths];
  for (let excess = fitting.reduce((sum, width) => sum + width, 0) - space; excess > 0;) {
    const widest = Math.max(...fitting);
    if (widest <= LEAST_WIDTH) break;
    const next = Math.max(LEAST_WIDTH, ...fitting.filter((width) => width < widest));
    const all = fitting.flatMap((width, i) => (width === widest ? [i] : []));
    const cut = Math.min(widest - next, Math.ceil(excess / all.length));
    for (const i of all) fitting[i] = widest - cut;
    excess -= cut * all.length;
  }
  return fitting;
}

const GAP = '  ';

/**
 * Formats rows as a table with column names; an absent value is a dash. The last column is not padded. Widths
 * are those of a terminal, for all scripts. On a terminal, cells are cut so that a row is one line.
 */
export function table(
  paint: Paint,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  to?: Output,
): string {
  const cells = rows.map((row) => row.map(cell));
  const natural = columns.map((column, i) =>
    cells.reduce((most, row) => Math.max(most, stringWidth(row[i] ?? '')), stringWidth(column)),
  );
  const space = to?.isTTY === true ? to.columns : undefined;
  const widths =
    space === undefined ? natural : fittedWidths(natural, space - GAP.length * (columns.length - 1));
  const line = (row: readonly string[]): string =>
    row
      .map((text, i) => {
        const width = widths[i] ?? 0;
        const shown = fitted(text, width);
        return i === row.length - 1 ? shown : shown + ' '.repeat(Math.max(0, width - stringWidth(shown)));
      })
      .join(GAP);
  return [paint.dim(line(columns)), ...cells.map(line)].join('\n');
}

/** Formats `name: value` lines with aligned values. */
export function facts(paint: Paint, entries: Readonly<Record<string, unknown>>): string {
  const shown = Object.entries(entries).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...shown.map(([key]) => key.length));
  return shown.map(([key, value]) => `${paint.dim(key.padEnd(width))}  ${cell(value)}`).join('\n');
}
