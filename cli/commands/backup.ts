// `cairn backup` writes a backup of this machine's instance, verifies one, and lists those of a place.
import { Command } from 'commander';
import {
  backupFacts,
  type BackupOptions,
  type BackupSummary,
  backupWork,
  openingSecrets,
  sealingSecrets,
  shownFacts,
  stdoutOf,
} from '../backups.ts';
import { collected, jsonAnywhere, localCommand } from '../command.ts';
import { Failure } from '../failure.ts';
import { printerFor, table } from '../output.ts';
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
    .argument('<place>', `${PLACE}; - for standard output`)
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
    .argument('<place>', PLACE)
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

const listCommand = (session: Session): Command =>
  localCommand('list', 'list the backups of a directory or bucket, the newest first', [
    'backup list /mnt/backups',
  ])
    .argument('<place>', 'a directory, or s3://bucket/prefix')
    .action(async (place: string, options: BackupOptions) => {
      const kept = await backupWork<readonly Kept[]>(session, options, 'listKept', { place, secrets: {} });
      printerFor(session, options).answer(kept, (paint) =>
        table(
          paint,
          ['backup', 'state', 'encrypted'],
          kept.map(({ id, whole, encrypted }) => [
            id,
            whole ? 'whole' : 'interrupted',
            encrypted ? 'yes' : 'no',
          ]),
        ),
      );
    });

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
      '\nExamples:\n  $ cairn backup /mnt/backups\n  $ cairn backup --encrypt s3://institute-backups/cairn\n  $ cairn backup verify /mnt/backups',
    );
}
