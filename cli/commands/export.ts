// `cairn export` writes the entities of a type to a file, or to standard output.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { route } from '../api.ts';
import { choice, clientCommand, clientOf, collected, type CommonOptions, conditions } from '../command.ts';
import { Failure, UsageFailure } from '../failure.ts';
import type { Output, Session } from '../session.ts';

const FORMATS = ['csv', 'ndjson', 'arrow', 'parquet', 'xlsx'] as const;
const TEXT_FORMATS: readonly string[] = ['csv', 'ndjson'];

interface Options extends CommonOptions {
  readonly format?: string;
  readonly filter?: string;
  readonly where?: readonly string[];
  readonly orderBy?: string;
  readonly asOf?: string;
  readonly includeUnavailable?: boolean;
  readonly limit?: string;
  readonly output?: string;
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

/** As fast as the other end takes it. */
async function toStdout(body: Readable, stdout: Output): Promise<void> {
  body.setEncoding('utf8');
  try {
    for await (const text of body as AsyncIterable<string>)
      // by its encoding
      if (stdout.write(text) === false && stdout instanceof Writable) await once(stdout, 'drain');
  } catch (cause) {
    throw new Failure('the export broke off', { error: 'export_failed' }, { cause });
  }
}

export function exportCommand(session: Session): Command {
  return clientCommand('export', 'write the entities of a type to a file', [
    'export sample -o samples.parquet',
    "export sample --filter 'data.depth > 30' --format xlsx -o deep.xlsx",
    'export sample --where population=GBR --as-of 2026-01-01T00:00:00Z > samples.csv',
  ])
    .argument('<entity-type>', 'type of the entities; its subtypes are included')
    .addOption(choice('--format <format>', "default: the file's extension, else csv", FORMATS))
    .option('--filter <cel>', 'only entities for which this CEL expression is true')
    .option('--where <field=value>', 'only entities with this value; repeatable', collected)
    .option('--order-by <keys>', 'created_at, updated_at, id or data.<field>, by comma; - for descending')
    .option('--as-of <time>', 'as they were at that time')
    .option('--include-unavailable', 'also entities that are not available')
    .option('--limit <n>', 'how many at most')
    .option('-o, --output <file>', 'file to write (default: standard output)')
    .action(async (entityType: string, options: Options) => {
      const { api } = clientOf(session, options);
      const format = formatOf(options);
      const { output } = options;
      if (output === undefined && !TEXT_FORMATS.includes(format))
        throw new UsageFailure(`${format} is not text: name a file with -o`);
      const body = await api.download({
        path: `${route`/api/v1/metadata/export/${entityType}`}.${format}`,
        query: {
          ...conditions(options.where),
          filter: options.filter,
          order_by: options.orderBy,
          as_of: options.asOf,
          include_unavailable: options.includeUnavailable,
          limit: options.limit,
        },
      });
      if (output !== undefined) await toFile(body, path.resolve(session.cwd, output));
      else await toStdout(body, session.stdout);
    });
}
