// `cairn export` writes the entities of a type to a file, or to standard output; or an archive of the whole instance,
// which an operator makes on the machine of the database.
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { route } from '../api.ts';
import { choice, clientCommand, clientOf, collected, type CommonOptions, conditions } from '../command.ts';
import { Failure, UsageFailure } from '../failure.ts';
import { type ArchiveSummary, archiveFacts, archiveWork, openInstance } from '../archives.ts';
import { facts, printerFor } from '../output.ts';
import { passThrough } from '../pass-through.ts';
import type { Output, Session } from '../session.ts';

const FORMATS = ['csv', 'ndjson', 'arrow', 'parquet', 'xlsx'] as const;
const TEXT_FORMATS: readonly string[] = ['csv', 'ndjson'];

interface Options extends CommonOptions {
  readonly format?: string;
  readonly filter?: string;
  readonly words?: string;
  readonly where?: readonly string[];
  readonly orderBy?: string;
  readonly asOf?: string;
  readonly includeUnavailable?: boolean;
  readonly limit?: string;
  readonly expand?: string;
  readonly output?: string;
  readonly everything?: boolean;
}

/** What was asked for, else what the file's name says, else CSV. */
function formatOf({ format, output }: Options): string {
  if (format !== undefined) return format;
  const extension = output === undefined ? '' : path.extname(output).slice(1);
  return FORMATS.find((known) => known === extension) ?? 'csv';
}

/** A file is there whole, or not at all. */
async function toFile(body: Readable, file: string): Promise<void> {
  const part = `${file}.part`;
  try {
    await pipeline(body, createWriteStream(part));
    await rename(part, file);
  } catch (cause) {
    await rm(part, { force: true });
    throw new Failure(
      `${file} was not written: ${cause instanceof Error ? cause.message : String(cause)}`,
      { error: 'export_failed' },
      { cause },
    );
  }
}

/** The interface that `standalone/archives.ts` opens. */
interface Exporter {
  write(output: Writable): Promise<ArchiveSummary>;
  close(): Promise<void>;
}

/** An archive file is there whole, or not at all; only its owner may read it. */
async function archiveTo(
  session: Session,
  exporter: Exporter,
  file: string | undefined,
): Promise<ArchiveSummary> {
  const part = `${file}.part`;
  const output = file === undefined ? passedOn(session.stdout) : createWriteStream(part, { mode: 0o600 });
  session.onSignal((signal) => {
    output.destroy(new Failure(`${signal}: the archive was not written`, { error: 'interrupted' }));
  });
  try {
    const summary = await exporter.write(output);
    if (file !== undefined) await rename(part, file);
    return summary;
  } catch (fault) {
    if (file !== undefined) await rm(part, { force: true });
    throw fault;
  }
}

/** Standard output as it is, which is not ended. */
function passedOn(stdout: Output): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!(stdout instanceof Writable)) {
        stdout.write(chunk.toString('latin1'));
        done();
      } else if (stdout.write(chunk)) done();
      else stdout.once('drain', done);
    },
  });
}

async function exportEverything(session: Session, options: Options): Promise<void> {
  const { output } = options;
  if (output === undefined) throw new UsageFailure('name a file with -o, or - for standard output');
  const file = output === '-' ? undefined : path.resolve(session.cwd, output);
  const summary = await archiveWork(
    () => openInstance<Exporter>(session, options.config, 'openExporter'),
    (exporter) => archiveTo(session, exporter, file),
  );
  const printer = printerFor(session, options);
  if (file !== undefined)
    printer.answer({ ...archiveFacts(summary), file }, (paint) =>
      facts(paint, { ...archiveFacts(summary), file }),
    );
}

/** What lists are narrowed by, which an archive has none of. */
const OF_A_TYPE = [
  'format',
  'filter',
  'words',
  'where',
  'orderBy',
  'asOf',
  'includeUnavailable',
  'limit',
  'expand',
  'url',
  'key',
] as const;

export function exportCommand(session: Session): Command {
  return clientCommand('export', 'write the entities of a type, or an archive of everything, to a file', [
    'export sample -o samples.parquet',
    "export sample --filter 'data.depth > 30' --format xlsx -o deep.xlsx",
    'export sample --where population=GBR --as-of 2026-01-01T00:00:00Z > samples.csv',
    'export sample --expand donor,donor.population -o samples.csv',
    'export --everything -o cairn.tar',
  ])
    .argument('[entity-type]', 'type of the entities; its subtypes are included')
    .option(
      '--everything',
      'an archive of this machine\'s instance with its history and files, for "cairn import"; needs its configuration, not a server',
    )
    .addOption(choice('--format <format>', "default: the file's extension, else csv", FORMATS))
    .option('--filter <cel>', 'only entities for which this CEL expression is true')
    .option('--words <words>', 'only entities that hold these words, as "cairn search" finds them')
    .option('--where <field=value>', 'only entities with this value; repeatable', collected)
    .option('--order-by <keys>', 'created_at, updated_at, id or data.<field>, by comma; - for descending')
    .option('--as-of <time>', 'as they were at that time')
    .option('--include-unavailable', 'also entities that are not available')
    .option('--limit <n>', 'how many at most')
    .option(
      '-e, --expand <paths>',
      'references whose fields are columns as well, by comma: donor,donor.population',
    )
    .option('-o, --output <file>', 'file to write; - for standard output, which is the default')
    .action(async (entityType: string | undefined, options: Options) => {
      if (options.everything === true) {
        const other = OF_A_TYPE.find((name) => options[name] !== undefined);
        if (entityType !== undefined || other !== undefined)
          throw new UsageFailure(`--everything takes only -o and --config, not ${entityType ?? other}`);
        return exportEverything(session, options);
      }
      if (entityType === undefined) throw new UsageFailure('name a type, or --everything');
      const { api } = clientOf(session, options);
      const format = formatOf(options);
      const { output, words } = options;
      if (words !== undefined && options.where !== undefined)
        throw new UsageFailure('--words goes with --filter, not with --where');
      if (output === undefined && !TEXT_FORMATS.includes(format))
        throw new UsageFailure(`${format} is not text: name a file with -o`);
      const body = await api.download({
        path: `${words === undefined ? route`/api/v1/metadata/export/${entityType}` : route`/api/v1/metadata/search/${entityType}`}.${format}`,
        query: {
          q: words,
          ...conditions(options.where),
          filter: options.filter,
          order_by: options.orderBy,
          as_of: options.asOf,
          include_unavailable: options.includeUnavailable,
          limit: options.limit,
          expand: options.expand,
        },
      });
      if (output !== undefined && output !== '-') await toFile(body, path.resolve(session.cwd, output));
      else await passThrough(body, session.stdout, 'the export');
    });
}
