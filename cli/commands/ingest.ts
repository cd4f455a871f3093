// `cairn ingest` loads a file of records, several concurrently, and reports the reason for each failed one.
import type { Command } from 'commander';
import { createReadStream, statSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { type Api, ApiFailure } from '../api.ts';
import { choice, clientCommand, clientOf, type CommonOptions, wholeNumber } from '../command.ts';
import { Failure, UsageFailure } from '../failure.ts';
import { inFlight } from '../ingest/in-flight.ts';
import { showProgress } from '../ingest/progress.ts';
import { type Format, formatOf, FORMATS, recordsOf, type SourceRecord } from '../ingest/records.ts';
import { printable } from '../output.ts';
import type { Session } from '../session.ts';

interface Options extends CommonOptions {
  readonly type?: string;
  readonly format?: Format;
  readonly concurrency: number;
}

interface RecordError {
  readonly at: string;
  readonly status: number | null;
  readonly message: string;
}

interface Outcome {
  ingested: number;
  readonly errors: RecordError[];
}

/** Whether a failure would also affect the following records. */
const concernsAll = (error: unknown): boolean =>
  !(error instanceof ApiFailure) ||
  error.status === 401 ||
  error.status === 503 ||
  error.details['error'] === 'insufficient_role';

function open(session: Session, file: string): Readable {
  if (file === '-') return session.stdin;
  const location = path.resolve(session.cwd, file);
  if (statSync(location, { throwIfNoEntry: false })?.isFile() !== true)
    throw new UsageFailure(`${file} is not a file`);
  return createReadStream(location);
}

async function load(
  api: Api,
  records: AsyncGenerator<SourceRecord>,
  concurrency: number,
  outcome: Outcome,
): Promise<void> {
  await inFlight(records, concurrency, async (record) => {
    if ('fault' in record) {
      outcome.errors.push({ at: record.at, status: null, message: record.fault });
      return;
    }
    try {
      await api.call({ method: 'POST', path: '/api/v1/metadata/ingest', text: record.body });
      outcome.ingested++;
    } catch (error) {
      if (concernsAll(error) || !(error instanceof ApiFailure)) throw error;
      outcome.errors.push({ at: record.at, status: error.status, message: error.message });
    }
  });
}

const position = (error: RecordError): number => Number(/\d+/.exec(error.at)?.[0]);

export function ingestCommand(session: Session): Command {
  return clientCommand('ingest', 'create or update entities from a file', [
    'ingest samples.csv --type Sample',
    'ingest entities.jsonl                       (each line {"entity_type": …, "data": {…}})',
    'ingest - --format tsv --type Sample < samples.tsv',
  ])
    .argument('<file>', 'JSON (an array), JSON lines, CSV or TSV with a header; - is standard input')
    .option('-t, --type <type>', 'entity type of records that do not name one')
    .addOption(
      choice(
        '--format <format>',
        'input format (default: from the file name extension; jsonl for standard input)',
        FORMATS,
      ),
    )
    .option('-c, --concurrency <n>', 'records sent at the same time', wholeNumber(1, 256), 32)
    .addHelpText(
      'after',
      '\nTables: cells get the types that the schema of the entity type declares; separate several values of one field by ";".\nAn empty cell means that the field is absent. A record with the id of an existing entity updates that entity, so a failed load can be repeated.',
    )
    .action(async (file: string, options: Options) => {
      const { api, printer } = clientOf(session, options);
      const format = options.format ?? (file === '-' ? 'jsonl' : formatOf(file));
      if (format === undefined)
        throw new UsageFailure(
          `the name of ${file} has no known extension: give --format ${FORMATS.join('|')}`,
        );
      const stream = open(session, file);
      const outcome: Outcome = { ingested: 0, errors: [] };
      const began = performance.now();
      const stopProgress = showProgress(session.stderr, () => ({
        done: outcome.ingested + outcome.errors.length,
        failed: outcome.errors.length,
      }));
      try {
        await load(api, recordsOf(stream, format, options.type, api), options.concurrency, outcome);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        throw new Failure(
          `stopped after ${outcome.ingested} records: ${error.message}`,
          { ...error.details, ingested: outcome.ingested },
          { cause: error },
        );
      } finally {
        stopProgress();
        stream.destroy();
      }
      const seconds = Math.round(performance.now() - began) / 1000;
      const errors = outcome.errors.sort((a, b) => position(a) - position(b));
      if (!printer.json)
        for (const error of errors) session.stderr.write(`${error.at}: ${printable(error.message)}\n`);
      printer.answer(
        { ingested: outcome.ingested, failed: errors.length, seconds, errors },
        (paint) =>
          `${paint.bold(String(outcome.ingested))} ingested, ${errors.length === 0 ? '0' : paint.red(String(errors.length))} failed, in ${seconds} s`,
      );
      if (errors.length > 0)
        throw new Failure(`${errors.length} of ${errors.length + outcome.ingested} records failed`, {
          failed: errors.length,
        });
    });
}
