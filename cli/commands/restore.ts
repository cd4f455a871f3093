// `cairn restore` brings an instance back from a backup, into an empty database and store.
import os from 'node:os';
import type { Command } from 'commander';
import {
  backupFacts,
  type BackupOptions,
  type BackupSummary,
  backupWork,
  openingSecrets,
  shownFacts,
} from '../backups.ts';
import { localCommand } from '../command.ts';
import { printerFor } from '../output.ts';
import type { Session } from '../session.ts';

interface Options extends BackupOptions {
  readonly backup?: string;
  readonly revokeSessions?: boolean;
  readonly pauseTriggers?: boolean;
}

export function restoreCommand(session: Session): Command {
  return localCommand('restore', 'bring an instance back from a backup, into an empty database and store', [
    'restore /mnt/backups',
    'restore s3://institute-backups/cairn --backup 20261123T020000Z-1f2e3d4c',
    'restore cairn.tar.age --identity key.txt --pause-triggers',
  ])
    .argument('<place>', 'a file, a directory, or s3://bucket/prefix')
    .option('--backup <id>', 'one of several backups (default: the newest)')
    .option('--identity <file>', 'what opens it; a passphrase is in CAIRN_BACKUP_PASSPHRASE')
    .option('--revoke-sessions', 'end all sign-ins; accounts and API keys stay valid')
    .option('--pause-triggers', 'pause all triggers: for a copy beside an instance that goes on')
    .action(async (place: string, options: Options) => {
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
