// `cairn backup` writes a backup of this machine's instance, verifies one, and lists those of a place or on record.
import { Command } from 'commander';
import {
  backupFacts,
  type BackupOptions,
  type BackupSummary,
  backupWork,
  openingSecrets,
  placeOfBackup,
  sealingSecrets,
  shownFacts,
  stdoutOf,
} from '../backups.ts';
import { clientOf, collected, jsonAnywhere, localCommand, wholeNumber } from '../command.ts';
import { Failure, UsageFailure } from '../failure.ts';
import { type ListOptions, pagedCommand, printList } from '../list.ts';
import { printerFor } from '../output.ts';
import { moreBelow, namedPage, readPages } from '../pages.ts';
import type { Json } from '../api.ts';
import type { Session } from '../session.ts';
import { showLine } from '../status-line.ts';

interface Kept {
  readonly id: string;
  readonly whole: boolean;
  readonly encrypted: boolean;
}

const PLACE = 'a file (.tar, .age), a directory, or s3://bucket/prefix';

/** What `standalone/backups.ts` fills. */
const noProgress = () => ({ section: '', rows: 0, files: 0, fileBytes: 0, copied: 0, copiedBytes: 0 });

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

async function create(session: Session, place: string, options: BackupOptions): Promise<void> {
  const progress = noProgress();
  const aborting = new AbortController();
  session.onSignal((signal) => {
    aborting.abort(new Failure(`${signal}: the backup was not written`, { error: 'interrupted' }));
  });
  const stop = showLine(
    session.stderr,
    (seconds) =>
      `${seconds.toFixed(0)} s: ${progress.section}, ${progress.rows} rows, ${progress.files} files (${megabytes(progress.fileBytes)})`,
  );
  const created = await backupWork<BackupSummary & { readonly isRecorded: boolean }>(
    session,
    options,
    'createBackup',
    {
      place,
      secrets: sealingSecrets(session, options),
      stdout: stdoutOf(session),
      signal: aborting.signal,
      progress,
    },
  ).finally(stop);
  const { lost } = created.manifest;
  const more = {
    copied_files: progress.copied,
    copied_bytes: progress.copiedBytes,
    servers_running: created.servers,
    encrypted: options.encrypt === true || options.recipient !== undefined,
    recorded: created.isRecorded,
  };
  if (place !== '-')
    printerFor(session, options).answer({ ...backupFacts(created), ...more, lost }, (paint) =>
      [
        paint.green(
          created.servers > 0 ? 'backed up, beside running servers' : 'backed up; no server was running',
        ),
        shownFacts(paint, created),
        `${progress.copied} files (${megabytes(progress.copiedBytes)}) were copied; the others were there`,
        ...(more.recorded ? [] : [paint.yellow('the database has no record of it')]),
        ...(more.encrypted
          ? []
          : [paint.yellow('it is not encrypted, and holds secrets: accounts, keys that sign tokens')]),
      ].join('\n'),
    );
  if (lost.length > 0)
    throw new Failure(
      `the backup was written, but the artifact store lacks ${lost.length} of its files, or has them damaged: ${lost
        .slice(0, 5)
        .map(({ hash, is }) => `${hash} (${is})`)
        .join(', ')}${lost.length > 5 ? ', …' : ''}`,
      { error: 'files_lost', lost },
    );
}

const createCommand = (session: Session): Command =>
  localCommand('create', 'back up this machine\'s instance (what "cairn backup <place>" does)', [
    'backup create /mnt/backups',
    'backup --encrypt s3://institute-backups/cairn',
    'backup --recipient age1… cairn-2026-11-23.tar.age',
  ])
    .argument('<place>', `${PLACE}; - for standard output`, placeOfBackup)
    .option('--encrypt', 'with the passphrase in CAIRN_BACKUP_PASSPHRASE')
    .option(
      '--recipient <age1…>',
      'encrypt so that the identity of this recipient opens it; repeatable',
      collected,
    )
    .action((place: string, options: BackupOptions) => create(session, place, options));

const verifyCommand = (session: Session): Command =>
  localCommand('verify', 'read a whole backup, and compare everything with its manifest', [
    'backup verify /mnt/backups',
    'backup verify cairn-2026-11-23.tar.age --identity key.txt',
  ])
    .argument('<place>', PLACE, placeOfBackup)
    .option('--backup <id>', 'one of several backups (default: the newest)')
    .option('--identity <file>', 'what opens it; a passphrase is in CAIRN_BACKUP_PASSPHRASE')
    .option('--allow-unencrypted', 'take one that is not encrypted, although a secret to open it is given')
    .action(async (place: string, options: BackupOptions & { backup?: string }) => {
      const summary = await backupWork<BackupSummary>(session, options, 'verifyBackup', {
        place,
        id: options.backup,
        secrets: openingSecrets(session, options),
      });
      printerFor(session, options).answer(
        { ...backupFacts(summary), whole: true, lost: summary.manifest.lost },
        (paint) => `${paint.green('the backup is whole')}\n${shownFacts(paint, summary)}`,
      );
    });

interface PageOptions extends ListOptions {
  readonly limit?: number;
  readonly cursor?: string;
}

async function listPlace(session: Session, place: string, options: PageOptions): Promise<void> {
  for (const name of ['all', 'limit', 'cursor', 'url', 'key'] as const)
    if (options[name] !== undefined)
      throw new UsageFailure(
        `--${name} is for backups on record: what a place has is listed whole, without a server`,
      );
  const kept = await backupWork<readonly Kept[]>(session, options, 'listKept', { place, secrets: {} });
  printList(session, options, {
    answer: kept,
    items: kept.map((one) => ({ ...one })),
    columns: {
      BACKUP: 'id',
      STATE: ({ whole }) => (whole === true ? 'whole' : 'interrupted'),
      ENCRYPTED: ({ encrypted }) => (encrypted === true ? 'yes' : 'no'),
    },
  });
}

/** What became of one, with what an operator has to know of it. */
function stateText({ status, error, lost_files: lost, restored_at: restored }: Json): string {
  const more = [
    ...(typeof error === 'string' ? [error] : []),
    ...(typeof lost === 'number' && lost > 0 ? [`${lost} files lost`] : []),
    ...(typeof restored === 'string' ? [`this instance was restored from it at ${restored}`] : []),
  ];
  return [String(status), ...more].join(': ');
}

async function listRecorded(session: Session, options: PageOptions): Promise<void> {
  const { api } = clientOf(session, options);
  const { limit, cursor } = options;
  const recorded = await readPages(
    api,
    { path: '/api/v1/gateway/backups', query: { limit, cursor } },
    namedPage('backups'),
    options,
  );
  printList(session, options, {
    ...recorded,
    columns: {
      BEGUN: 'started_at',
      BACKUP: 'id',
      STATE: stateText,
      SIZE: ({ bytes }) => (typeof bytes === 'number' ? megabytes(bytes) : null),
      POSITION: 'position',
      ENCRYPTED: ({ encrypted }) => (encrypted === true ? 'yes' : 'no'),
      PLACE: 'destination',
    },
    footer: moreBelow(recorded),
  });
}

const listCommand = (session: Session): Command =>
  pagedCommand(
    'list',
    'list backups, newest first: those that the server has on record, or those of a directory or bucket',
    ['backup list', 'backup list --all -o csv', 'backup list /mnt/backups'],
  )
    .argument('[place]', 'a directory, or s3://bucket/prefix; read without a server', placeOfBackup)
    .option('-n, --limit <n>', 'records in a page (default 50)', wholeNumber(1, 500))
    .option('--cursor <cursor>', 'cursor of an earlier list, to continue after it')
    .action((place: string | undefined, options: PageOptions) =>
      place === undefined ? listRecorded(session, options) : listPlace(session, place, options),
    );

export function backupCommand(session: Session): Command {
  const summary = 'back up the whole instance: database and store, beside running servers';
  return new Command('backup')
    .summary(summary)
    .description(summary)
    .addOption(jsonAnywhere())
    .addCommand(createCommand(session), { isDefault: true })
    .addCommand(verifyCommand(session))
    .addCommand(listCommand(session))
    .addHelpText(
      'after',
      '\nExamples:\n  $ cairn backup /mnt/backups\n  $ cairn backup --encrypt s3://institute-backups/cairn\n  $ cairn backup verify /mnt/backups\n  $ cairn backup list',
    );
}
