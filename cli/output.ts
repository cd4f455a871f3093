// Prints the output of commands: JSON for programs, tables and colours for people.
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

export function printerFor(session: Session, options: { json?: boolean }): Printer {
  const paint = paintFor(session.stdout, session);
  const json = options.json === true;
  return {
    json,
    paint,
    answer: (value, forPeople) => {
      session.stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : `${forPeople(paint)}\n`);
    },
  };
}

const cell = (value: unknown): string =>
  value === undefined || value === null
    ? '-'
    : printable(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('\n', ' ');

/** Formats rows as a table with column names; an absent value is a dash. The last column is not padded. */
export function table(
  paint: Paint,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): string {
  const cells = rows.map((row) => row.map(cell));
  const widths = columns.map((column, i) =>
    Math.max(column.length, ...cells.map((row) => row[i]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    row.map((text, i) => (i === row.length - 1 ? text : text.padEnd(widths[i] ?? 0))).join('  ');
  return [paint.dim(line(columns)), ...cells.map(line)].join('\n');
}

/** Formats `name: value` lines with aligned values. */
export function facts(paint: Paint, entries: Readonly<Record<string, unknown>>): string {
  const shown = Object.entries(entries).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...shown.map(([key]) => key.length));
  return shown.map(([key, value]) => `${paint.dim(key.padEnd(width))}  ${cell(value)}`).join('\n');
}
