// Has a backup recorded in the database that it is of (docs/decisions/0198-backups-record-themselves.md).
import os from 'node:os';
import type pg from 'pg';
import type { Logger } from 'pino';
import { connectToBoot } from '../../platform/database/boot.ts';
import { assumeReader } from '../../platform/database/roles.ts';
import { operator } from '../../router/edge/audit/operator.ts';
import type { BackupManifest } from './backup-format.ts';
import { beginRecord, completeRecord, failRecord, type NewRecord } from './record.store.ts';

interface RecordedSession {
  /** It has the lock of backups. */
  readonly client: pg.Client;
  readonly bootUrl: string;
  readonly log: Logger;
}

const MAX_ERROR = 2000;

const textOf = (fault: unknown): string =>
  (fault instanceof Error ? fault.message : String(fault)).replaceAll('\u0000', '').slice(0, MAX_ERROR);

/** In a session of its own: that of the backup may be amid rows, or lost. */
async function recordApart(bootUrl: string, record: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = await connectToBoot(bootUrl);
  try {
    await assumeReader(client);
    await record(client);
  } finally {
    await client.end();
  }
}

/**
 * A database that takes no writes (its disk is full, it is a standby, or has an older version's tables) can be backed up
 * all the same: then a warning says that there is no record.
 */
export async function withRecord(
  { client, bootUrl, log }: RecordedSession,
  record: Omit<NewRecord, 'host' | 'actor'>,
  work: () => Promise<BackupManifest>,
): Promise<{ readonly manifest: BackupManifest; readonly isRecorded: boolean }> {
  const isWritten = (writing: Promise<void>): Promise<boolean> =>
    writing.then(
      () => true,
      (err: unknown) => {
        log.warn({ err }, 'what became of the backup could not be recorded in the database');
        return false;
      },
    );
  const isBegun = await isWritten(beginRecord(client, { ...record, host: os.hostname(), actor: operator() }));
  let manifest: BackupManifest;
  try {
    manifest = await work();
  } catch (fault) {
    if (isBegun) await isWritten(recordApart(bootUrl, (own) => failRecord(own, record.id, textOf(fault))));
    throw fault;
  }
  const completed = (): Promise<void> =>
    completeRecord(client, manifest).catch(() =>
      recordApart(bootUrl, (own) => completeRecord(own, manifest)),
    );
  return { manifest, isRecorded: isBegun && (await isWritten(completed())) };
}
