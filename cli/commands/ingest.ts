// `cairn ingest` loads a table of any format by bulk requests, and reports the reason for each refused row.
import type { Command } from 'commander';
import path from 'node:path';
import { isObject } from '../../platform/json-object.ts';
import type { TableRow } from '../../platform/tables/table-row.ts';
import type { Api } from '../api.ts';
import { choice, clientCommand, clientOf, collected, type CommonOptions, wholeNumber } from '../command.ts';
import { Failure, UsageFailure } from '../failure.ts';
import type { BulkLoadOptions } from '../ingest/load.ts';
import { FORMAT_NAMES, type OpenTable, openTable, type TableFlags } from '../ingest/open-table.ts';
import { showProgress } from '../ingest/progress.ts';
import type { Rejects } from '../ingest/rejects.ts';
import type { Fault } from '../ingest/load.ts';
import { reasonText, Report } from '../ingest/report.ts';
import type { Paint, Printer } from '../output.ts';
import type { Session } from '../session.ts';

interface Options extends CommonOptions, TableFlags {
  readonly type?: string;
  readonly guessType?: boolean;
  readonly id?: string;
  readonly map?: readonly string[];
  readonly skip?: readonly string[];
  readonly skipUnknown?: boolean;
  readonly separator: string;
  readonly empty?: readonly string[];
  readonly dryRun?: boolean;
  readonly allOrNothing?: boolean;
  readonly rejects?: string;
  readonly context?: string;
  readonly keepGoing?: boolean;
  readonly concurrency: number;
}

/** A provenance context as JSON text: an object as it is, other text as its notes. */
function contextText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!text.trim().startsWith('{')) return JSON.stringify({ notes: text });
  try {
    if (isObject(JSON.parse(text))) return text;
  } catch (cause) {
    throw new UsageFailure(`--context is not valid JSON: ${cause instanceof Error ? cause.message : ''}`, {
      cause,
    });
  }
  throw new UsageFailure('--context must be a JSON object, or text');
}

const modeOf = ({ dryRun, allOrNothing }: Options): BulkLoadOptions['mode'] => {
  if (dryRun === true) return 'dry run';
  return allOrNothing === true ? 'all or nothing' : 'load';
};

/** The first row, and all of them. */
async function peeked(
  rows: AsyncGenerator<TableRow>,
): Promise<{ first: TableRow | undefined; all: AsyncGenerator<TableRow> }> {
  const one = await rows.next();
  const all = async function* (): AsyncGenerator<TableRow> {
    if (one.done === true) return;
    yield one.value;
    yield* rows;
  };
  return { first: one.done === true ? undefined : one.value, all: all() };
}

const columnsIn = (row: TableRow | undefined): readonly string[] =>
  row !== undefined && 'row' in row && isObject(row.row) ? Object.keys(row.row) : [];

/** @throws UsageFailure where the columns are separated by another character */
function assertSeparated(columns: readonly string[], { format }: OpenTable): void {
  const [only, ...others] = columns;
  if ((format !== 'csv' && format !== 'tsv') || only === undefined || others.length > 0) return;
  const found = [';', '\t', ',', '|'].find((delimiter) => only.includes(delimiter));
  if (found !== undefined)
    throw new UsageFailure(
      `the header is one column, ${JSON.stringify(only)}: give --delimiter ${found === '\t' ? 'tab' : `"${found}"`}`,
    );
}

/** Stops a load in which nothing succeeds. */
function assertSome(reason: Fault | undefined, count: number): void {
  if (reason === undefined) return;
  const { message, column } = reason;
  const where = column === null ? '' : ` (column ${JSON.stringify(column)})`;
  throw new Failure(
    `all ${count} rows so far were refused for one reason: ${message}${where}. Correct the table or how it is mapped (--map, --id, --skip); --keep-going goes on all the same`,
    { error: 'systematic', reason: { message, column } },
  );
}

interface Run {
  readonly api: Api;
  readonly table: OpenTable;
  readonly options: Options;
  readonly report: Report;
  /** Tells people something beside the result. */
  readonly note: (text: string) => void;
  readonly rejectsFile: string | undefined;
}

async function run({ api, table, options, report, note, rejectsFile }: Run): Promise<void> {
  const [{ load }, { Requests }, { guessType }, { Rejects: RejectsFile }] = await Promise.all([
    import('../ingest/load.ts'),
    import('../ingest/requests.ts'),
    import('../ingest/guess-type.ts'),
    import('../ingest/rejects.ts'),
  ]);
  const { first, all } = await peeked(table.rows);
  const columns = columnsIn(first);
  assertSeparated(columns, table);
  const map = options.map ?? [];
  let { type } = options;
  if (options.guessType === true && type === undefined) {
    type = await guessType(
      api,
      columns,
      map.map((pair) => pair.split('=')[0] ?? ''),
    );
    note(`the type is ${type}`);
  }
  const requests = new Requests(api, {
    format: table.format,
    type,
    map,
    id: options.id,
    skip: options.skip ?? [],
    skipsUnknown: options.skipUnknown === true,
    separator: options.separator,
    empty: options.empty ?? [],
    isTyped: table.format === 'xlsx' || table.format === 'parquet',
    keepsRows: rejectsFile !== undefined,
    onNoId: () => {
      note('rows have no id: a repeated load creates them again; --id gives them one');
    },
  });
  const sent = async function* () {
    for await (const row of all) yield requests.of(row);
  };
  const rejects: Rejects | undefined =
    rejectsFile === undefined ? undefined : new RejectsFile(rejectsFile, () => requests.columns);
  const mode = modeOf(options);
  const how = { mode, context: contextText(options.context), concurrency: options.concurrency };
  let parts = 0;
  try {
    await load(api, sent(), how, async (loaded) => {
      parts++;
      report.add(loaded);
      await rejects?.add(loaded.outcomes);
      if (mode === 'load' && options.keepGoing !== true) assertSome(report.systematic, report.done);
    });
  } finally {
    await rejects?.close();
  }
  if (report.done === 0) note('the table has no rows');
  if (mode === 'dry run' && parts > 1)
    note(`judged in ${parts} parts: what rows of one part do to rows of another is not taken into account`);
}

const SUMMARY = ['created', 'updated', 'unchanged', 'failed'] as const;

function summary(paint: Paint, report: Report, mode: BulkLoadOptions['mode'], seconds: number): string {
  const { counts } = report;
  const failed = counts.failed === 0 ? '0' : paint.red(String(counts.failed));
  const numbers = `${paint.bold(String(counts.created))} created, ${counts.updated} updated, ${counts.unchanged} unchanged, ${failed} failed`;
  if (mode === 'dry run') return `${numbers}: a dry run, nothing was written`;
  if (mode === 'all or nothing' && counts.failed > 0) return `${numbers}: nothing was written`;
  return `${numbers}, in ${seconds} s`;
}

function tell(session: Session, printer: Printer, report: Report, options: Options, began: number): void {
  const { counts, errors, reasons, done } = report;
  const mode = modeOf(options);
  const seconds = Math.round(performance.now() - began) / 1000;
  if (!printer.json) for (const reason of reasons) session.stderr.write(`${reasonText(reason)}\n`);
  printer.answer(
    {
      ...(mode === 'dry run' ? { dry_run: true } : {}),
      ingested: counts.created + counts.updated + counts.unchanged,
      ...Object.fromEntries(SUMMARY.map((name) => [name, counts[name]])),
      seconds,
      reasons,
      errors: errors.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    },
    (paint) => summary(paint, report, mode, seconds),
  );
  if (counts.failed > 0)
    throw new Failure(`${counts.failed} of ${done} rows ${mode === 'dry run' ? 'would fail' : 'failed'}`, {
      failed: counts.failed,
    });
}

async function ingestFile(session: Session, file: string, options: Options): Promise<void> {
  const { api, printer } = clientOf(session, options);
  const rejectsFile = options.rejects === undefined ? undefined : path.resolve(session.cwd, options.rejects);
  if (rejectsFile !== undefined && rejectsFile === path.resolve(session.cwd, file))
    throw new UsageFailure('--rejects would overwrite the table');
  const table = await openTable(session, file, options);
  const report = new Report();
  const began = performance.now();
  const stopProgress = showProgress(session.stderr, () => ({
    done: report.done,
    failed: report.counts.failed,
    part: table.part(),
  }));
  const note = (text: string): void => {
    if (!printer.json) session.stderr.write(`note: ${text}\n`);
  };
  try {
    await run({ api, table, options, report, note, rejectsFile });
  } catch (error) {
    if (!(error instanceof Failure) || report.done === 0) throw error;
    const { created, updated, unchanged } = report.counts;
    const ingested = created + updated + unchanged;
    throw new Failure(
      `stopped after ${report.done} rows, ${ingested} of them accepted: ${error.message}`,
      { ...error.details, ingested },
      { cause: error },
    );
  } finally {
    stopProgress();
    table.close();
  }
  tell(session, printer, report, options, began);
}

export function ingestCommand(session: Session): Command {
  return clientCommand('ingest', 'create or update entities from a table', [
    'ingest samples.csv --type Sample --id "Sample name"',
    'ingest sheet.xlsx --type Sample --sheet Donors --dry-run',
    `ingest samples.tsv --type Sample --id '"sample:" + row.Sample' --map 'sex=Gender' --map 'age=int(row.Age)'`,
    'ingest samples.csv --guess-type --rejects rejected.csv',
    'ingest entities.ndjson                       (each line {"entity_type": …, "data": {…}})',
    'ingest - --format tsv --type Sample < samples.tsv',
  ])
    .argument('<file>', 'CSV, TSV, XLSX, JSON (an array), NDJSON or Parquet; - is standard input')
    .option('-t, --type <type>', 'entity type of rows that do not name one')
    .option('--guess-type', 'find the entity type by the columns')
    .option('--id <column|CEL>', 'what is the id of an entity (default: the column id)')
    .option('--map <field=column|CEL>', 'what a field is from; repeat for several', collected)
    .option('--skip <column>', 'leave a column out; repeat for several', collected)
    .option('--skip-unknown', 'leave out columns that are no fields')
    .option('--separator <text>', 'separates several values in one cell', ';')
    .option('--empty <text>', 'a cell with this text is empty, such as NA; repeat for several', collected)
    .option('--dry-run', 'write nothing: say what would be created, updated, unchanged and refused')
    .option('--all-or-nothing', 'write all rows in one transaction, or none (at most 20,000 rows and 8 MiB)')
    .option('--rejects <file>', 'write refused rows with their reasons to a CSV, TSV or NDJSON file')
    .option('--context <JSON|text>', 'provenance context of the changes: a JSON object, or notes')
    .option('--keep-going', 'do not stop where all rows so far are refused for one reason')
    .addOption(
      choice(
        '--format <format>',
        'input format (default: from the file name extension; ndjson for standard input)',
        FORMAT_NAMES,
      ),
    )
    .option('--sheet <name|number>', 'sheet of a workbook (default: the first)')
    .option('--delimiter <character>', 'between the columns of CSV or TSV, such as ";" or tab')
    .option('--encoding <name>', 'of text, such as windows-1252 (default: UTF-8, or UTF-16 with its mark)')
    .option('--records <path>', 'dotted path of the list in a JSON document')
    .option('-c, --concurrency <n>', 'requests sent at the same time', wholeNumber(1, 16), 1)
    .addHelpText(
      'after',
      '\nA column stands for the field of its name, whatever its case, blanks and signs: "Sample name" for sample_name. Cells get the types that the schema declares; an empty cell means that the field is absent.\nIn CEL, row is a row: row.Age, row["Sample name"]. A row with the id of an existing entity updates that entity, so a load can be repeated. Rows are written in their order with one request at a time.',
    )
    .action((file: string, options: Options) => ingestFile(session, file, options));
}
