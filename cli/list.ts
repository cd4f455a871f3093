// Lists: as a table for people, and for programs as JSON, NDJSON, CSV or YAML; one page or all of them.
import { stringify as csv } from 'csv-stringify/sync';
import type { Command } from 'commander';
import { stringify as yaml } from 'yaml';
import { closest } from '../platform/config/closest.ts';
import { isObject } from '../platform/json-object.ts';
import type { Json } from './api.ts';
import { choice, clientCommand, type CommonOptions } from './command.ts';
import { UsageFailure } from './failure.ts';
import { paintFor, table } from './output.ts';
import type { Session } from './session.ts';

const FORMATS = ['table', 'json', 'ndjson', 'csv', 'yaml'] as const;
type Format = (typeof FORMATS)[number];

export interface ListOptions extends CommonOptions {
  readonly output?: Format;
  readonly columns?: string;
  readonly all?: boolean;
}

/** Adds `--output` and `--columns`. @param usual what is printed without them */
export const printsList = (command: Command, usual = 'table'): Command =>
  command
    .addOption(choice('-o, --output <format>', `default: ${usual}; --json is the same as -o json`, FORMATS))
    .option('--columns <fields>', 'fields to show, by comma, such as id,data.sex (table and csv)');

/** A command that prints one page of a list, or all pages. */
export const pagedCommand = (name: string, summary: string, examples: readonly string[]): Command =>
  printsList(clientCommand(name, summary, examples)).option('--all', 'all pages, not only the first');

/** What a list is and how it looks. */
export interface Listing {
  /** The answer of the API, which `-o json` and `-o yaml` print. */
  readonly answer: unknown;
  readonly items: readonly Json[];
  /** By heading: the name of a field, or what to make of an item. */
  readonly columns: Readonly<Record<string, string | ((item: Json) => unknown)>>;
  /** A line below the table. */
  readonly footer?: string | undefined;
}

/** The value at a path such as `data.sex`. A field whose own name has dots goes before the path. */
function valueAt(item: Json, path: string): unknown {
  if (Object.hasOwn(item, path)) return item[path];
  const dot = path.indexOf('.');
  const inner = dot < 0 ? undefined : item[path.slice(0, dot)];
  return isObject(inner) ? valueAt(inner, path.slice(dot + 1)) : undefined;
}

function columnsOf(text: string): readonly string[] {
  const columns = text.split(',').map((column) => column.trim());
  if (columns.includes('')) throw new UsageFailure('--columns are names of fields, separated by commas');
  return columns;
}

/**
 * A name that no item begins a field with is mistyped, and would be a column of nothing; what is below a field may be absent everywhere.
 * @throws UsageFailure
 */
function assertColumns(chosen: readonly string[], items: readonly Json[]): void {
  if (items.length === 0) return;
  const known = new Set(items.flatMap((item) => Object.keys(item)));
  for (const column of chosen) {
    if (known.has(column) || known.has(column.split('.', 1)[0] ?? column)) continue;
    const isField = items.some(({ data }) => isObject(data) && Object.hasOwn(data, column));
    const meant = isField ? `data.${column}` : closest(column, [...known]);
    const hint = meant === undefined ? '' : `Did you mean ${JSON.stringify(meant)}? `;
    throw new UsageFailure(
      `--columns: there is no field ${JSON.stringify(column)}. ${hint}The fields are ${[...known].join(', ')}`,
    );
  }
}

/** Numbers and texts as they are, everything else as JSON; nothing for null. */
const csvCell = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

function csvOf(items: readonly Json[], chosen: readonly string[] | undefined): string {
  const columns = chosen ?? [...new Set(items.flatMap((item) => Object.keys(item)))];
  if (columns.length === 0) return ''; // whose fields nobody knows
  const cells = items.map((item) => columns.map((column) => csvCell(valueAt(item, column))));
  return csv([columns, ...cells], {
    cast: { boolean: String },
    record_delimiter: 'windows',
    quote_record_delimiter: true, // a line feed alone as well, which ends a row for most readers
  });
}

/** Prints a list in the format that was asked for. @throws UsageFailure */
export function printList(session: Session, options: ListOptions, listing: Listing): void {
  const { output = 'table', json = false } = options;
  if (json && options.output !== undefined && options.output !== 'json')
    throw new UsageFailure(`--json contradicts -o ${options.output}`);
  const format = json ? 'json' : output;
  const chosen = options.columns === undefined ? undefined : columnsOf(options.columns);
  if (chosen !== undefined && format !== 'table' && format !== 'csv')
    throw new UsageFailure('--columns is for -o table and -o csv');
  if (chosen !== undefined) assertColumns(chosen, listing.items);
  const text = textOf(session, format, listing, chosen);
  // rows of CSV end themselves, and all alike; without items there is no line of NDJSON
  session.stdout.write(format === 'csv' || text === '' ? text : `${text}\n`);
}

function textOf(
  session: Session,
  format: Format,
  { answer, items, columns, footer }: Listing,
  chosen: readonly string[] | undefined,
): string {
  switch (format) {
    case 'json':
      return JSON.stringify(answer, null, 2);
    case 'yaml':
      return yaml(answer).trimEnd();
    case 'ndjson':
      return items.map((item) => JSON.stringify(item)).join('\n');
    case 'csv':
      return csvOf(items, chosen);
    case 'table': {
      const paint = paintFor(session.stdout, session);
      const shown = chosen === undefined ? columns : Object.fromEntries(chosen.map((name) => [name, name]));
      const makers = Object.values(shown);
      const cells = items.map((item) =>
        makers.map((make) => (typeof make === 'string' ? valueAt(item, make) : make(item))),
      );
      const text = table(paint, Object.keys(shown), cells, session.stdout);
      return footer === undefined ? text : `${text}\n${paint.dim(footer)}`;
    }
  }
}
