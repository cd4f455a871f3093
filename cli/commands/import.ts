// `cairn import` restores an archive of a whole instance into this machine's empty one.
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import { type ArchiveSummary, archiveFacts, archiveWork, openInstance } from '../archives.ts';
import { checkedConfig } from '../checked-config.ts';
import { createLogger } from '../../platform/logger.ts';
import { localCommand } from '../command.ts';
import { Failure, UsageFailure } from '../failure.ts';
import { facts, printerFor } from '../output.ts';
import type { Session } from '../session.ts';

interface Options {
  readonly json?: boolean;
  readonly config?: string;
  readonly check?: boolean;
}

/** The interface that `standalone/archives.ts` opens. */
interface Importer {
  read(input: Readable): Promise<ArchiveSummary>;
  close(): Promise<void>;
}

/** Needs no configuration: one that is named says which programs of PostgreSQL there are. */
async function openChecker(session: Session, configFile: string | undefined): Promise<Importer> {
  const { openChecker: begin } = await session.load('standalone/check-archive.ts');
  if (typeof begin !== 'function') throw new Failure('standalone/check-archive.ts exports no openChecker');
  const binaries =
    configFile === undefined ? undefined : checkedConfig(session, configFile).database.binaries;
  const log = createLogger({ mode: 'development', level: 'warn' });
  // entry modules are bundles that are loaded by name
  return (begin as (options: object) => Promise<Importer>)({ log, binaries });
}

async function opened(file: string): Promise<Readable> {
  const handle = await open(file).catch((cause: unknown) => {
    throw new UsageFailure(
      `${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  });
  return handle.createReadStream();
}

/** The archive, which a signal ends: then nothing is imported. */
async function inputOf(session: Session, file: string): Promise<Readable> {
  const input = file === '-' ? session.stdin : await opened(path.resolve(session.cwd, file));
  session.onSignal((signal) => {
    input.destroy(new Failure(`${signal}: nothing was imported`, { error: 'interrupted' }));
  });
  return input;
}

export function importCommand(session: Session): Command {
  return localCommand(
    'import',
    'restore an archive of "cairn export --everything" into an empty instance, with its history',
    ['import cairn.tar', 'import --check cairn.tar', 'import - < cairn.tar'],
  )
    .argument('<file>', 'the archive; - for standard input')
    .option('--check', 'only look: whether it is whole and contradicts nothing, and what it holds')
    .action(async (file: string, options: Options) => {
      const summary = await archiveWork(
        () =>
          options.check === true
            ? openChecker(session, options.config)
            : openInstance<Importer>(session, options.config, 'openImporter'),
        async (importer) => importer.read(await inputOf(session, file)),
      );
      printerFor(session, options).answer(
        { ...archiveFacts(summary), imported: options.check !== true },
        (paint) =>
          `${paint.green(options.check === true ? 'the archive is whole, and can be imported' : 'imported')}\n${facts(paint, archiveFacts(summary))}`,
      );
    });
}
