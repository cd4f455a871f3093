// `cairn restore` brings an instance back from a backup, into an empty database and store.
import os from 'node:os';
import type { Command } from 'commander';
import {
  backupFacts,
  type BackupOptions,
  type BackupSummary,
  backupWork,
  openingSecrets,
  placeOfBackup,
  shownFacts,
} from '../backups.ts';
import { localCommand } from '../command.ts';
import { facts, printerFor } from '../output.ts';
import type { Session } from '../session.ts';

interface Options extends BackupOptions {
  readonly backup?: string;
  readonly until?: string;
  readonly revokeSessions?: boolean;
  readonly pauseTriggers?: boolean;
}

/** What `standalone/backups.ts` tells of a moment that was restored. */
interface RestoredMoment {
  readonly address: string;
  readonly chain: string;
  readonly position: number | null;
  readonly time: string | null;
  readonly files: { readonly count: number; readonly bytes: number };
  readonly lost: readonly { readonly hash: string; readonly is: string }[];
}

async function restoreUntil(session: Session, place: string, until: string, options: Options): Promise<void> {
  const restored = await backupWork<RestoredMoment>(session, options, 'restoreMoment', {
    place,
    until,
    id: options.backup,
    secrets: openingSecrets(session, options),
    revokeSessions: options.revokeSessions === true,
    pauseTriggers: options.pauseTriggers === true,
    actor: `os:${os.userInfo().username}`,
  });
  const { address, chain, position, time, files, lost } = restored;
  const told = {
    archive: chain,
    place: address,
    until,
    position,
    time,
    files: files.count,
    file_bytes: files.bytes,
    lost_files: lost.length,
  };
  printerFor(session, options).answer({ ...told, restored: true, lost }, (paint) =>
    [
      paint.green('restored'),
      facts(paint, told),
      'The log contradicts nothing. Accounts, API keys and sign-ins are those of that moment.',
      ...(lost.length === 0 ? [] : [paint.yellow(`${lost.length} files are not in the archive: see --json`)]),
    ].join('\n'),
  );
}

export function restoreCommand(session: Session): Command {
  return localCommand('restore', 'bring an instance back from a backup, into an empty database and store', [
    'restore /mnt/backups',
    'restore s3://institute-backups/cairn --backup 20261123T020000Z-1f2e3d4c',
    'restore cairn.tar.age --identity key.txt --pause-triggers',
    'restore /mnt/backups --until 2026-11-26T09:30:00Z',
  ])
    .argument('<place>', 'a file, a directory, or s3://bucket/prefix', placeOfBackup)
    .option('--backup <id>', 'one of several backups (default: the newest)')
    .option(
      '--until <moment>',
      'what database.archive has of a moment: a time with its zone, a position of the log, or "latest"',
    )
    .option('--identity <file>', 'what opens it; a passphrase is in CAIRN_BACKUP_PASSPHRASE')
    .option('--allow-unencrypted', 'take one that is not encrypted, although a secret to open it is given')
    .option('--revoke-sessions', 'end all sign-ins; accounts and API keys stay valid')
    .option('--pause-triggers', 'pause all triggers: for a copy beside an instance that goes on')
    .action(async (place: string, options: Options) => {
      if (options.until !== undefined) return restoreUntil(session, place, options.until, options);
      const summary = await backupWork<BackupSummary>(session, options, 'restoreInstance', {
        place,
        id: options.backup,
        secrets: openingSecrets(session, options),
        revokeSessions: options.revokeSessions === true,
        pauseTriggers: options.pauseTriggers === true,
        actor: `os:${os.userInfo().username}`,
      });
      const { lost } = summary.manifest;
      printerFor(session, options).answer({ ...backupFacts(summary), restored: true, lost }, (paint) =>
        [
          paint.green('restored'),
          shownFacts(paint, summary),
          'All rows and files are as the backup says, and the log contradicts nothing.',
          options.revokeSessions === true
            ? 'Sign-ins were ended; accounts and API keys are those of the backup.'
            : 'Accounts, API keys and sign-ins are those of the backup: what was revoked since is valid again (--revoke-sessions ends sign-ins).',
          ...(lost.length === 0
            ? []
            : [paint.yellow(`${lost.length} files were lost before the backup was made: see --json`)]),
        ].join('\n'),
      );
    });
}
